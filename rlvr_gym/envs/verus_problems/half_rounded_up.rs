//! Half of a number; of an odd number the larger half. It must work for the largest number as well,
//! where adding one first would overflow.
//!
//! difficulty: 1
//! function: half_rounded_up
//! tests:
//! {"given": {"x": 7}, "good": [4], "bad": [3, 7]}
//! {"given": {"x": 18446744073709551615}, "good": [9223372036854775808], "bad": [9223372036854775807]}
use vstd::prelude::*;

verus! {

pub fn half_rounded_up(x: u64) -> (half: u64)
    ensures
        2 * half == x || 2 * half == x + 1,
{
    x / 2 + x % 2
}

} // verus!
