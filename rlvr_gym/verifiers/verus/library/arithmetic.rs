// Lemmas about integers. Each contract is proved once by our own tests: here they are taken as known.
mod vstd {

mod math {
    pub open spec fn abs(x: int) -> nat { if x < 0 { -x as nat } else { x as nat } }
    pub open spec fn min(x: int, y: int) -> int { if x <= y { x } else { y } }
    pub open spec fn max(x: int, y: int) -> int { if x >= y { x } else { y } }
    pub open spec fn clip(x: int) -> nat { if x < 0 { 0nat } else { x as nat } }
    pub open spec fn add(x: int, y: int) -> int { x + y }
    pub open spec fn sub(x: int, y: int) -> int { x - y }
    pub open spec fn div(x: int, y: int) -> int { x / y }
}

mod arithmetic {

mod mul {
    pub proof fn lemma_mul_basics(x: int)
        ensures 0 * x == 0, x * 0 == 0, x * 1 == x, 1 * x == x;
    pub broadcast proof fn lemma_mul_nonzero(x: int, y: int)
        ensures #[trigger] (x * y) != 0 <==> x != 0 && y != 0;
    pub broadcast proof fn lemma_mul_is_associative(x: int, y: int, z: int)
        ensures #![trigger x * (y * z)] #![trigger (x * y) * z] x * (y * z) == (x * y) * z;
    pub broadcast proof fn lemma_mul_is_commutative(x: int, y: int)
        ensures #[trigger] (x * y) == y * x;
    pub broadcast proof fn lemma_mul_ordering(x: int, y: int)
        requires x != 0, y != 0, 0 <= x * y,
        ensures #[trigger] (x * y) >= x && x * y >= y;
    pub broadcast proof fn lemma_mul_inequality(x: int, y: int, z: int)
        requires x <= y, z >= 0,
        ensures #[trigger] (x * z) <= #[trigger] (y * z);
    pub broadcast proof fn lemma_mul_strict_inequality(x: int, y: int, z: int)
        requires x < y, z > 0,
        ensures #[trigger] (x * z) < #[trigger] (y * z);
    pub broadcast proof fn lemma_mul_upper_bound(x: int, xbound: int, y: int, ybound: int)
        requires x <= xbound, y <= ybound, 0 <= x, 0 <= y,
        ensures #[trigger] (x * y) <= #[trigger] (xbound * ybound);
    pub broadcast proof fn lemma_mul_strict_upper_bound(x: int, xbound: int, y: int, ybound: int)
        requires x < xbound, y < ybound, 0 < x, 0 < y,
        ensures #[trigger] (x * y) <= #[trigger] ((xbound - 1) * (ybound - 1));
    pub broadcast proof fn lemma_mul_left_inequality(x: int, y: int, z: int)
        requires 0 < x,
        ensures y <= z ==> #[trigger] (x * y) <= #[trigger] (x * z), y < z ==> x * y < x * z;
    pub broadcast proof fn lemma_mul_equality_converse(m: int, x: int, y: int)
        requires m != 0, #[trigger] (m * x) == #[trigger] (m * y),
        ensures x == y;
    pub broadcast proof fn lemma_mul_inequality_converse(x: int, y: int, z: int)
        requires #[trigger] (x * z) <= #[trigger] (y * z), z > 0,
        ensures x <= y;
    pub broadcast proof fn lemma_mul_strict_inequality_converse(x: int, y: int, z: int)
        requires #[trigger] (x * z) < #[trigger] (y * z), z >= 0,
        ensures x < y;
    pub broadcast proof fn lemma_mul_is_distributive_add(x: int, y: int, z: int)
        ensures #[trigger] (x * (y + z)) == x * y + x * z;
    pub broadcast proof fn lemma_mul_is_distributive_add_other_way(x: int, y: int, z: int)
        ensures #[trigger] ((y + z) * x) == y * x + z * x;
    pub broadcast proof fn lemma_mul_is_distributive_sub(x: int, y: int, z: int)
        ensures #[trigger] (x * (y - z)) == x * y - x * z;
    pub broadcast proof fn lemma_mul_is_distributive_sub_other_way(x: int, y: int, z: int)
        ensures #[trigger] ((y - z) * x) == y * x - z * x;
    pub proof fn lemma_mul_is_distributive(x: int, y: int, z: int)
        ensures
            x * (y + z) == x * y + x * z,
            x * (y - z) == x * y - x * z,
            (y + z) * x == y * x + z * x,
            (y - z) * x == y * x - z * x,
            x * (y + z) == (y + z) * x,
            x * (y - z) == (y - z) * x,
            x * y == y * x,
            x * z == z * x;
    pub broadcast proof fn lemma_mul_strictly_positive(x: int, y: int)
        ensures 0 < x && 0 < y ==> 0 < #[trigger] (x * y);
    pub broadcast proof fn lemma_mul_strictly_increases(x: int, y: int)
        requires 1 < x, 0 < y,
        ensures y < #[trigger] (x * y);
    pub broadcast proof fn lemma_mul_increases(x: int, y: int)
        requires 0 < x, 0 < y,
        ensures y <= #[trigger] (x * y);
    pub broadcast proof fn lemma_mul_nonnegative(x: int, y: int)
        requires 0 <= x, 0 <= y,
        ensures 0 <= #[trigger] (x * y);
    pub proof fn lemma_mul_unary_negation(x: int, y: int)
        ensures (-x) * y == -(x * y), -(x * y) == x * (-y);
    pub broadcast proof fn lemma_mul_cancels_negatives(x: int, y: int)
        ensures #[trigger] (x * y) == (-x) * (-y);
    pub proof fn lemma_mul_basics_auto()
        ensures
            forall|x: int| #[trigger] (0 * x) == 0,
            forall|x: int| #[trigger] (x * 0) == 0,
            forall|x: int| #[trigger] (1 * x) == x,
            forall|x: int| #[trigger] (x * 1) == x;
    pub proof fn lemma_mul_is_associative_auto()
        ensures forall|x: int, y: int, z: int| #![trigger x * (y * z)] #![trigger (x * y) * z] (x * (y * z)) == ((x * y) * z);
    pub proof fn lemma_mul_is_commutative_auto()
        ensures forall|x: int, y: int| #[trigger] (x * y) == (y * x);
    pub proof fn lemma_mul_nonnegative_auto()
        ensures forall|x: int, y: int| 0 <= x && 0 <= y ==> 0 <= #[trigger] (x * y);
    pub proof fn lemma_mul_strictly_positive_auto()
        ensures forall|x: int, y: int| (0 < x && 0 < y) ==> (0 < #[trigger] (x * y));
    pub proof fn lemma_mul_inequality_auto()
        ensures forall|x: int, y: int, z: int| x <= y && z >= 0 ==> #[trigger] (x * z) <= #[trigger] (y * z);
    pub proof fn lemma_mul_strict_inequality_auto()
        ensures forall|x: int, y: int, z: int| x < y && z > 0 ==> #[trigger] (x * z) < #[trigger] (y * z);
    pub proof fn lemma_mul_is_distributive_add_auto()
        ensures forall|x: int, y: int, z: int| #[trigger] (x * (y + z)) == x * y + x * z;
    pub proof fn lemma_mul_is_distributive_sub_auto()
        ensures forall|x: int, y: int, z: int| #[trigger] (x * (y - z)) == x * y - x * z;
    pub proof fn lemma_mul_is_distributive_auto()
        ensures
            forall|x: int, y: int, z: int| #[trigger] (x * (y + z)) == x * y + x * z,
            forall|x: int, y: int, z: int| #[trigger] (x * (y - z)) == x * y - x * z,
            forall|x: int, y: int, z: int| #[trigger] ((y + z) * x) == y * x + z * x,
            forall|x: int, y: int, z: int| #[trigger] ((y - z) * x) == y * x - z * x;
    pub proof fn lemma_mul_increases_auto()
        ensures forall|x: int, y: int| (0 < x && 0 < y) ==> (y <= #[trigger] (x * y));
    pub proof fn lemma_mul_upper_bound_auto()
        ensures forall|x: int, xbound: int, y: int, ybound: int|
            x <= xbound && y <= ybound && 0 <= x && 0 <= y ==> #[trigger] (x * y) <= #[trigger] (xbound * ybound);
    pub broadcast proof fn lemma_mul_basics_1(x: int)
        ensures #[trigger] (0 * x) == 0;
    pub broadcast proof fn lemma_mul_basics_2(x: int)
        ensures #[trigger] (x * 0) == 0;
    pub broadcast proof fn lemma_mul_basics_3(x: int)
        ensures #[trigger] (x * 1) == x;
    pub broadcast proof fn lemma_mul_basics_4(x: int)
        ensures #[trigger] (1 * x) == x;
    pub broadcast group group_mul_basics {
        lemma_mul_basics_1, lemma_mul_basics_2, lemma_mul_basics_3, lemma_mul_basics_4,
    }
    pub broadcast group group_mul_properties {
        group_mul_basics, lemma_mul_strict_inequality, lemma_mul_inequality,
        group_mul_is_commutative_and_distributive, lemma_mul_is_associative, lemma_mul_ordering, lemma_mul_nonzero,
        lemma_mul_nonnegative, lemma_mul_strictly_increases, lemma_mul_increases,
    }
    pub broadcast group group_mul_is_distributive {
        lemma_mul_is_distributive_add, lemma_mul_is_distributive_add_other_way,
        lemma_mul_is_distributive_sub, lemma_mul_is_distributive_sub_other_way,
    }
    pub broadcast group group_mul_is_commutative_and_distributive {
        lemma_mul_is_commutative, group_mul_is_distributive,
    }
} // mul

mod div_mod {
    pub proof fn lemma_div_by_self(d: int)
        requires d != 0,
        ensures d / d == 1;
    pub proof fn lemma_div_of0(d: int)
        requires d != 0,
        ensures 0int / d == 0;
    pub proof fn lemma_div_basics(x: int)
        ensures x != 0 ==> 0int / x == 0, x / 1 == x, x != 0 ==> x / x == 1;
    pub broadcast proof fn lemma_small_div_converse(x: int, d: int)
        ensures 0 <= x && 0 < d && #[trigger] (x / d) == 0 ==> x < d;
    pub proof fn lemma_div_non_zero(x: int, d: int)
        requires x >= d > 0,
        ensures x / d > 0;
    pub broadcast proof fn lemma_div_is_ordered_by_denominator(x: int, y: int, z: int)
        requires 0 <= x, 1 <= y <= z,
        ensures #[trigger] (x / y) >= #[trigger] (x / z);
    pub broadcast proof fn lemma_div_is_strictly_smaller(x: int, d: int)
        requires 0 < x, 1 < d,
        ensures #[trigger] (x / d) < x;
    pub broadcast proof fn lemma_div_pos_is_pos(x: int, d: int)
        requires 0 <= x, 0 < d,
        ensures 0 <= #[trigger] (x / d);
    pub proof fn lemma_div_plus_one(x: int, d: int)
        requires 0 < d,
        ensures 1 + x / d == (d + x) / d;
    pub proof fn lemma_div_minus_one(x: int, d: int)
        requires 0 < d,
        ensures -1 + x / d == (-d + x) / d;
    pub broadcast proof fn lemma_basic_div(x: int, d: int)
        requires 0 <= x < d,
        ensures #[trigger] (x / d) == 0;
    pub broadcast proof fn lemma_div_is_ordered(x: int, y: int, z: int)
        requires x <= y, 0 < z,
        ensures #[trigger] (x / z) <= #[trigger] (y / z);
    pub broadcast proof fn lemma_div_decreases(x: int, d: int)
        requires 0 < x, 1 < d,
        ensures #[trigger] (x / d) < x;
    pub broadcast proof fn lemma_div_nonincreasing(x: int, d: int)
        requires 0 <= x, 0 < d,
        ensures #[trigger] (x / d) <= x;
    pub proof fn lemma_small_mod(x: nat, m: nat)
        requires x < m, 0 < m,
        ensures x % m == x;
    pub broadcast proof fn lemma_breakdown(x: int, y: int, z: int)
        requires 0 <= x, 0 < y, 0 < z,
        ensures
            #![trigger y * z, x % (y * z), y * ((x / y) % z) + x % y]
            0 < y * z,
            (x % (y * z)) == y * ((x / y) % z) + x % y;
    pub proof fn lemma_remainder_upper(x: int, d: int)
        requires 0 <= x, 0 < d,
        ensures x - d < x / d * d;
    pub proof fn lemma_remainder_lower(x: int, d: int)
        requires 0 <= x, 0 < d,
        ensures x >= x / d * d;
    pub proof fn lemma_remainder(x: int, d: int)
        requires 0 <= x, 0 < d,
        ensures 0 <= x - (x / d * d) < d;
    pub proof fn lemma_fundamental_div_mod(x: int, d: int)
        requires d != 0,
        ensures x == d * (x / d) + (x % d);
    pub broadcast proof fn lemma_div_denominator(x: int, c: int, d: int)
        requires 0 <= x, 0 < c, 0 < d,
        ensures c * d != 0, #[trigger] ((x / c) / d) == x / (c * d);
    pub broadcast proof fn lemma_mul_hoist_inequality(x: int, y: int, z: int)
        requires 0 <= x, 0 < z,
        ensures #![trigger (x * (y / z)), ((x * y) / z)] x * (y / z) <= (x * y) / z;
    pub broadcast proof fn lemma_div_multiples_vanish(x: int, d: int)
        requires 0 < d,
        ensures #[trigger] ((d * x) / d) == x;
    pub broadcast proof fn lemma_div_by_multiple(b: int, d: int)
        requires 0 <= b, 0 < d,
        ensures #[trigger] ((b * d) / d) == b;
    pub proof fn lemma_div_by_multiple_is_strongly_ordered(x: int, y: int, m: int, z: int)
        requires x < y, y == m * z, 0 < z,
        ensures x / z < y / z;
    pub proof fn lemma_multiply_divide_le(a: int, b: int, c: int)
        requires 0 < b, a <= b * c,
        ensures a / b <= c;
    pub proof fn lemma_multiply_divide_lt(a: int, b: int, c: int)
        requires 0 < b, a < b * c,
        ensures a / b < c;
    pub proof fn lemma_hoist_over_denominator(x: int, j: int, d: nat)
        requires 0 < d,
        ensures x / (d as int) + j == (x + j * d) / (d as int);
    pub broadcast proof fn lemma_part_bound1(a: int, b: int, c: int)
        requires 0 <= a, 0 < b, 0 < c,
        ensures #![trigger (b * (a / b) % (b * c))] 0 < b * c, (b * (a / b) % (b * c)) <= b * (c - 1);
    pub broadcast proof fn lemma_mod_self_0(m: int)
        requires m > 0,
        ensures #[trigger] (m % m) == 0;
    pub broadcast proof fn lemma_mod_twice(x: int, m: int)
        requires m > 0,
        ensures #[trigger] ((x % m) % m) == x % m;
    pub broadcast proof fn lemma_mod_division_less_than_divisor(x: int, m: int)
        requires m > 0,
        ensures 0 <= #[trigger] (x % m) < m;
    pub broadcast proof fn lemma_mod_decreases(x: nat, m: nat)
        requires 0 < m,
        ensures #[trigger] (x % m) <= x;
    pub broadcast proof fn lemma_mod_is_zero(x: nat, m: nat)
        requires x > 0 && m > 0, #[trigger] (x % m) == 0,
        ensures x >= m;
    pub broadcast proof fn lemma_mod_multiples_basic(x: int, m: int)
        requires m > 0,
        ensures #[trigger] ((x * m) % m) == 0;
    pub proof fn lemma_mod_add_multiples_vanish(b: int, m: int)
        requires 0 < m,
        ensures (m + b) % m == b % m;
    pub proof fn lemma_mod_sub_multiples_vanish(b: int, m: int)
        requires 0 < m,
        ensures (-m + b) % m == b % m;
    pub broadcast proof fn lemma_mod_multiples_vanish(a: int, b: int, m: int)
        requires 0 < m,
        ensures #[trigger] ((m * a + b) % m) == b % m;
    pub proof fn lemma_mod_subtraction(x: nat, s: nat, d: nat)
        requires 0 < d, 0 <= s <= x % d,
        ensures x % d - s % d == (x - s) % d as int;
    pub proof fn lemma_add_mod_noop(x: int, y: int, m: int)
        requires 0 < m,
        ensures ((x % m) + (y % m)) % m == (x + y) % m;
    pub proof fn lemma_add_mod_noop_right(x: int, y: int, m: int)
        requires 0 < m,
        ensures (x + (y % m)) % m == (x + y) % m;
    pub proof fn lemma_sub_mod_noop(x: int, y: int, m: int)
        requires 0 < m,
        ensures ((x % m) - (y % m)) % m == (x - y) % m;
    pub proof fn lemma_sub_mod_noop_right(x: int, y: int, m: int)
        requires 0 < m,
        ensures (x - (y % m)) % m == (x - y) % m;
    pub proof fn lemma_mod_adds(a: int, b: int, d: int)
        requires 0 < d,
        ensures
            a % d + b % d == (a + b) % d + d * ((a % d + b % d) / d),
            (a % d + b % d) < d ==> a % d + b % d == (a + b) % d;
    pub proof fn lemma_mod_neg_neg(x: int, d: int)
        requires 0 < d,
        ensures x % d == (x * (1 - d)) % d;
    pub proof fn lemma_fundamental_div_mod_converse(x: int, d: int, q: int, r: int)
        requires d != 0, 0 <= r < d, x == q * d + r,
        ensures r == x % d, q == x / d;
    pub proof fn lemma_fundamental_div_mod_converse_mod(x: int, d: int, q: int, r: int)
        requires d != 0, 0 <= r < d, x == q * d + r,
        ensures r == x % d;
    pub proof fn lemma_fundamental_div_mod_converse_div(x: int, d: int, q: int, r: int)
        requires d != 0, 0 <= r < d, x == q * d + r,
        ensures q == x / d;
    pub broadcast proof fn lemma_mod_pos_bound(x: int, m: int)
        requires 0 <= x, 0 < m,
        ensures 0 <= #[trigger] (x % m) < m;
    pub broadcast proof fn lemma_mod_bound(x: int, m: int)
        requires 0 < m,
        ensures 0 <= #[trigger] (x % m) < m;
    pub broadcast proof fn lemma_mul_mod_noop_left(x: int, y: int, m: int)
        requires 0 < m,
        ensures (x % m) * y % m == #[trigger] (x * y % m);
    pub broadcast proof fn lemma_mul_mod_noop_right(x: int, y: int, m: int)
        requires 0 < m,
        ensures x * (y % m) % m == #[trigger] ((x * y) % m);
    pub broadcast proof fn lemma_mul_mod_noop_general(x: int, y: int, m: int)
        requires 0 < m,
        ensures
            ((x % m) * y) % m == (x * y) % m,
            (x * (y % m)) % m == (x * y) % m,
            ((x % m) * (y % m)) % m == #[trigger] ((x * y) % m);
    pub broadcast proof fn lemma_mul_mod_noop(x: int, y: int, m: int)
        requires 0 < m,
        ensures (x % m) * (y % m) % m == #[trigger] ((x * y) % m);
    pub proof fn lemma_mod_equivalence(x: int, y: int, m: int)
        requires 0 < m,
        ensures x % m == y % m <==> (x - y) % m == 0;
    pub open spec fn is_mod_equivalent(x: int, y: int, m: int) -> bool { x % m == y % m <==> (x - y) % m == 0 }
    pub proof fn lemma_mod_ordering(x: int, k: int, d: int)
        requires 1 < d, 0 < k,
        ensures 0 < d * k, x % d <= x % (d * k);
    pub proof fn lemma_mod_mod(x: int, a: int, b: int)
        requires 0 < a, 0 < b,
        ensures 0 < a * b, (x % (a * b)) % a == x % a;
    pub broadcast group group_mod_basics { lemma_mod_self_0, lemma_mod_twice }
    pub broadcast group group_mod_properties { group_mod_basics, lemma_mod_division_less_than_divisor }
} // div_mod

mod power {
    #[verifier::opaque]
    pub open spec fn pow(b: int, e: nat) -> int
        decreases e
    {
        if e == 0 { 1 } else { b * pow(b, (e - 1) as nat) }
    }
    pub proof fn lemma_pow0(b: int)
        ensures pow(b, 0) == 1;
    pub proof fn lemma_pow1(b: int)
        ensures pow(b, 1) == b;
    pub proof fn lemma0_pow(e: nat)
        requires e > 0,
        ensures pow(0, e) == 0;
    pub proof fn lemma1_pow(e: nat)
        ensures pow(1, e) == 1;
    pub proof fn lemma_square_is_pow2(x: int)
        ensures pow(x, 2) == x * x;
    pub proof fn lemma_pow_positive(b: int, e: nat)
        requires b > 0,
        ensures 0 < pow(b, e);
    pub proof fn lemma_pow_adds(b: int, e1: nat, e2: nat)
        ensures pow(b, e1 + e2) == pow(b, e1) * pow(b, e2);
    pub proof fn lemma_pow_sub_add_cancel(b: int, e1: nat, e2: nat)
        requires e1 >= e2,
        ensures pow(b, (e1 - e2) as nat) * pow(b, e2) == pow(b, e1);
    pub proof fn lemma_pow_multiplies(a: int, b: nat, c: nat)
        ensures 0 <= b * c, pow(pow(a, b), c) == pow(a, b * c);
    pub proof fn lemma_pow_distributes(a: int, b: int, e: nat)
        ensures pow(a * b, e) == pow(a, e) * pow(b, e);
    pub proof fn lemma_pow_strictly_increases(b: nat, e1: nat, e2: nat)
        requires 1 < b, e1 < e2,
        ensures pow(b as int, e1) < pow(b as int, e2);
    pub proof fn lemma_pow_increases(b: nat, e1: nat, e2: nat)
        requires b > 0, e1 <= e2,
        ensures pow(b as int, e1) <= pow(b as int, e2);
} // power

mod logarithm {
    pub open spec fn log(base: int, pow: int) -> int
        decreases pow
    {
        if pow < base || pow / base >= pow || pow / base < 0 { 0 } else { 1 + log(base, pow / base) }
    }
    pub proof fn lemma_log0(base: int, pow: int)
        requires base > 1, 0 <= pow < base,
        ensures log(base, pow) == 0;
    pub proof fn lemma_log_s(base: int, pow: int)
        requires base > 1, pow >= base,
        ensures pow / base >= 0, log(base, pow) == 1 + log(base, pow / base);
    pub proof fn lemma_log_nonnegative(base: int, pow: int)
        requires base > 1, 0 <= pow,
        ensures log(base, pow) >= 0;
    pub proof fn lemma_log_is_ordered(base: int, pow1: int, pow2: int)
        requires base > 1, 0 <= pow1 <= pow2,
        ensures log(base, pow1) <= log(base, pow2);
    pub proof fn lemma_log_pow(base: int, n: nat)
        requires base > 1,
        ensures log(base, vstd::arithmetic::power::pow(base, n)) == n;
} // logarithm

mod power2 {
    #[verifier::opaque]
    pub open spec fn pow2(e: nat) -> nat
        decreases e
    {
        if e == 0 { 1nat } else { 2 * pow2((e - 1) as nat) }
    }
    pub broadcast proof fn lemma_pow2_pos(e: nat)
        ensures #[trigger] pow2(e) > 0;
    pub proof fn lemma_pow2(e: nat)
        ensures pow2(e) == vstd::arithmetic::power::pow(2, e);
    pub broadcast proof fn lemma_pow2_unfold(e: nat)
        requires e > 0,
        ensures #[trigger] pow2(e) == 2 * pow2((e - 1) as nat);
    pub proof fn lemma_pow2_adds(e1: nat, e2: nat)
        ensures pow2(e1) * pow2(e2) == pow2(e1 + e2);
    pub proof fn lemma_pow2_strictly_increases(e1: nat, e2: nat)
        requires e1 < e2,
        ensures pow2(e1) < pow2(e2);
    pub proof fn lemma2_to64()
        ensures
            pow2(0) == 0x1, pow2(1) == 0x2, pow2(2) == 0x4, pow2(3) == 0x8, pow2(4) == 0x10, pow2(5) == 0x20,
            pow2(6) == 0x40, pow2(7) == 0x80, pow2(8) == 0x100, pow2(9) == 0x200, pow2(10) == 0x400,
            pow2(11) == 0x800, pow2(12) == 0x1000, pow2(13) == 0x2000, pow2(14) == 0x4000, pow2(15) == 0x8000,
            pow2(16) == 0x10000, pow2(17) == 0x20000, pow2(18) == 0x40000, pow2(19) == 0x80000,
            pow2(20) == 0x100000, pow2(21) == 0x200000, pow2(22) == 0x400000, pow2(23) == 0x800000,
            pow2(24) == 0x1000000, pow2(25) == 0x2000000, pow2(26) == 0x4000000, pow2(27) == 0x8000000,
            pow2(28) == 0x10000000, pow2(29) == 0x20000000, pow2(30) == 0x40000000, pow2(31) == 0x80000000,
            pow2(32) == 0x100000000, pow2(64) == 0x10000000000000000;
} // power2

} // arithmetic
} // vstd
