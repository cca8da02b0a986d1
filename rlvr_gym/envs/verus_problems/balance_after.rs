//! A day's bookings are added to an account one after the other; what is the balance at the end?
//!
//! difficulty: 4
//! function: balance_after
//! tests:
//! {"given": {"bookings": [5, -3, 10]}, "good": [12], "bad": [18, 5, 8]}
use vstd::prelude::*;

verus! {

pub open spec fn booked(bookings: Seq<i32>) -> int
    decreases bookings.len(),
{
    if bookings.len() == 0 {
        0
    } else {
        booked(bookings.drop_last()) + bookings.last()
    }
}

pub fn balance_after(bookings: &Vec<i32>) -> (balance: i64)
    requires
        bookings.len() <= 10_000,
    ensures
        balance == booked(bookings@),
{
    let mut balance: i64 = 0;
    let n = bookings.len();
    for i in 0..n
        invariant
            n == bookings.len(),
            n <= 10_000,
            balance == booked(bookings@.take(i as int)),
            -0x8000_0000 * i <= balance <= 0x7FFF_FFFF * i,
    {
        assert(bookings@.take(i + 1).drop_last() == bookings@.take(i as int));
        balance = balance + bookings[i] as i64;
    }
    assert(bookings@.take(n as int) == bookings@);
    balance
}

} // verus!
