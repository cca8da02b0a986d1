//! Follow Euclid: as long as the second number is not zero, replace the pair by the second and the
//! remainder.
//!
//! difficulty: 4
//! function: greatest_common_divisor
//! tests:
//! {"given": {"a": 12, "b": 18}, "good": [6], "bad": [3, 12, 36]}
//! {"given": {"a": 5, "b": 0}, "good": [5], "bad": [0]}
use vstd::prelude::*;

verus! {

pub open spec fn euclid(a: nat, b: nat) -> nat
    decreases b,
{
    if b == 0 {
        a
    } else {
        euclid(b, a % b)
    }
}

pub fn greatest_common_divisor(a: u64, b: u64) -> (d: u64)
    ensures
        d == euclid(a as nat, b as nat),
{
    let mut x = a;
    let mut y = b;
    while y != 0
        invariant
            euclid(x as nat, y as nat) == euclid(a as nat, b as nat),
        decreases y,
    {
        let rest = x % y;
        x = y;
        y = rest;
    }
    x
}

} // verus!
