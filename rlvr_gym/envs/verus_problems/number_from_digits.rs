//! Read a row of decimal digits, the most significant first, as a number. Return None rather than
//! overflow; rows of up to two digits must always be read.
//!
//! difficulty: 4
//! function: number_from_digits
//! tests:
//! {"given": {"digits": [4, 7]}, "good": [{"Some": 47}], "bad": [{"Some": 74}, {"Some": 11}, null]}
//! {"given": {"digits": [4, 0, 7]}, "good": [{"Some": 407}], "bad": [{"Some": 704}, {"Some": 47}]}
//! {"given": {"digits": []}, "good": [{"Some": 0}], "bad": [{"Some": 1}, null]}
use vstd::prelude::*;

verus! {

pub open spec fn value(digits: Seq<u8>) -> int
    decreases digits.len(),
{
    if digits.len() == 0 {
        0
    } else {
        10 * value(digits.drop_last()) + digits.last()
    }
}

pub fn number_from_digits(digits: &Vec<u8>) -> (n: Option<u64>)
    ensures
        n matches Some(x) ==> x == value(digits@),
        digits.len() <= 2 ==> n is Some,
{
    let mut n: u64 = 0;
    let mut i: usize = 0;
    while i < digits.len()
        invariant
            i <= digits.len(),
            n == value(digits@.take(i as int)),
            i == 0 ==> n == 0,
            i == 1 ==> n <= 255,
        decreases digits.len() - i,
    {
        assert(digits@.take(i + 1).drop_last() == digits@.take(i as int));
        if n > (u64::MAX - 255) / 10 {
            return None;
        }
        n = 10 * n + digits[i] as u64;
        i = i + 1;
    }
    assert(digits@.take(i as int) == digits@);
    Some(n)
}

} // verus!
