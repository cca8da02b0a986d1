//! Of three judges' marks the middle one counts: at least two marks are not above it, and at least two
//! are not below it.
//!
//! difficulty: 1
//! function: middle_of_three
//! tests:
//! {"given": {"a": 3, "b": 9, "c": 5}, "good": [5], "bad": [3, 9, 4]}
//! {"given": {"a": 7, "b": 7, "c": 1}, "good": [7], "bad": [1]}
use vstd::prelude::*;

verus! {

pub fn middle_of_three(a: i64, b: i64, c: i64) -> (mark: i64)
    ensures
        mark == a || mark == b || mark == c,
        (a <= mark && b <= mark) || (a <= mark && c <= mark) || (b <= mark && c <= mark),
        (a >= mark && b >= mark) || (a >= mark && c >= mark) || (b >= mark && c >= mark),
{
    if (a <= b && b <= c) || (c <= b && b <= a) {
        b
    } else if (b <= a && a <= c) || (c <= a && a <= b) {
        a
    } else {
        c
    }
}

} // verus!
