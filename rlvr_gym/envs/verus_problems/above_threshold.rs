//! For each pixel say whether it is brighter than the threshold. The mask has one entry for each pixel,
//! in the same order.
//!
//! difficulty: 3
//! function: above_threshold
//! tests:
//! {"given": {"pixels": [10, 200], "threshold": 100}, "good": [[false, true]], "bad": [[true, false], [false], [true, true]]}
use vstd::prelude::*;

verus! {

pub fn above_threshold(pixels: &Vec<u8>, threshold: u8) -> (mask: Vec<bool>)
    ensures
        mask.len() == pixels.len(),
        forall|i: int| 0 <= i < pixels.len() ==> mask[i] == (pixels[i] > threshold),
{
    let mut mask: Vec<bool> = Vec::new();
    let n = pixels.len();
    for i in 0..n
        invariant
            n == pixels.len(),
            mask.len() == i,
            forall|k: int| 0 <= k < i ==> mask[k] == (pixels[k] > threshold),
    {
        mask.push(pixels[i] > threshold);
    }
    mask
}

} // verus!
