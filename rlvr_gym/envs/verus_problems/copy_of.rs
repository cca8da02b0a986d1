//! Return a new vector with the same bytes in the same order. The original stays as it is.
//!
//! difficulty: 2
//! function: copy_of
//! tests:
//! {"given": {"v": [3, 1, 2]}, "good": [[3, 1, 2]], "bad": [[1, 2, 3], [3, 1], []]}
//! {"given": {"v": []}, "good": [[]], "bad": [[0]]}
use vstd::prelude::*;

verus! {

pub fn copy_of(v: &Vec<u8>) -> (copy: Vec<u8>)
    ensures
        copy@ == v@,
{
    let mut copy: Vec<u8> = Vec::new();
    let mut i: usize = 0;
    while i < v.len()
        invariant
            i <= v.len(),
            copy@ == v@.take(i as int),
        decreases v.len() - i,
    {
        copy.push(v[i]);
        i = i + 1;
    }
    copy
}

} // verus!
