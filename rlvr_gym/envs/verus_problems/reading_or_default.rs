//! A sensor gives a reading or nothing. Return the reading if it is at most 100, otherwise the default.
//!
//! difficulty: 1
//! function: reading_or_default
//! tests:
//! {"given": {"reading": {"Some": 55}, "default": 9}, "good": [55], "bad": [9, 0]}
//! {"given": {"reading": {"Some": 101}, "default": 9}, "good": [9], "bad": [101]}
//! {"given": {"reading": null, "default": 9}, "good": [9], "bad": [0]}
use vstd::prelude::*;

verus! {

pub fn reading_or_default(reading: Option<u8>, default: u8) -> (value: u8)
    ensures
        (reading matches Some(x) && x <= 100) ==> reading == Some(value),
        !(reading matches Some(x) && x <= 100) ==> value == default,
{
    match reading {
        Some(x) => if x <= 100 { x } else { default },
        None => default,
    }
}

} // verus!
