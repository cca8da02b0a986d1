//! Count the links of a chain. It has at most a million. The end itself is no link.
//!
//! difficulty: 4
//! function: chain_length
//! tests:
//! {"given": {"chain": {"Link": [7, {"Link": [8, "End"]}]}}, "good": [2], "bad": [1, 3, 0]}
use vstd::prelude::*;

verus! {

pub enum Chain {
    End,
    Link(u8, Box<Chain>),
}

pub open spec fn links(chain: Chain) -> nat
    decreases chain,
{
    match chain {
        Chain::End => 0,
        Chain::Link(_, rest) => links(*rest) + 1,
    }
}

pub fn chain_length(chain: &Chain) -> (n: u32)
    requires
        links(*chain) <= 1_000_000,
    ensures
        n == links(*chain),
    decreases chain,
{
    match chain {
        Chain::End => 0,
        Chain::Link(_, rest) => chain_length(rest) + 1,
    }
}

} // verus!
