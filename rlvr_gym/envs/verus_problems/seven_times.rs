//! Multiply by seven with additions of seven alone. The product of the largest 32-bit number still fits
//! the result.
//!
//! difficulty: 2
//! function: seven_times
//! tests:
//! {"given": {"x": 6}, "good": [42], "bad": [36, 49, 7]}
//! {"given": {"x": 0}, "good": [0], "bad": [7]}
use vstd::prelude::*;

verus! {

pub fn seven_times(x: u32) -> (product: u64)
    ensures
        product == 7 * x,
{
    let mut product: u64 = 0;
    let mut i: u32 = 0;
    while i < x
        invariant
            i <= x,
            product == 7 * i,
        decreases x - i,
    {
        product = product + 7;
        i = i + 1;
    }
    product
}

} // verus!
