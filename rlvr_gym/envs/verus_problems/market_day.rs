//! There is a market on every seventh day, except on days that are multiples of 28, when the square is
//! cleaned.
//!
//! difficulty: 1
//! function: market_day
//! tests:
//! {"given": {"day": 14}, "good": [true], "bad": [false]}
//! {"given": {"day": 28}, "good": [false], "bad": [true]}
//! {"given": {"day": 15}, "good": [false], "bad": [true]}
use vstd::prelude::*;

verus! {

pub fn market_day(day: u32) -> (open: bool)
    ensures
        open == (day % 7 == 0 && day % 28 != 0),
{
    day % 7 == 0 && day % 28 != 0
}

} // verus!
