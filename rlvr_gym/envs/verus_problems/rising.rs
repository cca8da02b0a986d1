//! Does the path go up with every step? Each height must be above the one before; a path of one point
//! or none does go up.
//!
//! difficulty: 3
//! function: rising
//! tests:
//! {"given": {"path": [1, 4, 9]}, "good": [true], "bad": [false]}
//! {"given": {"path": [1, 4, 4]}, "good": [false], "bad": [true]}
//! {"given": {"path": []}, "good": [true], "bad": [false]}
use vstd::prelude::*;

verus! {

pub fn rising(path: &Vec<i32>) -> (up: bool)
    ensures
        up == (forall|i: int| 0 < i < path.len() ==> path[i - 1] < #[trigger] path[i]),
{
    let mut i: usize = 1;
    while i < path.len()
        invariant
            1 <= i,
            forall|k: int| 0 < k < i && k < path.len() ==> path[k - 1] < #[trigger] path[k],
        decreases path.len() - i,
    {
        if path[i - 1] >= path[i] {
            assert(!(path[i as int - 1] < path[i as int]));
            return false;
        }
        i = i + 1;
    }
    true
}

} // verus!
