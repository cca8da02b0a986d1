//! Pack `eggs` into boxes of `size` one box at a time. Return how many boxes are full and how many eggs
//! are left over.
//!
//! difficulty: 5
//! function: full_boxes
//! tests:
//! {"given": {"eggs": 17, "size": 6}, "good": [[2, 5]], "bad": [[3, 0], [2, 4], [1, 11]]}
use vstd::prelude::*;

verus! {

pub fn full_boxes(eggs: u32, size: u32) -> (packed: (u32, u32))
    requires
        size > 0,
    ensures
        packed.0 * size + packed.1 == eggs,
        packed.1 < size,
{
    let mut full: u32 = 0;
    let mut left: u32 = eggs;
    while left >= size
        invariant
            size > 0,
            full * size + left == eggs,
            full + left <= eggs,
        decreases left,
    {
        assert((full + 1) * size == full * size + size) by (nonlinear_arith);
        full = full + 1;
        left = left - size;
    }
    (full, left)
}

} // verus!
