//! Multiply `base` with itself `n` times, or return None as soon as that leaves the type.
//!
//! difficulty: 5
//! function: power_by_products
//! tests:
//! {"given": {"base": 3, "n": 4}, "good": [{"Some": 81}], "bad": [{"Some": 12}, {"Some": 27}, null]}
//! {"given": {"base": 5, "n": 0}, "good": [{"Some": 1}], "bad": [{"Some": 0}, {"Some": 5}]}
use vstd::prelude::*;

verus! {

pub open spec fn power(base: nat, n: nat) -> nat
    decreases n,
{
    if n == 0 {
        1
    } else {
        base * power(base, (n - 1) as nat)
    }
}

pub open spec fn fits_all_the_way(base: nat, n: nat) -> bool {
    forall|k: nat| k <= n ==> power(base, k) <= u64::MAX
}

pub fn power_by_products(base: u64, n: u32) -> (result: Option<u64>)
    ensures
        result matches Some(x) ==> x == power(base as nat, n as nat),
        result is None ==> !fits_all_the_way(base as nat, n as nat),
{
    let mut x: u64 = 1;
    let mut i: u32 = 0;
    while i < n
        invariant
            i <= n,
            x == power(base as nat, i as nat),
        decreases n - i,
    {
        assert(power(base as nat, (i + 1) as nat) == base * x);
        match base.checked_mul(x) {
            Some(product) => {
                x = product;
            },
            None => {
                return None;
            },
        }
        i = i + 1;
    }
    Some(x)
}

} // verus!
