Machine integers.

//@ add_fits | verified | 100 + 100 is a u8
fn f(x: u8) -> (r: u8) requires x <= 100 ensures r == x + 100 { x + 100 }

//@ add_overflows | failed | 255 + 1 is no u8
fn f(x: u8) -> u8 {
    x + 1 // FAILS
}

//@ sub_fits | verified | x is at least 1
fn f(x: u8) -> (r: u8) requires x > 0 ensures r == x - 1 { x - 1 }

//@ sub_underflows | failed | 0 - 1 is no u8
fn f(x: u8) -> u8 {
    x - 1 // FAILS
}

//@ mul_fits | verified | 3 * 85 is 255
fn f(x: u8) -> (r: u8) requires x <= 85 ensures r == 3 * x { 3 * x }

//@ mul_overflows | failed | 3 * 86 is 258
fn f(x: u8) -> u8 requires x <= 86 {
    3 * x // FAILS
}

//@ negation_fits | verified | only the minimum has no negative
fn f(x: i8) -> (r: i8) requires x > -128 ensures r == -x { -x }

//@ negation_overflows | failed | 128 is no i8
fn f(x: i8) -> i8 {
    -x // FAILS
}

//@ signed_add_overflows_below | failed | -128 + -1 is no i8
fn f(x: i8, y: i8) -> i8 requires y < 0, x <= 0 {
    x + y // FAILS
}

//@ assignment_operator | verified | += is checked and exact
fn f(x: u8) -> (r: u8) requires x < 10 ensures r == x + 5 { let mut y = x; y += 5; y }

//@ assignment_operator_overflows | failed | += is checked
fn f(x: u8) -> u8 {
    let mut y = x;
    y += 5; // FAILS
    y
}

//@ intermediate_result_overflows | failed | x + y is formed first
fn f(x: u8, y: u8) -> u8 requires x >= y {
    x + y - y // FAILS
}

//@ intermediate_result_fits | verified | x - y is formed first
fn f(x: u8, y: u8) -> (r: u8) requires x >= y ensures r == x { x - y + y }

//@ overflow_in_the_right_operand | verified | && protects it
fn f(x: u8) -> (r: bool) ensures r == (x < 255 && x + 1 > 9) { x < 255 && x + 1 > 9 }

//@ overflow_in_the_left_operand | failed | && protects only its right side
fn f(x: u8) -> bool {
    x + 1 > 9 && x < 255 // FAILS
}

//@ overflow_behind_or | verified | || runs its right side when the left is false
fn f(x: u8) -> (r: bool) ensures r == (x == 0 || x - 1 < 5) { x == 0 || x - 1 < 5 }

//@ fact_after_the_check | verified | the sum fits from then on
fn f(x: u64, y: u64) requires x + y <= u64::MAX { let s = x + y; assert(s >= x); }

//@ failed_check_is_assumed | failed | one mistake, one finding
fn f(x: u8) {
    let y = x + 1; // FAILS
    let z = x + 1;
}

//@ unsigned_division | verified | the divisor is not zero
fn f(x: u8, y: u8) -> (r: u8) requires y > 0 ensures r == x / y { x / y }

//@ unsigned_division_by_zero | failed | y may be zero
fn f(x: u8, y: u8) -> u8 {
    x / y // FAILS
}

//@ remainder_by_zero | failed | y may be zero
fn f(x: u8, y: u8) -> u8 {
    x % y // FAILS
}

//@ remainder_bound | verified | below the divisor
fn f(x: u64) -> (r: u64) ensures r < 10 { x % 10 }

//@ remainder_bound_wrong | failed | 9 is a remainder of 10
fn f(x: u64) -> (r: u64)
    ensures r < 9 // FAILS
{ x % 10 }

//@ signed_division_rounds_to_zero | verified | -7 / 2 is -3
fn f(x: i32) -> (r: i32) requires x == -7 ensures r == -3 { x / 2 }

//@ signed_division_does_not_floor | failed | -7 / 2 is -3
fn f(x: i32) -> (r: i32)
    requires x == -7
    ensures r == -4 // FAILS
{ x / 2 }

//@ signed_remainder_has_the_sign | verified | -7 % 2 is -1
fn f(x: i32) -> (r: i32) requires x == -7 ensures r == -1 { x % 2 }

//@ signed_division_by_zero | failed | y may be zero
fn f(x: i32, y: i32) -> i32 requires x > -100 {
    x / y // FAILS
}

