//! How many wins in a row stand at the end of the season? The last match counts, then the one before
//! it, and so on until one that was not won.
//!
//! difficulty: 4
//! function: streak_at_the_end
//! tests:
//! {"given": {"wins": [true, false, true, true]}, "good": [2], "bad": [3, 1]}
//! {"given": {"wins": [true, false]}, "good": [0], "bad": [1]}
use vstd::prelude::*;

verus! {

pub open spec fn streak(wins: Seq<bool>) -> nat
    decreases wins.len(),
{
    if wins.len() == 0 || !wins.last() {
        0
    } else {
        streak(wins.drop_last()) + 1
    }
}

pub fn streak_at_the_end(wins: &Vec<bool>) -> (n: usize)
    ensures
        n == streak(wins@),
{
    let mut n: usize = 0;
    let mut i: usize = 0;
    while i < wins.len()
        invariant
            n <= i <= wins.len(),
            n == streak(wins@.take(i as int)),
        decreases wins.len() - i,
    {
        assert(wins@.take(i + 1).drop_last() == wins@.take(i as int));
        if wins[i] {
            n = n + 1;
        } else {
            n = 0;
        }
        i = i + 1;
    }
    assert(wins@.take(i as int) == wins@);
    n
}

} // verus!
