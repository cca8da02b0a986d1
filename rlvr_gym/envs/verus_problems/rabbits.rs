//! Each month there are as many pairs of rabbits as in the two months before together, beginning with
//! none and then one.
//!
//! difficulty: 4
//! function: rabbits
//! tests:
//! {"given": {"month": 10}, "good": [55], "bad": [34, 89]}
//! {"given": {"month": 0}, "good": [0], "bad": [1]}
use vstd::prelude::*;

verus! {

pub open spec fn pairs(month: nat) -> nat
    decreases month,
{
    if month == 0 {
        0
    } else if month == 1 {
        1
    } else {
        pairs((month - 1) as nat) + pairs((month - 2) as nat)
    }
}

proof fn pairs_grow(a: nat, b: nat)
    requires
        a <= b,
    ensures
        pairs(a) <= pairs(b),
    decreases b,
{
    if a < b {
        if b >= 2 {
            pairs_grow(a, (b - 1) as nat);
        } else {
            assert(pairs(0) == 0);
        }
    }
}

pub fn rabbits(month: u32) -> (n: u64)
    requires
        pairs(month as nat) <= u64::MAX,
    ensures
        n == pairs(month as nat),
{
    if month == 0 {
        return 0;
    }
    let mut before: u64 = 0;
    let mut now: u64 = 1;
    let mut i: u32 = 1;
    while i < month
        invariant
            1 <= i <= month,
            before == pairs((i - 1) as nat),
            now == pairs(i as nat),
            pairs(month as nat) <= u64::MAX,
        decreases month - i,
    {
        i = i + 1;
        proof {
            pairs_grow(i as nat, month as nat);
        }
        let next = before + now;
        before = now;
        now = next;
    }
    now
}

} // verus!
