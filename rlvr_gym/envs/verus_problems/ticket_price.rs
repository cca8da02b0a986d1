//! Children under seven ride free. Everybody else pays 30, members half of it. A member below seven
//! rides free too.
//!
//! difficulty: 1
//! function: ticket_price
//! tests:
//! {"given": {"age": 6, "member": false}, "good": [0], "bad": [30, 15]}
//! {"given": {"age": 7, "member": true}, "good": [15], "bad": [0, 30]}
//! {"given": {"age": 40, "member": false}, "good": [30], "bad": [15]}
use vstd::prelude::*;

verus! {

pub fn ticket_price(age: u8, member: bool) -> (price: u8)
    ensures
        age < 7 ==> price == 0,
        age >= 7 && member ==> price == 15,
        age >= 7 && !member ==> price == 30,
{
    if age < 7 {
        0
    } else if member {
        15
    } else {
        30
    }
}

} // verus!
