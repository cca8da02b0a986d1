//! Find two different places whose weights add up to `goal`, or None if there are none.
//!
//! difficulty: 5
//! function: pair_with_sum
//! tests:
//! {"given": {"weights": [1, 5, 7], "goal": 12}, "good": [{"Some": [1, 2]}], "bad": [null, {"Some": [0, 2]}, {"Some": [2, 1]}]}
//! {"given": {"weights": [1, 5], "goal": 2}, "good": [null], "bad": [{"Some": [0, 0]}]}
use vstd::prelude::*;

verus! {

pub fn pair_with_sum(weights: &Vec<u32>, goal: u64) -> (pair: Option<(usize, usize)>)
    ensures
        pair matches Some(p) ==> p.0 < p.1 < weights.len() && weights[p.0 as int] + weights[p.1 as int] == goal,
        pair is None ==> forall|i: int, j: int| 0 <= i < j < weights.len() ==> weights[i] + weights[j] != goal,
{
    let mut i: usize = 0;
    while i < weights.len()
        invariant
            i <= weights.len(),
            forall|a: int, b: int| 0 <= a < b < weights.len() && a < i ==> weights[a] + weights[b] != goal,
        decreases weights.len() - i,
    {
        let mut j: usize = i + 1;
        while j < weights.len()
            invariant
                i < j <= weights.len(),
                forall|b: int| i < b < j ==> weights[i as int] + weights[b] != goal,
            decreases weights.len() - j,
        {
            if weights[i] as u64 + weights[j] as u64 == goal {
                return Some((i, j));
            }
            j = j + 1;
        }
        i = i + 1;
    }
    None
}

} // verus!
