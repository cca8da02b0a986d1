//! Two walkers start at `west` and `east` and go toward each other field by field, the western one
//! first. Return where they meet.
//!
//! difficulty: 2
//! function: meeting_point
//! tests:
//! {"given": {"west": 2, "east": 9}, "good": [6], "bad": [5, 2, 9]}
//! {"given": {"west": 2, "east": 8}, "good": [5], "bad": [4, 6]}
use vstd::prelude::*;

verus! {

pub fn meeting_point(west: u32, east: u32) -> (place: u32)
    requires
        west <= east,
    ensures
        place == west + (east - west + 1) / 2,
{
    let mut a = west;
    let mut b = east;
    while a < b
        invariant
            west <= a <= b <= east,
            a - west == east - b,
        decreases b - a,
    {
        a = a + 1;
        if a < b {
            b = b - 1;
        } else {
            return a;
        }
    }
    a
}

} // verus!
