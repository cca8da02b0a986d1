//! Return the first day on which it was as cold as it ever was. There is at least one day, and days are
//! counted from 0.
//!
//! difficulty: 3
//! function: coldest_day
//! tests:
//! {"given": {"days": [4, -2, 0, -2]}, "good": [1], "bad": [3, 0, 2]}
use vstd::prelude::*;

verus! {

pub fn coldest_day(days: &Vec<i16>) -> (day: usize)
    requires
        days.len() > 0,
    ensures
        day < days.len(),
        forall|k: int| 0 <= k < days.len() ==> days[day as int] <= days[k],
        forall|k: int| 0 <= k < day ==> days[day as int] < days[k],
{
    let mut day: usize = 0;
    let mut i: usize = 1;
    while i < days.len()
        invariant
            day < i <= days.len(),
            forall|k: int| 0 <= k < i ==> days[day as int] <= days[k],
            forall|k: int| 0 <= k < day ==> days[day as int] < days[k],
        decreases days.len() - i,
    {
        if days[i] < days[day] {
            day = i;
        }
        i = i + 1;
    }
    day
}

} // verus!
