//! Return the first `n` readings of a log that has at least so many. Their order stays, and the log
//! itself is not changed.
//!
//! difficulty: 2
//! function: first_part
//! tests:
//! {"given": {"log": [5, 6, 7], "n": 2}, "good": [[5, 6]], "bad": [[5], [6, 7], [5, 6, 7]]}
use vstd::prelude::*;

verus! {

pub fn first_part(log: &Vec<i32>, n: usize) -> (part: Vec<i32>)
    requires
        n <= log.len(),
    ensures
        part@ == log@.take(n as int),
{
    let mut part: Vec<i32> = Vec::new();
    let mut i: usize = 0;
    while i < n
        invariant
            i <= n,
            n <= log.len(),
            part@ == log@.take(i as int),
        decreases n - i,
    {
        part.push(log[i]);
        i = i + 1;
    }
    part
}

} // verus!
