//! Three heirs share `coins`. Nobody gets more than one coin more than another, and earlier heirs never
//! get less than later ones.
//!
//! difficulty: 1
//! function: split_in_three
//! tests:
//! {"given": {"coins": 10}, "good": [[4, 3, 3]], "bad": [[3, 3, 4], [5, 3, 2], [3, 3, 3]]}
//! {"given": {"coins": 11}, "good": [[4, 4, 3]], "bad": [[5, 3, 3]]}
use vstd::prelude::*;

verus! {

pub fn split_in_three(coins: u64) -> (shares: (u64, u64, u64))
    ensures
        shares.0 + shares.1 + shares.2 == coins,
        shares.0 >= shares.1 >= shares.2,
        shares.0 <= shares.2 + 1,
{
    let each = coins / 3;
    let rest = coins % 3;
    if rest == 0 {
        (each, each, each)
    } else if rest == 1 {
        (each + 1, each, each)
    } else {
        (each + 1, each + 1, each)
    }
}

} // verus!
