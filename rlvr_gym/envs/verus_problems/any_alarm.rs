//! Does any reading lie above the limit? Return true if so and false otherwise; without readings there
//! is no alarm.
//!
//! difficulty: 3
//! function: any_alarm
//! tests:
//! {"given": {"readings": [3, 9, 2], "limit": 8}, "good": [true], "bad": [false]}
//! {"given": {"readings": [3, 8, 2], "limit": 8}, "good": [false], "bad": [true]}
use vstd::prelude::*;

verus! {

pub fn any_alarm(readings: &[u16], limit: u16) -> (alarm: bool)
    ensures
        alarm == (exists|i: int| 0 <= i < readings.len() && readings[i] > limit),
{
    let mut i: usize = 0;
    while i < readings.len()
        invariant
            i <= readings.len(),
            forall|k: int| 0 <= k < i ==> readings[k] <= limit,
        decreases readings.len() - i,
    {
        if readings[i] > limit {
            return true;
        }
        i = i + 1;
    }
    false
}

} // verus!