//@ signed_division_overflows | failed | MIN / -1 does not fit
fn f(x: i32, y: i32) -> i32 requires y != 0 {
    x / y // FAILS
}

//@ shift_in_range | verified | the amount is below the width
fn f(x: u8, n: u8) -> u8 requires n < 8 { x >> n }

//@ shift_out_of_range | failed | 8 is the width
fn f(x: u8, n: u8) -> u8 requires n <= 8 {
    x >> n // FAILS
}

//@ shift_left_out_of_range | failed | 64 is the width
fn f(x: u64, n: u64) -> u64 requires n <= 64 {
    x << n // FAILS
}

//@ cast_that_fits | verified | the value is kept
fn f(x: u64) -> (r: u8) requires x < 256 ensures r == x { x as u8 }

//@ cast_is_no_obligation | verified | truncation is legal Rust
fn f(x: u64) -> u8 { x as u8 }

//@ cast_value_is_unknown | failed | 300 as u8 is 44, which the default prover does not know
fn f(x: u64) -> (r: u8)
    ensures r == x // FAILS
{ x as u8 }

//@ cast_signed | verified | a non-negative i32 is a u32
fn f(x: i32) -> (r: u32) requires x >= 0 ensures r == x { x as u32 }

//@ cast_signed_wrong | failed | -1 is no u32
fn f(x: i32) -> (r: u32)
    ensures r == x // FAILS
{ x as u32 }

//@ wrapping_add | verified | 255 + 1 wraps to 0
fn f(x: u8) -> (r: u8) ensures x < 255 ==> r == x + 1, x == 255 ==> r == 0 { x.wrapping_add(1) }

//@ wrapping_add_wrong | failed | it wraps
fn f(x: u8) -> (r: u8)
    ensures r == x + 1 // FAILS
{ x.wrapping_add(1) }

//@ wrapping_sub | verified | 0 - 1 wraps to 255
fn f(x: u8) -> (r: u8) ensures x > 0 ==> r == x - 1, x == 0 ==> r == 255 { x.wrapping_sub(1) }

//@ checked_add | verified | None where it does not fit
fn f(x: u8, y: u8) -> (r: Option<u8>) ensures x + y <= 255 ==> r == Some((x + y) as u8), x + y > 255 ==> r is None { x.checked_add(y) }

//@ checked_add_wrong | failed | None when it does not fit
fn f(x: u8, y: u8) -> (r: Option<u8>)
    ensures r is Some // FAILS
{ x.checked_add(y) }

//@ checked_sub | verified | None below zero
fn f(x: u8, y: u8) -> (r: u8) ensures r == (if x >= y { x - y } else { 0 }) { match x.checked_sub(y) { Some(d) => d, None => 0 } }

//@ checked_mul | verified | None where it does not fit
fn f(x: u8) -> (r: Option<u8>) requires x > 127 ensures r is None { x.checked_mul(2) }

//@ maximum_in_exec | verified | constants run too
fn f(x: u64) -> (r: u64) ensures x < u64::MAX ==> r == x + 1, x == u64::MAX ==> r == x { if x < u64::MAX { x + 1 } else { x } }

//@ usize_add_overflows | failed | lengths add up to more than usize
fn f(v: &Vec<u8>, w: &Vec<u8>) -> usize {
    v.len() + w.len() // FAILS
}

//@ midpoint_overflows | failed | lo + hi may not fit
fn f(lo: usize, hi: usize) -> usize requires lo <= hi {
    (lo + hi) / 2 // FAILS
}

//@ midpoint | verified | the difference fits
fn f(lo: usize, hi: usize) -> (m: usize) requires lo < hi ensures lo <= m < hi { lo + (hi - lo) / 2 }

//@ exec_int_literal_operand | rejected | int literals do not run
fn f(x: u8) -> u8 { x + 1int }

//@ comparison | verified | Rust's comparisons are the mathematical ones
fn f(x: i32, y: i32) -> (r: bool) ensures r == (x < y) { !(y <= x) }

//@ call_argument_overflows | failed | arguments are checked like any expression
fn g(x: u8) { }
fn f(x: u8) {
    g(x + 1); // FAILS
}

//@ condition_overflows | failed | a condition is checked like any expression
fn f(x: u8) -> u8 {
    if x + 1 > 3 { 1 } else { 0 } // FAILS
}

//@ contract_does_not_overflow | verified | clauses are mathematics
fn f(x: u8) -> (r: bool) requires x + 1 > 0 ensures r == (x + x > 255) { x > 127 }
