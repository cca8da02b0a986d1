//! What is the side of the largest square garden that `tiles` square tiles can pave? Not all tiles need
//! to be used.
//!
//! difficulty: 5
//! function: square_garden
//! tests:
//! {"given": {"tiles": 17}, "good": [4], "bad": [5, 3, 17]}
//! {"given": {"tiles": 0}, "good": [0], "bad": [1]}
use vstd::prelude::*;

verus! {

pub fn square_garden(tiles: u32) -> (side: u32)
    ensures
        side * side <= tiles,
        tiles < (side + 1) * (side + 1),
{
    let mut side: u32 = 0;
    while (side as u64 + 1) * (side as u64 + 1) <= tiles as u64
        invariant
            side * side <= tiles,
            side <= 65535,
        decreases tiles - side,
    {
        assert(side < 65535 && side < tiles) by (nonlinear_arith)
            requires
                side <= 65535,
                (side + 1) * (side + 1) <= tiles,
                tiles <= 0xFFFF_FFFF;
        side = side + 1;
    }
    side
}

} // verus!
