Bit operators.

//@ and_fits | verified | the result is of the type
proof fn t(x: u8, y: u8) { assert(0 <= x & y <= 255); }

//@ and_is_opaque | failed | the default prover knows no bits
proof fn t(x: u8) {
    assert(x & 1 <= 1); // FAILS
}

//@ and_with_bit_vector | verified | one bit is at most 1
proof fn t(x: u8) { assert(x & 1 <= 1) by (bit_vector); }

//@ bit_vector_false | failed | 2 | 1 is 3
proof fn t(x: u8) {
    assert(x | 1 <= 1) by (bit_vector); // FAILS
}

//@ bit_vector_does_not_wrap | failed | + is widened, so 255 + 1 is 256
proof fn t(x: u8) requires x == 255 {
    assert(x + 1 == 0) by (bit_vector) requires x == 255; // FAILS
}

//@ bit_vector_is_widened | verified | 255 + 1 is 256
proof fn t(x: u8) { assert(x + 1 > x) by (bit_vector); }

//@ bit_vector_with_requires | verified | its own hypotheses
proof fn t(x: u8, y: u8) requires x < 16, y < 16 {
    assert(x | y < 16) by (bit_vector) requires x < 16, y < 16;
}

//@ bit_vector_knows_no_context | failed | the facts must be listed
proof fn t(x: u8, y: u8) requires x < 16, y < 16 {
    assert(x | y < 16) by (bit_vector); // FAILS
}

//@ bit_vector_of_int | rejected/unsupported | an int has no width
proof fn t(x: int) { assert(x >= x) by (bit_vector); }

//@ xor_swaps | verified | x ^ y ^ y is x
proof fn t(x: u32, y: u32) { assert((x ^ y) ^ y == x) by (bit_vector); }

//@ shift_is_division | verified | one place to the right halves
proof fn t(x: u64) { assert(x >> 1 == x / 2) by (bit_vector); }

//@ shift_is_division_wrong | failed | one place halves, two quarter
proof fn t(x: u64) {
    assert(x >> 2 == x / 2) by (bit_vector); // FAILS
}

//@ shift_right_does_not_grow_the_type | verified | the result is a u8 like x
proof fn t(x: u8, n: u8) { assert(x >> n <= 255); }

//@ exec_and | verified | exec and ghost mean the same operator
fn f(x: u8, y: u8) -> (r: u8) ensures r == x & y { x & y }

//@ exec_and_wrong | failed | & and | differ
fn f(x: u8, y: u8) -> (r: u8)
    ensures r == x | y // FAILS
{ x & y }

//@ bool_operators_do_not_mix | rejected | a bool and a number
fn f(x: u8, b: bool) -> u8 { x & b }

//@ not | verified | all bits flipped
proof fn t(x: u8) { assert(x & !x == 0) by (bit_vector); }

//@ usize_in_both_widths | verified | true for 32 and for 64 bits
proof fn t(x: usize) { assert(x & 1 <= 1) by (bit_vector); }

//@ usize_of_one_width | !verified | true only if usize has 32 bits
proof fn t(x: usize) {
    assert(x >> 32 <= 0) by (bit_vector);
}
