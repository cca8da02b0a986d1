//! A light goes on and off `n` times, starting dark. Is it on at the end?
//!
//! difficulty: 2
//! function: bounces
//! tests:
//! {"given": {"n": 3}, "good": [true], "bad": [false]}
//! {"given": {"n": 4}, "good": [false], "bad": [true]}
use vstd::prelude::*;

verus! {

pub fn bounces(n: u64) -> (on: bool)
    ensures
        on == (n % 2 == 1),
{
    let mut on = false;
    let mut i: u64 = 0;
    while i < n
        invariant
            i <= n,
            on == (i % 2 == 1),
        decreases n - i,
    {
        on = !on;
        i = i + 1;
    }
    on
}

} // verus!
