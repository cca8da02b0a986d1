//! Which day of the week, counted from 0, is day number `n`? Find out by leaving out whole weeks.
//!
//! difficulty: 2
//! function: day_of_week
//! tests:
//! {"given": {"n": 16}, "good": [2], "bad": [0, 9, 16]}
//! {"given": {"n": 6}, "good": [6], "bad": [0]}
use vstd::prelude::*;

verus! {

pub fn day_of_week(n: u32) -> (day: u32)
    ensures
        day == n % 7,
{
    let mut day = n;
    while day >= 7
        invariant
            day % 7 == n % 7,
        decreases day,
    {
        day = day - 7;
    }
    day
}

} // verus!
