//! Measure a field of `rows` rows of `width` plants by adding row after row. Return the number of
//! plants on the whole field.
//!
//! difficulty: 5
//! function: area_by_rows
//! tests:
//! {"given": {"rows": 3, "width": 7}, "good": [21], "bad": [10, 20, 14]}
use vstd::prelude::*;

verus! {

pub fn area_by_rows(rows: u32, width: u32) -> (plants: u64)
    ensures
        plants == rows * width,
{
    let mut plants: u64 = 0;
    let mut i: u32 = 0;
    assert(0 * width == 0);
    while i < rows
        invariant
            i <= rows,
            plants == i * width,
        decreases rows - i,
    {
        assert((i + 1) * width == i * width + width) by (nonlinear_arith);
        assert((i + 1) * width <= 0xFFFF_FFFF * 0xFFFF_FFFF) by (nonlinear_arith)
            requires
                i + 1 <= 0xFFFF_FFFF,
                width <= 0xFFFF_FFFF;
        plants = plants + width as u64;
        i = i + 1;
    }
    plants
}

} // verus!
