//! Bring the largest stone to the end of a row by exchanging neighbours. The others may move, but of
//! each weight there must be as many stones as before.
//!
//! difficulty: 5
//! function: largest_to_the_end
//! tests:
//! {"given": {"row": [3, 9, 4]}, "good": [{"row": [3, 4, 9]}], "bad": [{"row": [3, 9, 4]}, {"row": [9, 4, 3]}, {"row": [3, 4]}]}
use vstd::prelude::*;

verus! {

pub open spec fn many(row: Seq<u32>, weight: u32) -> nat
    decreases row.len(),
{
    if row.len() == 0 {
        0
    } else {
        many(row.drop_last(), weight) + (if row.last() == weight { 1nat } else { 0nat })
    }
}

proof fn changing_one(row: Seq<u32>, i: int, to: u32, weight: u32)
    requires
        0 <= i < row.len(),
    ensures
        many(row.update(i, to), weight) + (if row[i] == weight { 1nat } else { 0nat })
            == many(row, weight) + (if to == weight { 1nat } else { 0nat }),
    decreases row.len(),
{
    let changed = row.update(i, to);
    if i == row.len() - 1 {
        assert(changed.drop_last() == row.drop_last());
    } else {
        changing_one(row.drop_last(), i, to, weight);
        assert(changed.drop_last() == row.drop_last().update(i, to));
    }
}

pub fn largest_to_the_end(row: &mut Vec<u32>)
    requires
        old(row).len() > 0,
    ensures
        final(row).len() == old(row).len(),
        forall|i: int| 0 <= i < final(row).len() ==> #[trigger] final(row)[i] <= final(row)[final(row).len() - 1],
        forall|weight: u32| many(final(row)@, weight) == many(old(row)@, weight),
{
    let n = row.len();
    let mut i: usize = 0;
    while i + 1 < n
        invariant
            i < n,
            n == row.len(),
            n == old(row).len(),
            forall|k: int| 0 <= k <= i ==> row[k] <= row[i as int],
            forall|weight: u32| many(row@, weight) == many(old(row)@, weight),
        decreases n - i,
    {
        if row[i] > row[i + 1] {
            let a = row[i];
            let b = row[i + 1];
            proof {
                let once = row@.update(i as int, b);
                assert forall|weight: u32| many(once.update(i + 1, a), weight) == many(row@, weight) by {
                    changing_one(row@, i as int, b, weight);
                    changing_one(once, i + 1, a, weight);
                }
            }
            row.set(i, b);
            row.set(i + 1, a);
        }
        i = i + 1;
    }
}

} // verus!
