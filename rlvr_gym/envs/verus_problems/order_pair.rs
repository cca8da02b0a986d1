//! Give back the two weights of a pair with the lighter one first. Both weights stay the same; only
//! their order may change.
//!
//! difficulty: 1
//! function: order_pair
//! tests:
//! {"given": {"pair": [8, 3]}, "good": [[3, 8]], "bad": [[8, 3], [3, 3]]}
//! {"given": {"pair": [2, 2]}, "good": [[2, 2]], "bad": [[1, 2]]}
use vstd::prelude::*;

verus! {

pub fn order_pair(pair: (u16, u16)) -> (ordered: (u16, u16))
    ensures
        ordered.0 <= ordered.1,
        ordered == pair || ordered == (pair.1, pair.0),
{
    if pair.0 <= pair.1 {
        pair
    } else {
        (pair.1, pair.0)
    }
}

} // verus!
