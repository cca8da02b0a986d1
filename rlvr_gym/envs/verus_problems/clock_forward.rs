//! Set a 24-hour clock forward by less than an hour. Both numbers must stay in range, and the time of
//! day must be right.
//!
//! difficulty: 1
//! function: clock_forward
//! tests:
//! {"given": {"hour": 23, "minute": 50, "by": 15}, "good": [[0, 5]], "bad": [[24, 5], [23, 5], [0, 6]]}
//! {"given": {"hour": 7, "minute": 10, "by": 9}, "good": [[7, 19]], "bad": [[8, 19]]}
use vstd::prelude::*;

verus! {

pub fn clock_forward(hour: u16, minute: u16, by: u16) -> (time: (u16, u16))
    requires
        hour < 24,
        minute < 60,
        by < 60,
    ensures
        time.0 < 24,
        time.1 < 60,
        time.0 * 60 + time.1 == (hour * 60 + minute + by) % 1440,
{
    let sum = minute + by;
    if sum < 60 {
        (hour, sum)
    } else if hour == 23 {
        (0, sum - 60)
    } else {
        (hour + 1, sum - 60)
    }
}

} // verus!
