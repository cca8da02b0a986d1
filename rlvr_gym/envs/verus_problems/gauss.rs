//! Add the numbers from 1 to n without a loop: twice the sum is n times n + 1, which must be proved.
//!
//! difficulty: 4
//! function: gauss
//! tests:
//! {"given": {"n": 5}, "good": [15], "bad": [10, 25]}
use vstd::prelude::*;

verus! {

pub open spec fn sum_to(n: nat) -> nat
    decreases n,
{
    if n == 0 {
        0
    } else {
        sum_to((n - 1) as nat) + n
    }
}

proof fn sum_is_half_a_product(n: nat)
    ensures
        2 * sum_to(n) == n * (n + 1),
    decreases n,
{
    if n > 0 {
        sum_is_half_a_product((n - 1) as nat);
        assert(n * (n + 1) == (n - 1) * n + 2 * n) by (nonlinear_arith);
    }
}

pub fn gauss(n: u32) -> (sum: u64)
    requires
        n < 60_000,
    ensures
        sum == sum_to(n as nat),
{
    proof {
        sum_is_half_a_product(n as nat);
    }
    assert(n * (n + 1) < 4_000_000_000) by (nonlinear_arith)
        requires
            n < 60_000;
    let product = n as u64 * (n as u64 + 1);
    product / 2
}

} // verus!
