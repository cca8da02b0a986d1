Lemmas of vstd: the right use of each, and what it does not say. Names resolve through use.

//@ without_use | rejected | the name is not in the prelude
proof fn t(x: int, d: int) requires d > 0 { lemma_fundamental_div_mod(x, d); }

//@ wrong_path | rejected/unsupported | the lemma lives in div_mod
use vstd::arithmetic::mul::lemma_fundamental_div_mod;
proof fn t(x: int, d: int) requires d > 0 { lemma_fundamental_div_mod(x, d); }

//@ full_path | verified | a full path needs no use
proof fn t(x: int, d: int) requires d > 0 { vstd::arithmetic::div_mod::lemma_fundamental_div_mod(x, d); assert(x == d * (x / d) + x % d); }

//@ fundamental_div_mod | verified | x = d * q + r
use vstd::arithmetic::div_mod::*;
proof fn t(x: int, d: int) requires d > 0 { lemma_fundamental_div_mod(x, d); assert(x == d * (x / d) + x % d); }

//@ fundamental_div_mod_wrong | failed | the remainder is missing
use vstd::arithmetic::div_mod::*;
proof fn t(x: int, d: int) requires d > 0 {
    lemma_fundamental_div_mod(x, d);
    assert(x == d * (x / d)); // FAILS
}

//@ fundamental_div_mod_of_zero | failed | the divisor must not be 0
use vstd::arithmetic::div_mod::*;
proof fn t(x: int, d: int) {
    lemma_fundamental_div_mod(x, d); // FAILS
}

//@ fundamental_div_mod_converse | verified | q and r are quotient and remainder
use vstd::arithmetic::div_mod::*;
proof fn t(x: int, d: int, q: int, r: int) requires d != 0, 0 <= r < d, x == q * d + r { lemma_fundamental_div_mod_converse(x, d, q, r); assert(x / d == q && x % d == r); }

//@ fundamental_div_mod_converse_wrong | failed | r must be below d
use vstd::arithmetic::div_mod::*;
proof fn t(x: int, d: int, q: int, r: int) requires d != 0, 0 <= r <= d, x == q * d + r {
    lemma_fundamental_div_mod_converse(x, d, q, r); // FAILS
}

//@ mul_is_associative | verified | brackets do not count
use vstd::arithmetic::mul::*;
proof fn t(x: int, y: int, z: int) { lemma_mul_is_associative(x, y, z); assert(x * (y * z) == (x * y) * z); }

//@ mul_is_commutative | verified | order does not count
use vstd::arithmetic::mul::*;
proof fn t(x: int, y: int) { lemma_mul_is_commutative(x, y); assert(x * y == y * x); }

//@ mul_is_distributive_add | verified | a factor goes over a sum
use vstd::arithmetic::mul::*;
proof fn t(x: int, y: int, z: int) { lemma_mul_is_distributive_add(x, y, z); assert(x * (y + z) == x * y + x * z); }

//@ mul_is_distributive_sub | verified | a factor goes over a difference
use vstd::arithmetic::mul::*;
proof fn t(x: int, y: int, z: int) { lemma_mul_is_distributive_sub(x, y, z); assert(x * (y - z) == x * y - x * z); }

//@ mul_is_distributive_wrong | failed | the factor goes over both
use vstd::arithmetic::mul::*;
proof fn t(x: int, y: int, z: int) {
    lemma_mul_is_distributive_add(x, y, z);
    assert(x * (y + z) == x * y + z); // FAILS
}

//@ mul_inequality | verified | a factor that is not negative keeps the order
use vstd::arithmetic::mul::*;
proof fn t(x: int, y: int, z: int) requires x <= y, z >= 0 { lemma_mul_inequality(x, y, z); assert(x * z <= y * z); }

//@ mul_inequality_of_a_negative | failed | a negative factor turns it round
use vstd::arithmetic::mul::*;
proof fn t(x: int, y: int, z: int) requires x <= y {
    lemma_mul_inequality(x, y, z); // FAILS
}

//@ mul_strictly_positive | verified | positive times positive
use vstd::arithmetic::mul::*;
proof fn t(x: int, y: int) requires x > 0, y > 0 { lemma_mul_strictly_positive(x, y); assert(x * y > 0); }

//@ mul_strictly_positive_wrong | failed | with 0 the lemma says nothing
use vstd::arithmetic::mul::*;
proof fn t(x: int, y: int) requires x >= 0, y > 0 {
    lemma_mul_strictly_positive(x, y);
    assert(x * y > 0); // FAILS
}

//@ mul_upper_bound | verified | bounds multiply
use vstd::arithmetic::mul::*;
proof fn t(x: int, y: int) requires 0 <= x <= 10, 0 <= y <= 20 { lemma_mul_upper_bound(x, 10, y, 20); assert(x * y <= 200); }

//@ mul_unary_negation | verified | a sign moves
use vstd::arithmetic::mul::*;
proof fn t(x: int, y: int) { lemma_mul_unary_negation(x, y); assert((-x) * y == -(x * y)); assert(x * (-y) == -(x * y)); }

