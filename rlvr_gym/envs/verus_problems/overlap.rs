//! Two shifts last from `a` to `b` and from `c` to `d`. For how long are both at work?
//!
//! difficulty: 1
//! function: overlap
//! tests:
//! {"given": {"a": 1, "b": 5, "c": 3, "d": 9}, "good": [2], "bad": [0, 4]}
//! {"given": {"a": 1, "b": 3, "c": 3, "d": 9}, "good": [0], "bad": [1]}
//! {"given": {"a": 1, "b": 9, "c": 3, "d": 5}, "good": [2], "bad": [8]}
use vstd::prelude::*;

verus! {

pub open spec fn least(x: int, y: int) -> int {
    if x < y { x } else { y }
}

pub open spec fn most(x: int, y: int) -> int {
    if x < y { y } else { x }
}

pub fn overlap(a: u32, b: u32, c: u32, d: u32) -> (length: u32)
    requires
        a <= b,
        c <= d,
    ensures
        length == most(0, least(b as int, d as int) - most(a as int, c as int)),
{
    let start = if a < c { c } else { a };
    let end = if b < d { b } else { d };
    if start < end {
        end - start
    } else {
        0
    }
}

} // verus!
