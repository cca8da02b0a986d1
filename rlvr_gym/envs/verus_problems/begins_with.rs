//! Does the message begin with the given code? A message shorter than the code does not, and every
//! message begins with the empty code.
//!
//! difficulty: 3
//! function: begins_with
//! tests:
//! {"given": {"message": [1, 2, 3], "code": [1, 2]}, "good": [true], "bad": [false]}
//! {"given": {"message": [1], "code": [1, 2]}, "good": [false], "bad": [true]}
use vstd::prelude::*;

verus! {

pub fn begins_with(message: &[u8], code: &[u8]) -> (found: bool)
    ensures
        found == (code.len() <= message.len() && forall|i: int| 0 <= i < code.len() ==> code[i] == message[i]),
{
    if code.len() > message.len() {
        return false;
    }
    let mut i: usize = 0;
    while i < code.len()
        invariant
            i <= code.len() <= message.len(),
            forall|k: int| 0 <= k < i ==> code[k] == message[k],
        decreases code.len() - i,
    {
        if code[i] != message[i] {
            return false;
        }
        i = i + 1;
    }
    true
}

} // verus!
