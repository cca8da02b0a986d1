//! Number `n` houses on the even side of a street: 0, 2, 4 and so on.
//!
//! difficulty: 3
//! function: even_numbers
//! tests:
//! {"given": {"n": 3}, "good": [[0, 2, 4]], "bad": [[2, 4, 6], [0, 2], [0, 1, 2]]}
//! {"given": {"n": 0}, "good": [[]], "bad": [[0]]}
use vstd::prelude::*;

verus! {

pub fn even_numbers(n: u32) -> (houses: Vec<u64>)
    ensures
        houses.len() == n,
        forall|i: int| 0 <= i < n ==> houses[i] == 2 * i,
{
    let mut houses: Vec<u64> = Vec::new();
    let mut i: u32 = 0;
    while i < n
        invariant
            i <= n,
            houses.len() == i,
            forall|k: int| 0 <= k < i ==> houses[k] == 2 * k,
        decreases n - i,
    {
        houses.push(2 * (i as u64));
        i = i + 1;
    }
    houses
}

} // verus!
