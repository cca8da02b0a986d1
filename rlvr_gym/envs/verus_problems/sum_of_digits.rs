//! Add up the decimal digits of a number. The number zero has the sum zero.
//!
//! difficulty: 4
//! function: sum_of_digits
//! tests:
//! {"given": {"n": 907}, "good": [16], "bad": [9, 97, 7]}
//! {"given": {"n": 0}, "good": [0], "bad": [1]}
use vstd::prelude::*;

verus! {

pub open spec fn digit_sum(n: nat) -> nat
    decreases n,
{
    if n == 0 {
        0
    } else {
        digit_sum(n / 10) + n % 10
    }
}

pub fn sum_of_digits(n: u32) -> (sum: u32)
    ensures
        sum == digit_sum(n as nat),
{
    let mut sum: u32 = 0;
    let mut left: u32 = n;
    while left > 0
        invariant
            sum + digit_sum(left as nat) == digit_sum(n as nat),
            sum + left <= n,
        decreases left,
    {
        sum = sum + left % 10;
        left = left / 10;
    }
    sum
}

} // verus!
