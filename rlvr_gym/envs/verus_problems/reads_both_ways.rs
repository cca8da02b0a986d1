//! Is a row of flags the same when read from the other end? The empty row is; return true or false.
//!
//! difficulty: 3
//! function: reads_both_ways
//! tests:
//! {"given": {"flags": [1, 2, 1]}, "good": [true], "bad": [false]}
//! {"given": {"flags": [1, 2, 2]}, "good": [false], "bad": [true]}
use vstd::prelude::*;

verus! {

pub fn reads_both_ways(flags: &Vec<u8>) -> (same: bool)
    ensures
        same == (forall|i: int| 0 <= i < flags.len() ==> #[trigger] flags[i] == flags[flags.len() - 1 - i]),
{
    let n = flags.len();
    let mut i: usize = 0;
    while i < n
        invariant
            n == flags.len(),
            i <= n,
            forall|k: int| 0 <= k < i ==> #[trigger] flags[k] == flags[n - 1 - k],
        decreases n - i,
    {
        if flags[i] != flags[n - 1 - i] {
            return false;
        }
        i = i + 1;
    }
    true
}

} // verus!
