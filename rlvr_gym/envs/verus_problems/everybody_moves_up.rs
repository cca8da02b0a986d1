//! In a round dance everybody takes the place of the next, and the first goes to the end.
//!
//! difficulty: 3
//! function: everybody_moves_up
//! tests:
//! {"given": {"dancers": [1, 2, 3]}, "good": [[2, 3, 1]], "bad": [[3, 1, 2], [1, 2, 3], [2, 3]]}
use vstd::prelude::*;

verus! {

pub fn everybody_moves_up(dancers: &Vec<u64>) -> (moved: Vec<u64>)
    requires
        dancers.len() > 0,
    ensures
        moved.len() == dancers.len(),
        forall|i: int| 0 <= i < dancers.len() - 1 ==> moved[i] == dancers[i + 1],
        moved[dancers.len() - 1] == dancers[0],
{
    let mut moved: Vec<u64> = Vec::new();
    let mut i: usize = 1;
    while i < dancers.len()
        invariant
            1 <= i <= dancers.len(),
            moved.len() == i - 1,
            forall|k: int| 0 <= k < i - 1 ==> moved[k] == dancers[k + 1],
        decreases dancers.len() - i,
    {
        moved.push(dancers[i]);
        i = i + 1;
    }
    moved.push(dancers[0]);
    moved
}

} // verus!
