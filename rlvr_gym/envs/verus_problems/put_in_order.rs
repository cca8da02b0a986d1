//! Two registers must hold their numbers in order: exchange them if the first is the larger.
//!
//! difficulty: 1
//! function: put_in_order
//! tests:
//! {"given": {"a": 9, "b": 4}, "good": [{"a": 4, "b": 9}], "bad": [{"a": 9, "b": 4}, {"a": 4, "b": 4}]}
//! {"given": {"a": 1, "b": 4}, "good": [{"a": 1, "b": 4}], "bad": [{"a": 4, "b": 1}]}
use vstd::prelude::*;

verus! {

pub fn put_in_order(a: &mut u64, b: &mut u64)
    ensures
        *final(a) <= *final(b),
        *final(a) == *old(a) && *final(b) == *old(b) || *final(a) == *old(b) && *final(b) == *old(a),
{
    if *a > *b {
        let kept = *a;
        *a = *b;
        *b = kept;
    }
}

} // verus!