//@ mul_basics | verified | zero and one
use vstd::arithmetic::mul::*;
proof fn t(x: int) { lemma_mul_basics(x); assert(0 * x == 0 && 1 * x == x); }

//@ div_is_ordered | verified | division by a positive number keeps the order
use vstd::arithmetic::div_mod::*;
proof fn t(x: int, y: int, z: int) requires x <= y, 0 < z { lemma_div_is_ordered(x, y, z); assert(x / z <= y / z); }

//@ div_is_ordered_wrong | failed | the order is not strict
use vstd::arithmetic::div_mod::*;
proof fn t(x: int, y: int, z: int) requires x < y, 0 < z {
    lemma_div_is_ordered(x, y, z);
    assert(x / z < y / z); // FAILS
}

//@ div_multiples_vanish | verified | a factor cancels
use vstd::arithmetic::div_mod::*;
proof fn t(x: int, d: int) requires 0 < d { lemma_div_multiples_vanish(x, d); assert((d * x) / d == x); }

//@ div_multiples_vanish_of_zero | failed | nothing cancels 0
use vstd::arithmetic::div_mod::*;
proof fn t(x: int, d: int) requires 0 <= d {
    lemma_div_multiples_vanish(x, d); // FAILS
}

//@ div_decreases | verified | by 2 or more it falls
use vstd::arithmetic::div_mod::*;
proof fn t(x: int, d: int) requires 0 < x, 1 < d { lemma_div_decreases(x, d); assert(x / d < x); }

//@ div_is_ordered_by_denominator | verified | a larger divisor, a smaller quotient
use vstd::arithmetic::div_mod::*;
proof fn t(x: int, y: int, z: int) requires 0 <= x, 1 <= y <= z { lemma_div_is_ordered_by_denominator(x, y, z); assert(x / y >= x / z); }

//@ mod_multiples_vanish | verified | multiples leave no trace
use vstd::arithmetic::div_mod::*;
proof fn t(a: int, b: int, m: int) requires 0 < m { lemma_mod_multiples_vanish(a, b, m); assert((m * a + b) % m == b % m); }

//@ mod_multiples_basic | verified | a multiple has no remainder
use vstd::arithmetic::div_mod::*;
proof fn t(x: int, m: int) requires m > 0 { lemma_mod_multiples_basic(x, m); assert((x * m) % m == 0); }

//@ mod_multiples_basic_wrong | failed | one above a multiple
use vstd::arithmetic::div_mod::*;
proof fn t(x: int, m: int) requires m > 1 {
    lemma_mod_multiples_basic(x, m);
    assert((x * m + 1) % m == 0); // FAILS
}

//@ mod_bound | verified | below the divisor
use vstd::arithmetic::div_mod::*;
proof fn t(x: int, m: int) requires 0 < m { lemma_mod_bound(x, m); assert(0 <= x % m < m); }

//@ small_mod | verified | a number below the divisor is its own remainder
use vstd::arithmetic::div_mod::*;
proof fn t(x: nat, m: nat) requires x < m, 0 < m { lemma_small_mod(x, m); assert(x % m == x); }

//@ small_mod_wrong | failed | m is not below m
use vstd::arithmetic::div_mod::*;
proof fn t(x: nat, m: nat) requires x <= m, 0 < m {
    lemma_small_mod(x, m); // FAILS
}

//@ mul_mod_noop | verified | remainders may be taken first
use vstd::arithmetic::div_mod::*;
proof fn t(x: int, y: int, m: int) requires 0 < m { lemma_mul_mod_noop(x, y, m); assert((x % m) * (y % m) % m == (x * y) % m); }

//@ pow | verified | the first powers
use vstd::arithmetic::power::*;
proof fn t(b: int) { lemma_pow0(b); lemma_pow1(b); assert(pow(b, 0) == 1); assert(pow(b, 1) == b); }

//@ pow_wrong | failed | any number to the 0 is 1
use vstd::arithmetic::power::*;
proof fn t(b: int) {
    lemma_pow0(b);
    assert(pow(b, 0) == 0); // FAILS
}

//@ pow_adds | verified | exponents add up
use vstd::arithmetic::power::*;
proof fn t(b: int, x: nat, y: nat) { lemma_pow_adds(b, x, y); assert(pow(b, x + y) == pow(b, x) * pow(b, y)); }

//@ pow2 | verified | powers of two are positive
use vstd::arithmetic::power2::*;
proof fn t(n: nat) { lemma_pow2_pos(n); assert(pow2(n) > 0); }

//@ pow2_wrong | failed | 2 to the 0 is 1
use vstd::arithmetic::power2::*;
proof fn t(n: nat) {
    lemma_pow2_pos(n);
    assert(pow2(n) > 1); // FAILS
}

//@ pow2_adds | verified | exponents add up
use vstd::arithmetic::power2::*;
proof fn t(x: nat, y: nat) { lemma_pow2_adds(x, y); assert(pow2(x) * pow2(y) == pow2(x + y)); }
