//! Do all screws fit, which have between `low` and `high` tenths of a millimetre? Both bounds count as
//! fitting, and an empty box fits.
//!
//! difficulty: 3
//! function: all_within
//! tests:
//! {"given": {"screws": [5, 6, 7], "low": 5, "high": 7}, "good": [true], "bad": [false]}
//! {"given": {"screws": [5, 8, 7], "low": 5, "high": 7}, "good": [false], "bad": [true]}
use vstd::prelude::*;

verus! {

pub fn all_within(screws: &Vec<u32>, low: u32, high: u32) -> (fit: bool)
    ensures
        fit == (forall|i: int| 0 <= i < screws.len() ==> low <= #[trigger] screws[i] <= high),
{
    let mut fit = true;
    let mut i: usize = 0;
    while i < screws.len()
        invariant
            i <= screws.len(),
            fit == (forall|k: int| 0 <= k < i ==> low <= #[trigger] screws[k] <= high),
        decreases screws.len() - i,
    {
        if screws[i] < low || screws[i] > high {
            fit = false;
        }
        i = i + 1;
    }
    fit
}

} // verus!
