//! Bring all dark flags before all light ones by exchanging flags, and return where the light ones
//! begin.
//!
//! difficulty: 5
//! function: sort_flags
//! tests:
//! {"given": {"light": [true, false, true]}, "good": [{"light": [false, true, true], "result": 1}], "bad": [{"light": [false, false, true], "result": 2}, {"light": [true, false, true], "result": 0}]}
use vstd::prelude::*;

verus! {

pub open spec fn lights(light: Seq<bool>) -> nat
    decreases light.len(),
{
    if light.len() == 0 {
        0
    } else {
        lights(light.drop_last()) + (if light.last() { 1nat } else { 0nat })
    }
}

proof fn changing_one(light: Seq<bool>, i: int, to: bool)
    requires
        0 <= i < light.len(),
    ensures
        lights(light.update(i, to)) + (if light[i] { 1nat } else { 0nat })
            == lights(light) + (if to { 1nat } else { 0nat }),
    decreases light.len(),
{
    let changed = light.update(i, to);
    if i == light.len() - 1 {
        assert(changed.drop_last() == light.drop_last());
    } else {
        changing_one(light.drop_last(), i, to);
        assert(changed.drop_last() == light.drop_last().update(i, to));
    }
}

pub fn sort_flags(light: &mut Vec<bool>) -> (begin: usize)
    ensures
        final(light).len() == old(light).len(),
        begin <= final(light).len(),
        forall|i: int| 0 <= i < begin ==> !final(light)[i],
        forall|i: int| begin <= i < final(light).len() ==> final(light)[i],
        lights(final(light)@) == lights(old(light)@),
{
    let mut begin: usize = 0;
    let mut end: usize = light.len();
    while begin < end
        invariant
            begin <= end <= light.len(),
            light.len() == old(light).len(),
            forall|i: int| 0 <= i < begin ==> !light[i],
            forall|i: int| end <= i < light.len() ==> light[i],
            lights(light@) == lights(old(light)@),
        decreases end - begin,
    {
        if !light[begin] {
            begin = begin + 1;
        } else if light[end - 1] {
            end = end - 1;
        } else {
            proof {
                changing_one(light@, begin as int, false);
                changing_one(light@.update(begin as int, false), end - 1, true);
            }
            light.set(begin, false);
            light.set(end - 1, true);
            begin = begin + 1;
            end = end - 1;
        }
    }
    begin
}

} // verus!
