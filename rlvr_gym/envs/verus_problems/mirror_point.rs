//! Mirror a point of a picture of the given width at its vertical axis: the left column becomes the
//! right one.
//!
//! difficulty: 1
//! function: mirror_point
//! tests:
//! {"given": {"p": {"x": 0, "y": 5}, "width": 10}, "good": [{"x": 9, "y": 5}], "bad": [{"x": 10, "y": 5}, {"x": 9, "y": 4}]}
use vstd::prelude::*;

verus! {

pub struct Point {
    pub x: u32,
    pub y: u32,
}

pub fn mirror_point(p: Point, width: u32) -> (q: Point)
    requires
        p.x < width,
    ensures
        q.x < width,
        p.x + q.x + 1 == width,
        q.y == p.y,
{
    Point { x: width - 1 - p.x, y: p.y }
}

} // verus!
