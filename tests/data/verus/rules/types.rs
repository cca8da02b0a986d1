Type inference as rustc and Verus do it.

//@ literal_defaults_to_i32 | verified | an unconstrained literal of exec code is an i32
fn f() { let x = 3; let y: i32 = x; }

//@ literal_does_not_default_to_u64 | verified | the later use decides
fn f() { let x = 3; let y: u64 = x; }

//@ two_types_for_one_literal | rejected | one variable has one type
fn f() { let x = 3; let y: u64 = x; let z: u8 = x; }

//@ literal_takes_the_other_side | verified | 1 is a u8 beside x
fn f(x: u8) -> (r: u8) requires x < 9 ensures r == x + 1 { let one = 1; x + one }

//@ exec_sides_differ | rejected | Rust adds no u8 to a u16
fn f(x: u8, y: u16) -> u16 { x + y }

//@ exec_comparison_sides_differ | rejected | Rust compares no u8 with a u16
fn f(x: u8, y: u16) -> bool { x < y }

//@ ghost_sides_differ | verified | ghost sums take any integers
spec fn f(x: u8, y: u16) -> int { x + y }
proof fn t() { assert(f(255, 1) == 256); }

//@ ghost_comparison_sides_differ | verified | ghost comparisons take any integers
proof fn f(x: u8, y: nat, z: int) requires x < y, y < z { assert(x < z); assert(x != z); }

//@ ghost_equality_of_int_and_bool | rejected | a number is no truth value
proof fn f(x: int, b: bool) { assert(x == b); }

//@ ghost_division_sides_differ | rejected | / wants equal types
spec fn f(x: u8, y: u16) -> int { (x / y) as int }

//@ invariant_does_not_retype_an_exec_variable | verified | counter is a u8 like n, whatever ghost code compares it with
fn f(n: u8) -> (r: u8) ensures r == n {
    let mut counter = 0;
    let ghost goal: nat = n as nat;
    while counter < n
        invariant counter <= goal, goal == n
        decreases goal - counter
    { counter = counter + 1; }
    counter
}

//@ invariant_does_not_pick_the_type | verified | no exec use fixes the type: i32, although a nat is compared
spec fn g() -> nat { 5 }
fn f() { let mut counter = 0; assert(counter <= g()); counter = 4; let y: i32 = counter; }

//@ literal_too_large | rejected | 256 is no u8
fn f() -> u8 { 256 }

//@ literal_largest | verified | 255 is the largest u8
fn f() -> (r: u8) ensures r == 255 { 255 }

//@ literal_too_small | rejected | -129 is no i8
fn f() -> i8 { -129 }

//@ literal_smallest | verified | -128 is the smallest i8
fn f() -> (r: i8) ensures r == -128 { -128 }

//@ ghost_literal_too_large | rejected | a suffix binds ghost literals too
proof fn f() { assert(256u8 == 256int); }

//@ negative_unsigned | rejected | rustc has no minus for u8
fn f(x: u8) -> u8 { -x }

//@ suffixes | verified | a suffix fixes the type
fn f() { let x = 3u8; let y: u8 = x; let z = 0xFFu16; let w: u16 = z; let big = 1_000_000u64; assert(big == 1000000); }

//@ suffix_contradicts | rejected | a u8 is no u16
fn f() { let x: u16 = 3u8; }

//@ nat_argument_without_a_cast | rejected | i + 1 of an int is an int
spec fn g(n: nat) -> bool { n > 3 }
proof fn f(i: int) requires i > 9 { assert(g(i + 1)); }

//@ nat_argument_with_a_cast | verified | the cast says which nat
spec fn g(n: nat) -> bool { n > 3 }
proof fn f(i: int) requires i > 9 { assert(g((i + 1) as nat)); }

//@ nat_plus_nat_is_nat | verified | sums of naturals are naturals
spec fn g(n: nat) -> nat { n }
proof fn f(i: nat) { assert(g(i + 1) > 0); }

//@ machine_argument_for_int | rejected | no integer turns into another by itself
spec fn g(n: int) -> int { n }
proof fn f(i: u8) { assert(g(i) == i); }

//@ index_by_nat | rejected | a sequence is indexed by int
proof fn f(s: Seq<u8>, n: nat) requires n < s.len() { assert(s[n] >= 0); }

//@ index_by_nat_with_a_cast | verified | the same index as int
proof fn f(s: Seq<u8>, n: nat) requires n < s.len() { assert(s[n as int] >= 0); }

//@ exec_index_by_u32 | rejected | a vector is indexed by usize
fn f(v: &Vec<u8>, i: u32) -> u8 requires i < v.len() { v[i] }

//@ exec_index_by_usize | verified | a vector is indexed by usize
fn f(v: &Vec<u8>, i: usize) -> (r: u8) requires i < v.len() ensures r == v[i as int] { v[i] }

//@ arms_differ | rejected | both arms of an if have one type
fn f(b: bool) -> u8 { if b { 1u8 } else { 2u16 } }

//@ match_arms_differ | rejected | all arms of a match have one type
spec fn f(o: Option<int>) -> int { match o { Some(x) => x, None => false } }

