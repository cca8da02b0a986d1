//! How often can a rope be halved, dropping odd centimetres, until less than two are left?
//!
//! difficulty: 4
//! function: halvings
//! tests:
//! {"given": {"length": 9}, "good": [3], "bad": [4, 2]}
//! {"given": {"length": 1}, "good": [0], "bad": [1]}
use vstd::prelude::*;

verus! {

pub open spec fn cuts(length: nat) -> nat
    decreases length,
{
    if length < 2 {
        0
    } else {
        cuts(length / 2) + 1
    }
}

pub fn halvings(length: u64) -> (n: u64)
    ensures
        n == cuts(length as nat),
{
    let mut n: u64 = 0;
    let mut left: u64 = length;
    while left >= 2
        invariant
            n + cuts(left as nat) == cuts(length as nat),
            n + left <= length || n == 0 && left == length,
        decreases left,
    {
        left = left / 2;
        n = n + 1;
    }
    n
}

} // verus!
