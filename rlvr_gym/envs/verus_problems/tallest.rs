//! Return the height of the tallest tree in a row that is not empty. The height must be that of some
//! tree in the row, and no tree is taller.
//!
//! difficulty: 3
//! function: tallest
//! tests:
//! {"given": {"row": [3, 9, 4]}, "good": [9], "bad": [3, 4, 10]}
//! {"given": {"row": [-5]}, "good": [-5], "bad": [0]}
use vstd::prelude::*;

verus! {

pub fn tallest(row: &Vec<i64>) -> (height: i64)
    requires
        row.len() > 0,
    ensures
        forall|i: int| 0 <= i < row.len() ==> row[i] <= height,
        exists|i: int| 0 <= i < row.len() && row[i] == height,
{
    let mut height = row[0];
    let mut i: usize = 1;
    while i < row.len()
        invariant
            1 <= i <= row.len(),
            forall|k: int| 0 <= k < i ==> row[k] <= height,
            exists|k: int| 0 <= k < i && row[k] == height,
        decreases row.len() - i,
    {
        if row[i] > height {
            height = row[i];
        }
        i = i + 1;
    }
    height
}

} // verus!
