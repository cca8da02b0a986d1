//! A shelf is sorted by year. Return where a book of the given year belongs: everything before is
//! older, nothing behind is.
//!
//! difficulty: 3
//! function: where_it_belongs
//! tests:
//! {"given": {"shelf": [1900, 1950, 1950, 2000], "year": 1950}, "good": [1], "bad": [0, 2, 3]}
//! {"given": {"shelf": [1900], "year": 1950}, "good": [1], "bad": [0]}
use vstd::prelude::*;

verus! {

pub fn where_it_belongs(shelf: &Vec<u32>, year: u32) -> (place: usize)
    requires
        forall|i: int, j: int| 0 <= i <= j < shelf.len() ==> shelf[i] <= shelf[j],
    ensures
        place <= shelf.len(),
        forall|i: int| 0 <= i < place ==> shelf[i] < year,
        forall|i: int| place <= i < shelf.len() ==> shelf[i] >= year,
{
    let mut low: usize = 0;
    let mut high: usize = shelf.len();
    while low < high
        invariant
            low <= high <= shelf.len(),
            forall|i: int, j: int| 0 <= i <= j < shelf.len() ==> shelf[i] <= shelf[j],
            forall|i: int| 0 <= i < low ==> shelf[i] < year,
            forall|i: int| high <= i < shelf.len() ==> shelf[i] >= year,
        decreases high - low,
    {
        let middle = low + (high - low) / 2;
        if shelf[middle] < year {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    low
}

} // verus!
