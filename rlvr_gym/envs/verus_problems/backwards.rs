//! Return the cars of a train in the opposite order. The last car becomes the first, and no car is
//! lost.
//!
//! difficulty: 3
//! function: backwards
//! tests:
//! {"given": {"train": [1, 2, 3]}, "good": [[3, 2, 1]], "bad": [[1, 2, 3], [3, 2], [2, 3, 1]]}
use vstd::prelude::*;

verus! {

pub fn backwards(train: &Vec<u32>) -> (turned: Vec<u32>)
    ensures
        turned.len() == train.len(),
        forall|i: int| 0 <= i < train.len() ==> turned[i] == train[train.len() - 1 - i],
{
    let mut turned: Vec<u32> = Vec::new();
    let mut i: usize = 0;
    while i < train.len()
        invariant
            i <= train.len(),
            turned.len() == i,
            forall|k: int| 0 <= k < i ==> turned[k] == train[train.len() - 1 - k],
        decreases train.len() - i,
    {
        turned.push(train[train.len() - 1 - i]);
        i = i + 1;
    }
    turned
}

} // verus!
