//! Move a marker one field toward its goal; on the goal it stays. It never jumps over the goal and
//! never leaves the range of its type.
//!
//! difficulty: 1
//! function: step_toward
//! tests:
//! {"given": {"place": 3, "goal": 9}, "good": [4], "bad": [3, 2, 9]}
//! {"given": {"place": 9, "goal": 9}, "good": [9], "bad": [8, 10]}
//! {"given": {"place": 9, "goal": -1}, "good": [8], "bad": [10]}
use vstd::prelude::*;

verus! {

pub fn step_toward(place: i64, goal: i64) -> (next: i64)
    ensures
        place < goal ==> next == place + 1,
        place > goal ==> next == place - 1,
        place == goal ==> next == place,
{
    if place < goal {
        place + 1
    } else if place > goal {
        place - 1
    } else {
        place
    }
}

} // verus!
