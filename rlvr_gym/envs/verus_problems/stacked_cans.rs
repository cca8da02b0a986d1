//! A pyramid of cans has 1 can in its top row, 2 in the next and so on. How many cans have `rows` rows?
//!
//! difficulty: 4
//! function: stacked_cans
//! tests:
//! {"given": {"rows": 4}, "good": [10], "bad": [6, 4, 15]}
//! {"given": {"rows": 0}, "good": [0], "bad": [1]}
use vstd::prelude::*;

verus! {

pub open spec fn cans(rows: nat) -> nat
    decreases rows,
{
    if rows == 0 {
        0
    } else {
        cans((rows - 1) as nat) + rows
    }
}

pub fn stacked_cans(rows: u32) -> (n: u64)
    requires
        rows <= 100_000,
    ensures
        n == cans(rows as nat),
{
    let mut n: u64 = 0;
    let mut i: u32 = 0;
    while i < rows
        invariant
            i <= rows <= 100_000,
            n == cans(i as nat),
            n <= i * 100_000,
        decreases rows - i,
    {
        i = i + 1;
        n = n + i as u64;
    }
    n
}

} // verus!
