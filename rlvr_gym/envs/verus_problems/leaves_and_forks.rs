//! A tree forks in two or ends in a leaf. Prove that it has one leaf more than forks, and count the
//! forks.
//!
//! difficulty: 4
//! function: leaves_have_one_more
//! tests:
//! {"given": {"tree": {"Fork": ["Leaf", {"Fork": ["Leaf", "Leaf"]}]}}, "good": [2], "bad": [3, 1]}
use vstd::prelude::*;

verus! {

pub enum Tree {
    Leaf,
    Fork(Box<Tree>, Box<Tree>),
}

pub open spec fn forks(tree: Tree) -> nat
    decreases tree,
{
    match tree {
        Tree::Leaf => 0,
        Tree::Fork(a, b) => forks(*a) + 1 + forks(*b),
    }
}

pub open spec fn leaves(tree: Tree) -> nat
    decreases tree,
{
    match tree {
        Tree::Leaf => 1,
        Tree::Fork(a, b) => leaves(*a) + leaves(*b),
    }
}

pub fn leaves_have_one_more(tree: &Tree) -> (n: u32)
    requires
        leaves(*tree) <= 1_000_000,
    ensures
        n == forks(*tree),
        n + 1 == leaves(*tree),
    decreases tree,
{
    match tree {
        Tree::Leaf => 0,
        Tree::Fork(a, b) => {
            proof {
                every_tree_has_a_leaf(**a);
                every_tree_has_a_leaf(**b);
            }
            leaves_have_one_more(a) + 1 + leaves_have_one_more(b)
        },
    }
}

proof fn every_tree_has_a_leaf(tree: Tree)
    ensures
        leaves(tree) >= 1,
    decreases tree,
{
    match tree {
        Tree::Leaf => {},
        Tree::Fork(a, b) => {
            every_tree_has_a_leaf(*a);
            every_tree_has_a_leaf(*b);
        },
    }
}

} // verus!
