//! Paint every tile of colour `from` in colour `to`; the others keep theirs. Change the list in place
//! and keep its length.
//!
//! difficulty: 3
//! function: repaint
//! tests:
//! {"given": {"tiles": [1, 2, 1], "from": 1, "to": 5}, "good": [{"tiles": [5, 2, 5]}], "bad": [{"tiles": [5, 2, 1]}, {"tiles": [5, 5, 5]}, {"tiles": [1, 2, 1]}]}
use vstd::prelude::*;

verus! {

pub fn repaint(tiles: &mut Vec<u8>, from: u8, to: u8)
    ensures
        final(tiles).len() == old(tiles).len(),
        forall|i: int| 0 <= i < old(tiles).len() && old(tiles)[i] == from ==> final(tiles)[i] == to,
        forall|i: int| 0 <= i < old(tiles).len() && old(tiles)[i] != from ==> final(tiles)[i] == old(tiles)[i],
{
    let mut i: usize = 0;
    while i < tiles.len()
        invariant
            i <= tiles.len(),
            tiles.len() == old(tiles).len(),
            forall|k: int| 0 <= k < i && old(tiles)[k] == from ==> tiles[k] == to,
            forall|k: int| 0 <= k < i && old(tiles)[k] != from ==> tiles[k] == old(tiles)[k],
            forall|k: int| i <= k < tiles.len() ==> tiles[k] == old(tiles)[k],
        decreases tiles.len() - i,
    {
        if tiles[i] == from {
            tiles.set(i, to);
        }
        i = i + 1;
    }
}

} // verus!
