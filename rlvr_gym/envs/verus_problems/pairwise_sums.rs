//! Add two columns of small numbers row by row. Both columns have the same number of rows, and the sums
//! need a wider type than the numbers.
//!
//! difficulty: 3
//! function: pairwise_sums
//! tests:
//! {"given": {"left": [1, 2], "right": [10, 20]}, "good": [[11, 22]], "bad": [[11], [22, 11], [1, 2]]}
use vstd::prelude::*;

verus! {

pub fn pairwise_sums(left: &Vec<u16>, right: &Vec<u16>) -> (sums: Vec<u32>)
    requires
        left.len() == right.len(),
    ensures
        sums.len() == left.len(),
        forall|i: int| 0 <= i < left.len() ==> sums[i] == left[i] + right[i],
{
    let mut sums: Vec<u32> = Vec::new();
    let mut i: usize = 0;
    while i < left.len()
        invariant
            i <= left.len(),
            left.len() == right.len(),
            sums.len() == i,
            forall|k: int| 0 <= k < i ==> sums[k] == left[k] + right[k],
        decreases left.len() - i,
    {
        sums.push(left[i] as u32 + right[i] as u32);
        i = i + 1;
    }
    sums
}

} // verus!
