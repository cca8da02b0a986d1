//! Insert a card into a hand that is in order, so that it stays in order. The other cards keep their
//! order and none is lost.
//!
//! difficulty: 5
//! function: insert_in_order
//! tests:
//! {"given": {"hand": [2, 5, 9], "card": 6}, "good": [[2, 5, 6, 9]], "bad": [[2, 5, 9, 6], [2, 5, 6], [2, 6, 5, 9]]}
use vstd::prelude::*;

verus! {

pub open spec fn ordered(hand: Seq<u8>) -> bool {
    forall|i: int, j: int| 0 <= i <= j < hand.len() ==> hand[i] <= hand[j]
}

pub fn insert_in_order(hand: &Vec<u8>, card: u8) -> (longer: Vec<u8>)
    requires
        ordered(hand@),
    ensures
        ordered(longer@),
        exists|at: int| 0 <= at <= hand.len() && longer@ == #[trigger] hand@.insert(at, card),
{
    let mut at: usize = 0;
    let mut longer: Vec<u8> = Vec::new();
    while at < hand.len() && hand[at] <= card
        invariant
            at <= hand.len(),
            longer@ == hand@.take(at as int),
            forall|k: int| 0 <= k < at ==> hand[k] <= card,
        decreases hand.len() - at,
    {
        longer.push(hand[at]);
        at = at + 1;
    }
    longer.push(card);
    let mut i: usize = at;
    while i < hand.len()
        invariant
            at <= i <= hand.len(),
            longer@ == hand@.take(at as int).push(card) + hand@.subrange(at as int, i as int),
        decreases hand.len() - i,
    {
        longer.push(hand[i]);
        i = i + 1;
    }
    assert(longer@ =~= hand@.insert(at as int, card));
    longer
}

} // verus!
