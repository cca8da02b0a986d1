//! Fill a line with blanks (code 32) behind its text until it is `width` long. The text itself stands
//! unchanged at the beginning.
//!
//! difficulty: 2
//! function: padded
//! tests:
//! {"given": {"text": [72, 105], "width": 4}, "good": [[72, 105, 32, 32]], "bad": [[72, 105], [32, 32, 72, 105], [72, 105, 32]]}
use vstd::prelude::*;

verus! {

pub fn padded(text: &Vec<u8>, width: usize) -> (line: Vec<u8>)
    requires
        text.len() <= width,
    ensures
        line.len() == width,
        line@.take(text.len() as int) == text@,
        forall|i: int| text.len() <= i < width ==> line[i] == 32,
{
    let mut line: Vec<u8> = text.clone();
    while line.len() < width
        invariant
            text.len() <= line.len() <= width,
            line@.take(text.len() as int) == text@,
            forall|i: int| text.len() <= i < line.len() ==> line[i] == 32,
        decreases width - line.len(),
    {
        line.push(32);
    }
    line
}

} // verus!
