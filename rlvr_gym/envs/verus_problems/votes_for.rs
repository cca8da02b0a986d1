//! Count the votes for one candidate. Return how often that candidate stands on the list of votes.
//!
//! difficulty: 4
//! function: votes_for
//! tests:
//! {"given": {"votes": [1, 2, 1], "candidate": 1}, "good": [2], "bad": [1, 3, 0]}
use vstd::prelude::*;

verus! {

pub open spec fn count(votes: Seq<u8>, candidate: u8) -> nat
    decreases votes.len(),
{
    if votes.len() == 0 {
        0
    } else if votes.last() == candidate {
        count(votes.drop_last(), candidate) + 1
    } else {
        count(votes.drop_last(), candidate)
    }
}

pub fn votes_for(votes: &Vec<u8>, candidate: u8) -> (n: usize)
    ensures
        n == count(votes@, candidate),
{
    let mut n: usize = 0;
    let mut i: usize = 0;
    while i < votes.len()
        invariant
            n <= i <= votes.len(),
            n == count(votes@.take(i as int), candidate),
        decreases votes.len() - i,
    {
        assert(votes@.take(i + 1).drop_last() == votes@.take(i as int));
        if votes[i] == candidate {
            n = n + 1;
        }
        i = i + 1;
    }
    assert(votes@.take(i as int) == votes@);
    n
}

} // verus!
