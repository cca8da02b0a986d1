//! Add up the weights of all parcels. There are at most a thousand parcels, so that a 64-bit sum is
//! large enough.
//!
//! difficulty: 4
//! function: total_weight
//! tests:
//! {"given": {"parcels": [3, 4, 5]}, "good": [12], "bad": [7, 0, 60]}
//! {"given": {"parcels": []}, "good": [0], "bad": [1]}
use vstd::prelude::*;

verus! {

pub open spec fn weight_of(parcels: Seq<u32>) -> int
    decreases parcels.len(),
{
    if parcels.len() == 0 {
        0
    } else {
        weight_of(parcels.drop_last()) + parcels.last()
    }
}

pub fn total_weight(parcels: &Vec<u32>) -> (total: u64)
    requires
        parcels.len() <= 1000,
    ensures
        total == weight_of(parcels@),
{
    let mut total: u64 = 0;
    let mut i: usize = 0;
    while i < parcels.len()
        invariant
            i <= parcels.len() <= 1000,
            total == weight_of(parcels@.take(i as int)),
            total <= i * 0xFFFF_FFFF,
        decreases parcels.len() - i,
    {
        assert(parcels@.take(i + 1).drop_last() == parcels@.take(i as int));
        total = total + parcels[i] as u64;
        i = i + 1;
    }
    assert(parcels@.take(i as int) == parcels@);
    total
}

} // verus!
