What is known of a value from its type alone.

//@ int_has_no_bound | failed | an int may be negative
proof fn t(x: int) {
    assert(x >= 0); // FAILS
}

//@ nat_is_not_negative | verified | naturals start at 0
proof fn t(x: nat) { assert(x >= 0); }

//@ nat_may_be_zero | failed | naturals start at 0, not 1
proof fn t(x: nat) {
    assert(x >= 1); // FAILS
}

//@ u8_range | verified | 0 to 255
proof fn t(x: u8) { assert(0 <= x <= 255); }

//@ u8_range_wrong | failed | 255 is a u8
proof fn t(x: u8) {
    assert(x < 255); // FAILS
}

//@ i8_range | verified | -128 to 127
proof fn t(x: i8) { assert(-128 <= x <= 127); }

//@ i8_range_wrong | failed | -128 is an i8
proof fn t(x: i8) {
    assert(x >= -127); // FAILS
}

//@ u64_range | verified | 2 to the 64th less one
proof fn t(x: u64) { assert(x <= 0xFFFF_FFFF_FFFF_FFFF); }

//@ u128_range | verified | a u128 holds every u64
proof fn t(x: u64, y: u128) { assert(x <= u128::MAX); assert(y >= 0); }

//@ i32_range_wrong | failed | i32::MIN is lower than the negated maximum
proof fn t(x: i32) {
    assert(x >= -0x7FFF_FFFF); // FAILS
}

//@ usize_within_its_maximum | verified | the width is unknown, the maximum is not passed
proof fn t(x: usize) { assert(0 <= x <= usize::MAX); }

//@ usize_holds_u32 | verified | the width is 32 or 64
proof fn t() { assert(u32::MAX <= usize::MAX); assert(usize::MAX <= u64::MAX); }

//@ usize_may_exceed_u32 | failed | the width may be 64
proof fn t(x: usize) {
    assert(x <= u32::MAX); // FAILS
}

//@ usize_may_not_hold_u64 | failed | the width may be 32
proof fn t(x: u64) {
    assert(x <= usize::MAX); // FAILS
}

//@ usize_literal_that_may_not_fit | !verified | the width may be 32
fn f() -> usize { 0xFFFF_FFFF_FFFF }

//@ usize_literal_that_fits | verified | 32 bits always fit
fn f() -> (r: usize) ensures r == 0xFFFF_FFFF { 0xFFFF_FFFF }

//@ isize_range | verified | symmetric but for one
proof fn t(x: isize) { assert(isize::MIN <= x <= isize::MAX); }

//@ bool_is_one_of_two | verified | there are two
proof fn t(a: bool, b: bool, c: bool) { assert(a == b || b == c || a == c); }

//@ bool_wrong | failed | two bools may differ
proof fn t(a: bool, b: bool) {
    assert(a == b); // FAILS
}

//@ char_range | verified | the last code point
proof fn t(c: char) { assert(c as u32 <= 0x10FFFF); }

//@ char_range_wrong | failed | there are characters beyond ASCII
proof fn t(c: char) {
    assert((c as u32) < 128); // FAILS
}

//@ char_literals | verified | letters follow each other
proof fn t() { assert('a' as u32 == 97); assert('b' as u32 == 98); assert('a' != 'b'); }

//@ tuple_fields | verified | each field has its type's range
proof fn t(p: (u8, nat)) { assert(p.0 <= 255 && p.1 >= 0); }

//@ tuple_fields_wrong | failed | an int field has no bound
proof fn t(p: (u8, int)) {
    assert(p.1 >= 0); // FAILS
}

//@ struct_fields | verified | each field has its type's range
pub struct P { pub x: u8, pub y: nat }
proof fn t(p: P) { assert(p.x <= 255); assert(p.y >= 0); }

//@ struct_fields_wrong | failed | 255 is a u8
pub struct P { pub x: u8 }
proof fn t(p: P) {
    assert(p.x < 255); // FAILS
}

//@ option_payload | verified | the payload has its type's range
proof fn t(o: Option<u8>) requires o is Some { assert(o->0 <= 255); }

//@ recursive_fields | verified | also inside a recursive type
pub enum List { Nil, Cons(u8, Box<List>) }
proof fn t(l: List) { match l { List::Nil => { } List::Cons(x, _) => { assert(x <= 255); } } }

//@ sequence_elements | verified | elements have their type's range
proof fn t(s: Seq<u8>, i: int) requires 0 <= i < s.len() { assert(s[i] <= 255); }

//@ sequence_elements_out_of_range | verified | even an unknown element is a u8
proof fn t(s: Seq<u8>) { assert(0 <= s[-1] <= 255); }

//@ sequence_elements_wrong | failed | 0 is a u8
proof fn t(s: Seq<u8>, i: int) requires 0 <= i < s.len() {
    assert(s[i] > 0); // FAILS
}

//@ bound_variables | verified | a bound nat is not negative
#[verifier::opaque]
spec fn g(n: nat) -> bool { n > 5 }
proof fn t() { assert(forall|n: nat| g(n) ==> n >= 0); }

//@ vector_length | verified | a length is a usize
proof fn t(v: Vec<u8>) { assert(v.len() <= usize::MAX); assert(v@.len() <= usize::MAX); }

//@ vector_length_wrong | failed | a vector may fill the address space
proof fn t(v: Vec<u8>) {
    assert(v@.len() < usize::MAX); // FAILS
}

//@ sequence_length_has_no_bound | failed | a sequence is no machine object
proof fn t(s: Seq<u8>) {
    assert(s.len() <= usize::MAX); // FAILS
}

//@ vectors_of_equal_views | failed | two vectors may differ in more than their view
proof fn t(v: Vec<u8>, w: Vec<u8>) requires v@ == w@ {
    assert(v == w); // FAILS
}

//@ equal_vectors_have_equal_views | verified | a view is a function
proof fn t(v: Vec<u8>, w: Vec<u8>) requires v == w { assert(v@ == w@); }

//@ mutable_parameter | verified | before and after it is a u8
fn f(x: &mut u8) ensures *final(x) <= 255, *old(x) <= 255 { }

//@ call_result | verified | a result has its type's range
fn g() -> u8 { 3 }
fn f() { let x = g(); assert(x <= 255); }

//@ call_result_wrong | failed | a body is not seen
fn g() -> u8 { 3 }
fn f() {
    let x = g();
    assert(x == 3); // FAILS
}

//@ spec_result | verified | a spec function's result has its type's range
#[verifier::opaque]
spec fn g(x: int) -> nat { 3 }
proof fn t(x: int) { assert(g(x) >= 0); }

//@ box_is_its_content | verified | Box adds nothing
proof fn t(b: Box<u8>) { assert(*b <= 255); }

//@ old_after_change | verified | old is the value at entry
fn f(x: &mut u8) requires *old(x) == 3 ensures *final(x) == 4 { *x = *x + 1; assert(*old(x) == 3); }
