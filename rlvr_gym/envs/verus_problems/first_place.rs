//! Return the first index at which `wanted` stands, or None if it is nowhere. Indices are counted from
//! 0.
//!
//! difficulty: 3
//! function: first_place
//! tests:
//! {"given": {"v": [4, 7, 7], "wanted": 7}, "good": [{"Some": 1}], "bad": [{"Some": 2}, null, {"Some": 0}]}
//! {"given": {"v": [4], "wanted": 7}, "good": [null], "bad": [{"Some": 0}, {"Some": 1}]}
use vstd::prelude::*;

verus! {

pub fn first_place(v: &Vec<u32>, wanted: u32) -> (place: Option<usize>)
    ensures
        place matches Some(i) ==> i < v.len() && v[i as int] == wanted,
        place matches Some(i) ==> forall|k: int| 0 <= k < i ==> v[k] != wanted,
        place is None ==> forall|k: int| 0 <= k < v.len() ==> v[k] != wanted,
{
    let mut i: usize = 0;
    while i < v.len()
        invariant
            i <= v.len(),
            forall|k: int| 0 <= k < i ==> v[k] != wanted,
        decreases v.len() - i,
    {
        if v[i] == wanted {
            return Some(i);
        }
        i = i + 1;
    }
    None
}

} // verus!
