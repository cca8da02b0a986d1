//! How far apart are two heights above or below the sea? The answer has no sign and always fits.
//!
//! difficulty: 1
//! function: height_difference
//! tests:
//! {"given": {"x": -5, "y": 7}, "good": [12], "bad": [2, 11]}
//! {"given": {"x": -2147483648, "y": 2147483647}, "good": [4294967295], "bad": [1]}
use vstd::prelude::*;

verus! {

pub fn height_difference(x: i32, y: i32) -> (gap: u32)
    ensures
        x >= y ==> gap == x - y,
        x < y ==> gap == y - x,
{
    let a = x as i64;
    let b = y as i64;
    if a >= b {
        (a - b) as u32
    } else {
        (b - a) as u32
    }
}

} // verus!
