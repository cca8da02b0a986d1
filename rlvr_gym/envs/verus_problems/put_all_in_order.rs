//! Sort a row of cards by moving each, one after the other, forward to its place. How often each card
//! occurs must not change.
//!
//! difficulty: 5
//! function: put_all_in_order
//! tests:
//! {"given": {"cards": [3, 1, 2]}, "good": [{"cards": [1, 2, 3]}], "bad": [{"cards": [3, 2, 1]}, {"cards": [1, 2, 2]}, {"cards": [1, 2]}]}
//! {"given": {"cards": []}, "good": [{"cards": []}], "bad": [{"cards": [0]}]}
use vstd::prelude::*;

verus! {

pub open spec fn ordered(cards: Seq<u8>) -> bool {
    forall|i: int, j: int| 0 <= i < j < cards.len() ==> cards[i] <= cards[j]
}

pub open spec fn times(cards: Seq<u8>, card: u8) -> nat
    decreases cards.len(),
{
    if cards.len() == 0 {
        0
    } else {
        times(cards.drop_last(), card) + (if cards.last() == card { 1nat } else { 0nat })
    }
}

pub open spec fn same_cards(a: Seq<u8>, b: Seq<u8>) -> bool {
    forall|card: u8| times(a, card) == times(b, card)
}

proof fn changing_one(cards: Seq<u8>, i: int, to: u8, card: u8)
    requires
        0 <= i < cards.len(),
    ensures
        times(cards.update(i, to), card) + (if cards[i] == card { 1nat } else { 0nat })
            == times(cards, card) + (if to == card { 1nat } else { 0nat }),
    decreases cards.len(),
{
    let changed = cards.update(i, to);
    if i == cards.len() - 1 {
        assert(changed.drop_last() == cards.drop_last());
    } else {
        changing_one(cards.drop_last(), i, to, card);
        assert(changed.drop_last() == cards.drop_last().update(i, to));
    }
}

proof fn exchanging_two(cards: Seq<u8>, i: int, j: int)
    requires
        0 <= i < j < cards.len(),
    ensures
        same_cards(cards, cards.update(i, cards[j]).update(j, cards[i])),
{
    let once = cards.update(i, cards[j]);
    assert forall|card: u8| times(cards, card) == times(once.update(j, cards[i]), card) by {
        changing_one(cards, i, cards[j], card);
        changing_one(once, j, cards[i], card);
    }
}

pub fn put_all_in_order(cards: &mut Vec<u8>)
    ensures
        final(cards).len() == old(cards).len(),
        ordered(final(cards)@),
        same_cards(old(cards)@, final(cards)@),
{
    let n = cards.len();
    let mut i: usize = 0;
    while i < n
        invariant
            i <= n,
            n == cards.len(),
            n == old(cards).len(),
            ordered(cards@.take(i as int)),
            same_cards(old(cards)@, cards@),
        decreases n - i,
    {
        let mut j: usize = i;
        let ghost front = cards@.take(i as int);
        assert forall|a: int, b: int| 0 <= a < b < i implies cards[a] <= cards[b] by {
            assert(front[a] <= front[b]);
        }
        while j > 0 && cards[j - 1] > cards[j]
            invariant
                j <= i < n,
                n == cards.len(),
                n == old(cards).len(),
                forall|a: int, b: int| 0 <= a < b <= i && b != j ==> cards[a] <= cards[b],
                same_cards(old(cards)@, cards@),
            decreases j,
        {
            proof {
                exchanging_two(cards@, j - 1, j as int);
            }
            let a = cards[j - 1];
            let b = cards[j];
            cards.set(j - 1, b);
            cards.set(j, a);
            j = j - 1;
        }
        i = i + 1;
    }
    assert(cards@.take(n as int) == cards@);
}

} // verus!
