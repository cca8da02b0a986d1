//! Everybody grows a year older. Nobody is older than 120 before. Change the list in place; its length
//! and the order of the people stay.
//!
//! difficulty: 3
//! function: a_year_older
//! tests:
//! {"given": {"ages": [0, 41]}, "good": [{"ages": [1, 42]}], "bad": [{"ages": [0, 41]}, {"ages": [1, 41]}, {"ages": [1]}]}
use vstd::prelude::*;

verus! {

pub fn a_year_older(ages: &mut Vec<u8>)
    requires
        forall|i: int| 0 <= i < old(ages).len() ==> old(ages)[i] <= 120,
    ensures
        final(ages).len() == old(ages).len(),
        forall|i: int| 0 <= i < old(ages).len() ==> final(ages)[i] == old(ages)[i] + 1,
{
    let mut i: usize = 0;
    while i < ages.len()
        invariant
            i <= ages.len(),
            ages.len() == old(ages).len(),
            forall|k: int| 0 <= k < old(ages).len() ==> old(ages)[k] <= 120,
            forall|k: int| 0 <= k < i ==> ages[k] == old(ages)[k] + 1,
            forall|k: int| i <= k < ages.len() ==> ages[k] == old(ages)[k],
        decreases ages.len() - i,
    {
        let age = ages[i];
        ages.set(i, age + 1);
        i = i + 1;
    }
}

} // verus!
