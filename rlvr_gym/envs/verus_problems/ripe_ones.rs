//! Keep the fruits of at least 50 grams, in their order. Return a new list and leave the basket as it
//! is.
//!
//! difficulty: 4
//! function: ripe_ones
//! tests:
//! {"given": {"fruits": [60, 20, 50]}, "good": [[60, 50]], "bad": [[50, 60], [60], [60, 20, 50]]}
use vstd::prelude::*;

verus! {

pub open spec fn ripe(fruits: Seq<u16>) -> Seq<u16>
    decreases fruits.len(),
{
    if fruits.len() == 0 {
        Seq::empty()
    } else if fruits.last() >= 50 {
        ripe(fruits.drop_last()).push(fruits.last())
    } else {
        ripe(fruits.drop_last())
    }
}

pub fn ripe_ones(fruits: &Vec<u16>) -> (kept: Vec<u16>)
    ensures
        kept@ == ripe(fruits@),
{
    let mut kept: Vec<u16> = Vec::new();
    let mut i: usize = 0;
    while i < fruits.len()
        invariant
            i <= fruits.len(),
            kept@ == ripe(fruits@.take(i as int)),
        decreases fruits.len() - i,
    {
        assert(fruits@.take(i + 1).drop_last() == fruits@.take(i as int));
        if fruits[i] >= 50 {
            kept.push(fruits[i]);
        }
        i = i + 1;
    }
    assert(fruits@.take(i as int) == fruits@);
    kept
}

} // verus!
