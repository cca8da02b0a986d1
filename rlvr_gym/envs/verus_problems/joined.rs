//! Write one queue behind another, leaving both as they are. The result holds first everybody from
//! `front`, then everybody from `back`.
//!
//! difficulty: 2
//! function: joined
//! tests:
//! {"given": {"front": [1, 2], "back": [3]}, "good": [[1, 2, 3]], "bad": [[3, 1, 2], [1, 2], [1, 2, 3, 3]]}
use vstd::prelude::*;

verus! {

pub fn joined(front: &Vec<u64>, back: &Vec<u64>) -> (both: Vec<u64>)
    ensures
        both@ == front@ + back@,
{
    let mut both: Vec<u64> = front.clone();
    let mut i: usize = 0;
    while i < back.len()
        invariant
            i <= back.len(),
            both@ == front@ + back@.take(i as int),
        decreases back.len() - i,
    {
        both.push(back[i]);
        i = i + 1;
    }
    both
}

} // verus!
