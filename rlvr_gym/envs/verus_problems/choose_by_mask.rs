//! Take each answer from the first list where the mask says so, otherwise from the second.
//!
//! difficulty: 3
//! function: choose_by_mask
//! tests:
//! {"given": {"mask": [true, false], "yes": [1, 2], "no": [8, 9]}, "good": [[1, 9]], "bad": [[8, 2], [1, 2], [1]]}
use vstd::prelude::*;

verus! {

pub fn choose_by_mask(mask: &Vec<bool>, yes: &Vec<i32>, no: &Vec<i32>) -> (chosen: Vec<i32>)
    requires
        mask.len() == yes.len(),
        mask.len() == no.len(),
    ensures
        chosen.len() == mask.len(),
        forall|i: int| 0 <= i < mask.len() ==> chosen[i] == (if mask[i] { yes[i] } else { no[i] }),
{
    let mut chosen: Vec<i32> = Vec::new();
    let mut i: usize = 0;
    while i < mask.len()
        invariant
            i <= mask.len(),
            mask.len() == yes.len(),
            mask.len() == no.len(),
            chosen.len() == i,
            forall|k: int| 0 <= k < i ==> chosen[k] == (if mask[k] { yes[k] } else { no[k] }),
        decreases mask.len() - i,
    {
        if mask[i] {
            chosen.push(yes[i]);
        } else {
            chosen.push(no[i]);
        }
        i = i + 1;
    }
    chosen
}

} // verus!
