Products, quotients and remainders without a literal side.

//@ product_of_naturals_is_not_negative | verified | one of the three facts that are given
proof fn t(x: nat, y: nat) { assert(x * y >= 0); }

//@ product_of_ints_may_be_negative | failed | 1 * -1
proof fn t(x: int, y: int) {
    assert(x * y >= 0); // FAILS
}

//@ product_is_a_function | verified | equal factors, equal products
proof fn t(x: int, y: int, z: int) requires x == z { assert(x * y == z * y); }

//@ product_by_default_is_opaque | failed | monotonicity needs nonlinear_arith
proof fn t(x: int, y: int, z: int) requires 0 <= x <= y, 0 <= z {
    assert(x * z <= y * z); // FAILS
}

//@ product_with_nonlinear | verified | the fresh query knows its requires and nothing else
proof fn t(x: int, y: int, z: int) requires 0 <= x <= y, 0 <= z {
    assert(x * z <= y * z) by (nonlinear_arith) requires 0 <= x <= y, 0 <= z;
}

//@ nonlinear_knows_no_context | failed | the facts must be listed
proof fn t(x: int, y: int, z: int) requires 0 <= x <= y, 0 <= z {
    assert(x * z <= y * z) by (nonlinear_arith); // FAILS
}

//@ nonlinear_requires_is_checked | failed | x may be negative here
proof fn t(x: int, y: int) requires 0 <= y {
    assert(x * y >= 0) by (nonlinear_arith)
        requires 0 <= x, 0 <= y; // FAILS
}

//@ nonlinear_false | failed | 1 * 1 is not more than 1
proof fn t(x: int, y: int) requires 0 < x, 0 < y {
    assert(x * y > x) by (nonlinear_arith) requires 0 < x, 0 < y; // FAILS
}

//@ nonlinear_knows_types | verified | naturals are not negative
proof fn t(x: nat, y: nat) { assert(x * (y + 1) >= x) by (nonlinear_arith); }

//@ nonlinear_lemma | verified | the whole lemma in the nonlinear query
proof fn sq(x: int, y: int) by (nonlinear_arith)
    requires 0 <= x <= y
    ensures x * x <= y * y
{ }
proof fn t() { sq(3, 4); }

//@ nonlinear_lemma_false | failed | -2 * -2 exceeds 1 * 1
proof fn sq(x: int, y: int) by (nonlinear_arith)
    requires x <= y
    ensures x * x <= y * y // FAILS
{ }

//@ quotient_bound | verified | 0 <= x / y <= x for a positive divisor
proof fn t(x: int, y: int) requires 0 <= x, 0 < y { assert(0 <= x / y <= x); }

//@ quotient_bound_without_sign | failed | -1 / 2 is -1
proof fn t(x: int, y: int) requires 0 < y {
    assert(0 <= x / y); // FAILS
}

//@ remainder_bound | verified | 0 <= x % y < y for a positive divisor
proof fn t(x: int, y: int) requires 0 <= x, 0 < y { assert(0 <= x % y < y); }

//@ remainder_bound_of_zero | failed | nothing is known of x % 0
proof fn t(x: int, y: int) requires 0 <= x, 0 <= y {
    assert(x % y <= y); // FAILS
}

//@ distribution_with_nonlinear | verified | an identity
proof fn t(x: int, y: int, z: int) { assert(x * (y + z) == x * y + x * z) by (nonlinear_arith); }

//@ literal_factor_is_linear | verified | one side is a literal
proof fn t(x: int, y: int) requires x < y { assert(5 * x < 5 * y); assert(x * 5 < y * 5); }

//@ exec_product_overflow_needs_a_bound | failed | nothing bounds x * y
fn f(x: u32, y: u32) -> u32 requires x < 1000, y < 1000 {
    x * y // FAILS
}

//@ exec_product_with_a_bound | verified | the bound is proved nonlinearly
fn f(x: u32, y: u32) -> (r: u32) requires x < 1000, y < 1000 ensures r == x * y {
    assert(x * y < 1_000_000) by (nonlinear_arith) requires x < 1000, y < 1000;
    x * y
}

//@ square_of_a_sum | verified | an identity
proof fn t(a: int, b: int) { assert((a + b) * (a + b) == a * a + 2 * (a * b) + b * b) by (nonlinear_arith); }

//@ square_of_a_sum_wrong | failed | the mixed term is missing
proof fn t(a: int, b: int) {
    assert((a + b) * (a + b) == a * a + b * b) by (nonlinear_arith); // FAILS
}

//@ nonlinear_sees_no_spec_function | failed | definitions are absent in the fresh query
spec fn two() -> int { 2 }
proof fn t(x: int) {
    assert(x * two() == x + x) by (nonlinear_arith); // FAILS
}

//@ nonlinear_lemma_with_a_body | !verified | such a lemma has an empty body
proof fn sq(x: int) by (nonlinear_arith)
    ensures x * x >= 0
{ assert(x * x >= 0); }
