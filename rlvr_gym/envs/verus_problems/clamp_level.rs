//! A dial shows only levels between `low` and `high`. Return `x` if it lies there, otherwise the nearer
//! end.
//!
//! difficulty: 1
//! function: clamp_level
//! tests:
//! {"given": {"x": 5, "low": 0, "high": 9}, "good": [5], "bad": [0, 9, 6]}
//! {"given": {"x": -3, "low": 0, "high": 9}, "good": [0], "bad": [-3, 9]}
//! {"given": {"x": 12, "low": 0, "high": 9}, "good": [9], "bad": [12, 0]}
use vstd::prelude::*;

verus! {

pub fn clamp_level(x: i32, low: i32, high: i32) -> (level: i32)
    requires
        low <= high,
    ensures
        low <= level <= high,
        low <= x <= high ==> level == x,
        x < low ==> level == low,
        x > high ==> level == high,
{
    if x < low {
        low
    } else if x > high {
        high
    } else {
        x
    }
}

} // verus!
