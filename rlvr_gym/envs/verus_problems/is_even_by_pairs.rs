//! Take chairs away in pairs and see whether one is left over. Return whether their number is even,
//! without dividing.
//!
//! difficulty: 2
//! function: is_even_by_pairs
//! tests:
//! {"given": {"chairs": 8}, "good": [true], "bad": [false]}
//! {"given": {"chairs": 7}, "good": [false], "bad": [true]}
use vstd::prelude::*;

verus! {

pub fn is_even_by_pairs(chairs: u64) -> (even: bool)
    ensures
        even == (chairs % 2 == 0),
{
    let mut left = chairs;
    while left > 1
        invariant
            left % 2 == chairs % 2,
        decreases left,
    {
        left = left - 2;
    }
    left == 0
}

} // verus!
