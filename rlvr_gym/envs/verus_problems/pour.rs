//! Move marbles one by one from the first jar to the second until the first is empty.
//!
//! difficulty: 2
//! function: pour
//! tests:
//! {"given": {"first": 4, "second": 3}, "good": [{"first": 0, "second": 7}], "bad": [{"first": 4, "second": 3}, {"first": 0, "second": 4}]}
use vstd::prelude::*;

verus! {

pub fn pour(first: &mut u32, second: &mut u32)
    requires
        *old(first) + *old(second) <= u32::MAX,
    ensures
        *final(first) == 0,
        *final(second) == *old(first) + *old(second),
{
    while *first > 0
        invariant
            *first + *second == *old(first) + *old(second),
            *old(first) + *old(second) <= u32::MAX,
        decreases *first,
    {
        *first = *first - 1;
        *second = *second + 1;
    }
}

} // verus!
