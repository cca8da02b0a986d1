//! Take all plates from a stack and return how many there were. Afterwards the stack holds nothing; the
//! weights of the plates do not matter.
//!
//! difficulty: 2
//! function: empty_the_stack
//! tests:
//! {"given": {"stack": [3, 3, 1]}, "good": [{"stack": [], "result": 3}], "bad": [{"stack": [3], "result": 2}, {"stack": [], "result": 2}]}
use vstd::prelude::*;

verus! {

pub fn empty_the_stack(stack: &mut Vec<u16>) -> (count: usize)
    ensures
        final(stack).len() == 0,
        count == old(stack).len(),
{
    let mut count: usize = 0;
    while stack.len() > 0
        invariant
            count + stack.len() == old(stack).len(),
        decreases stack.len(),
    {
        let plate = stack.pop();
        count = count + 1;
    }
    count
}

} // verus!
