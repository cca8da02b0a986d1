//! A hall has `total` seats, and `taken` were sold. Return how many are left, or None if more were sold
//! than there are.
//!
//! difficulty: 1
//! function: seats_left
//! tests:
//! {"given": {"total": 10, "taken": 4}, "good": [{"Some": 6}], "bad": [null, {"Some": 5}]}
//! {"given": {"total": 3, "taken": 4}, "good": [null], "bad": [{"Some": 0}]}
use vstd::prelude::*;

verus! {

pub fn seats_left(total: u32, taken: u32) -> (left: Option<u32>)
    ensures
        taken <= total ==> left == Some((total - taken) as u32),
        taken > total ==> left is None,
{
    if taken <= total {
        Some(total - taken)
    } else {
        None
    }
}

} // verus!
