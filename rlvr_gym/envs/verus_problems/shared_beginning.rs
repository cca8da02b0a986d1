//! How many letters do two words share at their beginning? Stop at the first place where they differ or
//! where one of them ends.
//!
//! difficulty: 3
//! function: shared_beginning
//! tests:
//! {"given": {"a": [7, 8, 9], "b": [7, 8, 1]}, "good": [2], "bad": [0, 1, 3]}
//! {"given": {"a": [7], "b": [7, 8]}, "good": [1], "bad": [2, 0]}
use vstd::prelude::*;

verus! {

pub fn shared_beginning(a: &Vec<u8>, b: &Vec<u8>) -> (n: usize)
    ensures
        n <= a.len(),
        n <= b.len(),
        forall|i: int| 0 <= i < n ==> a[i] == b[i],
        n < a.len() && n < b.len() ==> a[n as int] != b[n as int],
{
    let mut n: usize = 0;
    while n < a.len() && n < b.len() && a[n] == b[n]
        invariant
            n <= a.len(),
            n <= b.len(),
            forall|i: int| 0 <= i < n ==> a[i] == b[i],
        decreases a.len() - n,
    {
        n = n + 1;
    }
    n
}

} // verus!
