//! Return what stands behind the first `n` entries of a list. The list has at least `n` entries and is
//! not changed.
//!
//! difficulty: 2
//! function: without_first
//! tests:
//! {"given": {"list": [5, 6, 7], "n": 1}, "good": [[6, 7]], "bad": [[5, 6], [7], [5, 6, 7]]}
//! {"given": {"list": [5], "n": 1}, "good": [[]], "bad": [[5]]}
use vstd::prelude::*;

verus! {

pub fn without_first(list: &Vec<u32>, n: usize) -> (rest: Vec<u32>)
    requires
        n <= list.len(),
    ensures
        rest@ == list@.skip(n as int),
{
    let mut rest: Vec<u32> = Vec::new();
    let mut i: usize = n;
    while i < list.len()
        invariant
            n <= i <= list.len(),
            rest@ == list@.subrange(n as int, i as int),
        decreases list.len() - i,
    {
        rest.push(list[i]);
        i = i + 1;
    }
    rest
}

} // verus!
