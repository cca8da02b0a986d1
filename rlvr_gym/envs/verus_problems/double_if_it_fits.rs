//! Return twice the number, or None where that is too large for the type. A caller that gets None knows
//! that doubling would have overflowed.
//!
//! difficulty: 1
//! function: double_if_it_fits
//! tests:
//! {"given": {"x": 21}, "good": [{"Some": 42}], "bad": [null, {"Some": 21}]}
//! {"given": {"x": 4294967295}, "good": [null], "bad": [{"Some": 4294967294}]}
use vstd::prelude::*;

verus! {

pub fn double_if_it_fits(x: u32) -> (twice: Option<u32>)
    ensures
        2 * x <= u32::MAX ==> twice == Some((2 * x) as u32),
        2 * x > u32::MAX ==> twice is None,
{
    if x <= u32::MAX / 2 {
        Some(2 * x)
    } else {
        None
    }
}

} // verus!
