//! One grain on the first field, two on the second, and twice as many on each that follows: how many on
//! field `n`, counted from 0?
//!
//! difficulty: 4
//! function: doublings
//! tests:
//! {"given": {"n": 5}, "good": [32], "bad": [16, 64, 10]}
//! {"given": {"n": 0}, "good": [1], "bad": [0, 2]}
use vstd::prelude::*;

verus! {

pub open spec fn grains(n: nat) -> nat
    decreases n,
{
    if n == 0 {
        1
    } else {
        2 * grains((n - 1) as nat)
    }
}

proof fn grains_grow(a: nat, b: nat)
    requires
        a <= b,
    ensures
        grains(a) <= grains(b),
    decreases b,
{
    if a < b {
        grains_grow(a, (b - 1) as nat);
    }
}

pub fn doublings(n: u32) -> (g: u64)
    requires
        grains(n as nat) <= u64::MAX,
    ensures
        g == grains(n as nat),
{
    let mut g: u64 = 1;
    let mut i: u32 = 0;
    while i < n
        invariant
            i <= n,
            g == grains(i as nat),
            grains(n as nat) <= u64::MAX,
        decreases n - i,
    {
        proof {
            grains_grow((i + 1) as nat, n as nat);
        }
        g = 2 * g;
        i = i + 1;
    }
    g
}

} // verus!
