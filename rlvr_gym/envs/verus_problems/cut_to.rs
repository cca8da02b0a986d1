//! Shorten a tape from its end until at most `n` cells are left. A tape that is short enough stays as
//! it is.
//!
//! difficulty: 2
//! function: cut_to
//! tests:
//! {"given": {"tape": [4, 5, 6, 7], "n": 2}, "good": [{"tape": [4, 5]}], "bad": [{"tape": [6, 7]}, {"tape": [4]}, {"tape": [4, 5, 6, 7]}]}
//! {"given": {"tape": [4], "n": 2}, "good": [{"tape": [4]}], "bad": [{"tape": []}]}
use vstd::prelude::*;

verus! {

pub fn cut_to(tape: &mut Vec<u8>, n: usize)
    ensures
        old(tape).len() <= n ==> final(tape)@ == old(tape)@,
        old(tape).len() > n ==> final(tape)@ == old(tape)@.take(n as int),
{
    while tape.len() > n
        invariant
            tape.len() <= old(tape).len(),
            tape@ == old(tape)@.take(tape.len() as int),
            old(tape).len() <= n ==> tape.len() == old(tape).len(),
            old(tape).len() > n ==> tape.len() >= n,
        decreases tape.len(),
    {
        let last = tape.pop();
    }
}

} // verus!
