//! Return the last index at which `wanted` stands, or the length of the list if it is nowhere.
//!
//! difficulty: 3
//! function: last_place
//! tests:
//! {"given": {"v": [7, 7, 4], "wanted": 7}, "good": [1], "bad": [0, 2, 3]}
//! {"given": {"v": [4], "wanted": 7}, "good": [1], "bad": [0]}
use vstd::prelude::*;

verus! {

pub fn last_place(v: &Vec<i32>, wanted: i32) -> (place: usize)
    ensures
        place <= v.len(),
        place < v.len() ==> v[place as int] == wanted,
        place < v.len() ==> forall|k: int| place < k < v.len() ==> v[k] != wanted,
        place == v.len() ==> forall|k: int| 0 <= k < v.len() ==> v[k] != wanted,
{
    let mut i: usize = v.len();
    while i > 0
        invariant
            i <= v.len(),
            forall|k: int| i <= k < v.len() ==> v[k] != wanted,
        decreases i,
    {
        i = i - 1;
        if v[i] == wanted {
            return i;
        }
    }
    v.len()
}

} // verus!
