//! Climbing costs two coins a step and three for every landing, which each step ends in. Return the
//! cost of `steps` steps.
//!
//! difficulty: 2
//! function: stairs_and_cost
//! tests:
//! {"given": {"steps": 4}, "good": [20], "bad": [8, 12, 4]}
use vstd::prelude::*;

verus! {

pub fn stairs_and_cost(steps: u32) -> (cost: u64)
    ensures
        cost == 5 * steps,
{
    let mut cost: u64 = 0;
    for i in 0..steps
        invariant
            cost == 5 * i,
    {
        cost = cost + 2;
        cost = cost + 3;
    }
    cost
}

} // verus!