//@ else_is_missing | rejected | an if without else has no value
fn f(b: bool) -> u8 { if b { 1u8 } }

//@ condition_is_a_number | rejected | a condition is a bool
fn f(x: u8) -> u8 { if x { 1 } else { 2 } }

//@ spec_body_int_for_nat | rejected | n - 1 is an int
spec fn f(n: nat) -> nat { n - 1 }

//@ spec_body_nat_for_int | rejected | the declared type must be met exactly
spec fn f(n: nat) -> int { n }

//@ spec_body_cast | verified | a cast meets it
spec fn f(n: nat) -> int { n as int }
proof fn t(n: nat) { assert(f(n) >= 0); }

//@ result_is_missing | rejected | a u8 is promised
fn f() -> u8 { }

//@ result_behind_a_semicolon | rejected | the statement throws the value away
fn f() -> u8 { 3; }

//@ argument_count | rejected | g takes two
fn g(x: u8, y: u8) { }
fn f() { g(1); }

//@ argument_type | rejected | g takes a bool
fn g(x: bool) { }
fn f() { g(1); }

//@ unknown_variable | rejected | y is not bound
fn f(x: u8) -> u8 { y }

//@ unknown_function | rejected | there is no h
fn f(x: u8) -> u8 { h(x) }

//@ unknown_method | rejected/unsupported | a vector has no total
fn f(v: Vec<u8>) -> u8 { v.total() }

//@ unknown_type | rejected | there is no Matrix
fn f(m: Matrix) { }

//@ result_name_in_requires | rejected | the result is not there before the call
fn f(x: u8) -> (r: u8) requires r > 0 { x }

//@ local_in_ensures | rejected | locals end with the body
fn f(x: u8) -> (r: u8) ensures r == y { let y = x; y }

//@ sequences_of_two_types | rejected | equality needs one type
proof fn f(s: Seq<u8>, t: Seq<int>) { assert(s == t); }

//@ bool_as_int | rejected | a bool has no number
proof fn f(b: bool) { assert((b as int) >= 0); }

//@ arithmetic_on_bool | rejected | bools do not add
fn f(a: bool, b: bool) -> bool { a + b }

//@ not_on_int | rejected | ! of a number has no place in ghost booleans
proof fn f(x: int) { assert(!x); }

//@ vec_for_slice | verified | &Vec coerces to a slice
fn g(s: &[u8]) -> (r: usize) ensures r == s@.len() { s.len() }
fn f(v: &Vec<u8>) -> (r: usize) ensures r == v@.len() { g(v) }

//@ slice_for_vec | rejected | a slice is no vector
fn g(s: &Vec<u8>) -> usize { s.len() }
fn f(v: &[u8]) -> usize { g(v) }

//@ tuple_fields | verified | pairs by position
fn f(p: (u8, bool)) -> (r: u8) ensures r == p.0 { p.0 }

//@ tuple_field_beyond | rejected | a pair has two fields
fn f(p: (u8, bool)) -> u8 { p.2 }

//@ shadowing | verified | the second x is another variable
fn f(x: u8) -> (r: bool) ensures r == (x > 3) { let x = x > 3; x }

//@ generic_at_two_types | verified | one instance per use
spec fn same<T>(a: T, b: T) -> bool { a == b }
proof fn f() { assert(same(1int, 1int)); assert(same(true, true)); }

//@ generic_at_unequal_types | rejected | T is one type
spec fn same<T>(a: T, b: T) -> bool { a == b }
proof fn f() { assert(same(1int, true)); }

//@ generic_body_knows_nothing | rejected | a T has no order
spec fn less<T>(a: T, b: T) -> bool { a < b }

//@ array_for_slice | verified | &[T; n] coerces to a slice
fn g(s: &[u8]) -> (r: usize) ensures r == s@.len() { s.len() }
fn f(a: [u8; 3]) -> (r: usize) ensures r == 3 { g(&a) }

//@ array_for_slice_through_two_references | rejected | the array must stand right behind the reference
fn g(s: &[u8]) -> usize { s.len() }
fn f(a: [u8; 3]) -> usize { g(&&a) }

//@ slice_by_value | rejected | the size of a slice is not known
fn f(s: [u8]) -> u8 requires s.len() > 0 { s[0] }

//@ slice_by_dereference | rejected | the size of a slice is not known
fn f(s: &[u8]) { let t = *s; }

//@ text_by_value | rejected | the size of a text is not known
fn f(s: str) { }

//@ option_of_a_slice | rejected | the size of a slice is not known
fn f(s: Option<[u8]>) { }

//@ clone_of_a_reference | rejected/unsupported | the clone of a && is a &, no vector
fn f(v: &&Vec<u8>) -> (w: Vec<u8>) ensures w@ == v@ { v.clone() }

//@ tail_behind_a_return | rejected | a tail has a type, even where nobody gets to it
fn f(x: u8) -> u8 { return x; if x > 3 { } }

//@ no_tail_behind_a_return | verified | the block never ends, so it fits every type
fn f(x: u8) -> (r: u8) ensures r == x { return x; let y: u8 = 3; }
