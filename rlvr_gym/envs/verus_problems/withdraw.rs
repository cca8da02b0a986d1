//! Take money from an account if there is enough of it, and say whether that was so. The number of
//! operations goes up only then.
//!
//! difficulty: 1
//! function: withdraw
//! tests:
//! {"given": {"account": {"balance": 50, "operations": 3}, "amount": 20}, "good": [{"account": {"balance": 30, "operations": 4}, "result": true}], "bad": [{"account": {"balance": 30, "operations": 3}, "result": true}, {"account": {"balance": 50, "operations": 3}, "result": false}]}
//! {"given": {"account": {"balance": 10, "operations": 3}, "amount": 20}, "good": [{"account": {"balance": 10, "operations": 3}, "result": false}], "bad": [{"account": {"balance": 0, "operations": 4}, "result": true}]}
use vstd::prelude::*;

verus! {

pub struct Account {
    pub balance: u64,
    pub operations: u32,
}

pub fn withdraw(account: &mut Account, amount: u64) -> (done: bool)
    requires
        old(account).operations < u32::MAX,
    ensures
        done == (amount <= old(account).balance),
        done ==> final(account).balance == old(account).balance - amount,
        done ==> final(account).operations == old(account).operations + 1,
        !done ==> *final(account) == *old(account),
{
    if amount <= account.balance {
        account.balance = account.balance - amount;
        account.operations = account.operations + 1;
        true
    } else {
        false
    }
}

} // verus!
