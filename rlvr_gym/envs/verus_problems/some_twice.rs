//! Was any ticket number given out twice? Return true if the same number stands at two different places
//! of the list, and false otherwise.
//!
//! difficulty: 5
//! function: some_twice
//! tests:
//! {"given": {"tickets": [4, 9, 4]}, "good": [true], "bad": [false]}
//! {"given": {"tickets": [4, 9]}, "good": [false], "bad": [true]}
use vstd::prelude::*;

verus! {

pub fn some_twice(tickets: &Vec<u32>) -> (twice: bool)
    ensures
        twice == (exists|i: int, j: int| 0 <= i < j < tickets.len() && tickets[i] == tickets[j]),
{
    let mut i: usize = 0;
    while i < tickets.len()
        invariant
            i <= tickets.len(),
            forall|a: int, b: int| 0 <= a < b < tickets.len() && a < i ==> tickets[a] != tickets[b],
        decreases tickets.len() - i,
    {
        let mut j: usize = i + 1;
        while j < tickets.len()
            invariant
                i < j <= tickets.len(),
                forall|b: int| i < b < j ==> tickets[i as int] != tickets[b],
            decreases tickets.len() - j,
        {
            if tickets[i] == tickets[j] {
                return true;
            }
            j = j + 1;
        }
        i = i + 1;
    }
    false
}

} // verus!
