//! Can a number of bricks, at least two, only be laid out as a single row? Try all widths.
//!
//! difficulty: 5
//! function: is_prime_by_trial
//! tests:
//! {"given": {"n": 13}, "good": [true], "bad": [false]}
//! {"given": {"n": 9}, "good": [false], "bad": [true]}
//! {"given": {"n": 2}, "good": [true], "bad": [false]}
use vstd::prelude::*;

verus! {

pub open spec fn fits(n: int, width: int) -> bool {
    n % width == 0
}

pub fn is_prime_by_trial(n: u32) -> (prime: bool)
    requires
        n >= 2,
    ensures
        prime == (forall|width: int| 2 <= width < n ==> !fits(n as int, width)),
{
    let mut width: u32 = 2;
    while width < n
        invariant
            2 <= width <= n,
            forall|w: int| 2 <= w < width ==> !fits(n as int, w),
        decreases n - width,
    {
        if n % width == 0 {
            assert(fits(n as int, width as int));
            return false;
        }
        width = width + 1;
    }
    true
}

} // verus!
