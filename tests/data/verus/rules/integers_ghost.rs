Mathematical integers.

//@ no_overflow | verified | sums are exact
proof fn t() { assert(255u8 + 1u8 == 256); assert(0u8 - 1 == -1); assert(200u8 * 2u8 == 400); }

//@ no_wrapping | failed | ghost sums do not wrap
proof fn t() {
    assert(255u8 + 1u8 == 0); // FAILS
}

//@ subtraction_of_naturals_is_int | verified | 3 - 5 is -2
proof fn t(a: nat, b: nat) requires a == 3, b == 5 { assert(a - b == -2); }

//@ subtraction_does_not_stop_at_zero | failed | 3 - 5 is -2
proof fn t(a: nat, b: nat) requires a == 3, b == 5 {
    assert(a - b == 0); // FAILS
}

//@ negation_is_int | verified | -x of a u8
proof fn t(x: u8) requires x == 3 { assert(-x == -3); }

//@ multiplication_by_a_literal | verified | linear
proof fn t(x: int) { assert(3 * x == x + x + x); }

//@ multiplication_by_a_literal_wrong | failed | 0 is a counterexample
proof fn t(x: int) {
    assert(3 * x > x); // FAILS
}

//@ euclidean_division_by_a_literal | verified | -7 = 2 * -4 + 1
proof fn t(x: int) requires x == -7 { assert(x / 2 == -4); assert(x % 2 == 1); }

//@ truncated_division_is_not_ghost_division | failed | toward zero it would be -3
proof fn t(x: int) requires x == -7 {
    assert(x / 2 == -3); // FAILS
}

//@ remainder_is_not_negative | verified | 0 <= x % 2 < 2
proof fn t(x: int) { assert(0 <= x % 2 < 2); }

//@ remainder_has_no_sign | failed | -7 % 2 is 1
proof fn t(x: int) requires x == -7 {
    assert(x % 2 == -1); // FAILS
}

//@ division_and_remainder | verified | both speak of one division
proof fn t(x: int) { assert(x == 10 * (x / 10) + x % 10); }

//@ division_by_zero_has_a_value | verified | it is the same unknown value twice
proof fn t(x: int) { assert(x / 0 == x / 0); }

//@ division_by_zero_is_unknown | failed | nothing says 0
proof fn t(x: int) {
    assert(x / 0 == 0); // FAILS
}

//@ remainder_by_zero_is_unknown | failed | nothing says x
proof fn t(x: int) {
    assert(x % 0 == x); // FAILS
}

//@ unsigned_division_keeps_the_type | verified | u8 / u8 is a u8
spec fn f(x: u8, y: u8) -> u8 { x / y }
proof fn t() { assert(f(6, 3) <= 255); }

//@ unsigned_division_is_not_int | rejected | u8 / u8 is a u8
spec fn f(x: u8, y: u8) -> int { x / y }

//@ signed_division_is_int | verified | i8 / i8 is an int: -128 / -1 does not fit
spec fn f(x: i8) -> int { x / 2 }
proof fn t() { assert(f(6) == 3); }

//@ add_within_the_type | verified | add(x, y) is the sum where that fits
proof fn t(x: u8, y: u8) requires x == 100, y == 50 { assert(add(x, y) == 150); }

//@ add_beyond_the_type | failed | 256 is no u8
proof fn t(x: u8) requires x == 255 {
    assert(add(x, 1) == 256); // FAILS
}

//@ sub_within_the_type | verified | sub(x, y) is the difference where that fits
proof fn t(x: u8, y: u8) requires x == 100, y == 50 { assert(sub(x, y) == 50); }

//@ sub_beyond_the_type | failed | -1 is no u8
proof fn t(x: u8) requires x == 0 {
    assert(sub(x, 1) == -1); // FAILS
}

//@ cast_that_fits | verified | 200 is a u8
proof fn t(x: int) requires x == 200 { assert(x as u8 == 200); }

//@ cast_stays_in_its_type | verified | whatever it is, it is a u8
proof fn t(x: int) { assert(0 <= x as u8 <= 255); }

//@ cast_that_does_not_fit | failed | the value is unknown by default
proof fn t(x: int) requires x == 300 {
    assert(x as u8 == 300); // FAILS
}

//@ cast_is_a_function | verified | equal numbers, equal casts
proof fn t(x: int, y: int) requires x == y { assert(x as u8 == y as u8); }

//@ cast_is_not_injective | failed | 0 and 256 may meet
proof fn t(x: int, y: int) requires x as u8 == y as u8 {
    assert(x == y); // FAILS
}

//@ widening | verified | nothing is lost
proof fn t(x: u8) { assert(x as u64 == x); assert(x as int == x); assert(x as i16 == x); }

//@ narrowing | failed | a u64 may exceed u8
proof fn t(x: u64) {
    assert(x as u8 == x); // FAILS
}

//@ cast_to_nat_that_fits | verified | 3 is a natural
proof fn t(x: int) requires x >= 0 { assert(x as nat == x); }

//@ cast_to_nat_of_a_negative | failed | the value is some natural
proof fn t(x: int) requires x < 0 {
    assert(x as nat == x); // FAILS
}

//@ cast_to_nat_of_a_negative_is_unknown | failed | nothing says 0
proof fn t(x: int) requires x == -1 {
    assert(x as nat == 0); // FAILS
}

//@ comparison_chain | verified | 1 <= x < y <= 9
proof fn t(x: int, y: int) requires 1 <= x < y <= 9 { assert(x < 9); assert(2 <= y); }

//@ comparison_chain_with_equality | verified | == chains too
proof fn t(x: int, y: int) requires 1 <= x == y < 5 { assert(y >= 1 && x < 5); }

//@ comparison_chain_wrong | failed | y may be 9
proof fn t(x: int, y: int) requires 1 <= x < y <= 9 {
    assert(y < 9); // FAILS
}

//@ maximum_and_minimum | verified | constants of the types
proof fn t() { assert(u8::MAX == 255); assert(i8::MIN == -128); assert(u16::MAX == 65535); assert(i32::MAX == 0x7FFF_FFFF); }

//@ maximum_wrong | failed | 256 values, the largest is 255
proof fn t() {
    assert(u8::MAX == 256); // FAILS
}

//@ absolute_value | verified | written out
spec fn a(x: int) -> int { if x < 0 { -x } else { x } }
proof fn t(x: int) { assert(a(x) >= 0); assert(a(x) == a(-x)); }
