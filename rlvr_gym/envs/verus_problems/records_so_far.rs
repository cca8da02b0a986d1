//! Behind each throw of a contest write the best distance thrown until then. The result is as long as
//! the contest, and each entry is one of the distances thrown.
//!
//! difficulty: 3
//! function: records_so_far
//! tests:
//! {"given": {"throws": [3, 5, 4]}, "good": [[3, 5, 5]], "bad": [[3, 5, 4], [5, 5, 5], [3, 5]]}
use vstd::prelude::*;

verus! {

pub fn records_so_far(throws: &Vec<u32>) -> (best: Vec<u32>)
    ensures
        best.len() == throws.len(),
        forall|i: int, k: int| 0 <= k <= i < throws.len() ==> throws[k] <= best[i],
        forall|i: int| 0 <= i < throws.len() ==> throws@.take(i + 1).contains(#[trigger] best[i]),
{
    let mut best: Vec<u32> = Vec::new();
    let mut record: u32 = 0;
    let mut i: usize = 0;
    while i < throws.len()
        invariant
            i <= throws.len(),
            best.len() == i,
            forall|k: int| 0 <= k < i ==> throws[k] <= record,
            i > 0 ==> throws@.take(i as int).contains(record),
            forall|j: int, k: int| 0 <= k <= j < i ==> throws[k] <= best[j],
            forall|j: int| 0 <= j < i ==> throws@.take(j + 1).contains(#[trigger] best[j]),
        decreases throws.len() - i,
    {
        let ghost before = throws@.take(i as int);
        let ghost after = throws@.take(i + 1);
        if i == 0 || throws[i] > record {
            record = throws[i];
            assert(after[i as int] == record);
        } else {
            let ghost k = choose|k: int| 0 <= k < before.len() && before[k] == record;
            assert(after[k] == record);
        }
        assert(after.contains(record));
        best.push(record);
        i = i + 1;
    }
    best
}

} // verus!
