//! Return by how much each stage of a tour rises or falls: one number fewer than there are heights.
//!
//! difficulty: 3
//! function: climbs
//! tests:
//! {"given": {"heights": [3, 7, 5]}, "good": [[4, -2]], "bad": [[-4, 2], [3, 4, -2], [4]]}
use vstd::prelude::*;

verus! {

pub fn climbs(heights: &Vec<u16>) -> (stages: Vec<i32>)
    requires
        heights.len() > 0,
    ensures
        stages.len() == heights.len() - 1,
        forall|i: int| 0 <= i < stages.len() ==> stages[i] == heights[i + 1] - heights[i],
{
    let mut stages: Vec<i32> = Vec::new();
    let mut i: usize = 0;
    while i < heights.len() - 1
        invariant
            heights.len() > 0,
            i <= heights.len() - 1,
            stages.len() == i,
            forall|k: int| 0 <= k < i ==> stages[k] == heights[k + 1] - heights[k],
        decreases heights.len() - i,
    {
        stages.push(heights[i + 1] as i32 - heights[i] as i32);
        i = i + 1;
    }
    stages
}

} // verus!
