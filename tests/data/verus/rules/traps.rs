Mistakes that a first verifier of this kind made.

//@ names_like_internal_ones | failed | a parameter b and an unknown bool are different things
fn cond() -> bool { true }
fn f(b: bool) -> (r: bool)
    ensures r == b // FAILS
{ if cond() { true } else { false } }

//@ shadowed_names_stay_apart | failed | the first b is not the second
fn f(b: bool) {
    let a = b;
    let b = !b;
    assert(a == b); // FAILS
}

//@ names_with_numbers | failed | x1 is no version of x
fn f(x: u8, x1: u8) {
    let mut x = x;
    x = 3;
    assert(x1 == 3); // FAILS
}

//@ names_like_solver_words | verified | user names never meet the solver's
fn f(len: u8, select: u8, ite: bool) -> (distinct: u8) ensures distinct == len { let store = select; len }

//@ names_like_library_functions | failed | a user's len is its own
spec fn len(s: Seq<int>) -> nat { 3 }
proof fn t(s: Seq<int>) {
    assert(s.len() == 3); // FAILS
}

//@ loop_ensures_and_the_condition | failed | with an ensures clause the negated condition is not known
fn f(n: u64) -> (r: u64)
    ensures r == n // FAILS
{
    let mut i: u64 = 0;
    while i < n
        invariant i <= n
        ensures i <= n
        decreases n - i
    { i = i + 1; }
    i
}

//@ constants_are_checked | failed/rejected | 250 + 10 is no u8
pub const BIG: u8 = 250 + 10; // FAILS
proof fn t() { }

//@ constants_that_divide_by_zero | failed/rejected | 1 / 0 has no value
pub const BAD: u8 = 1 / (2 - 2); // FAILS
proof fn t() { }

//@ attributes_outside | !verified raw | items outside with Verus attributes are not skipped
use vstd::prelude::*;
#[verifier::proof]
fn t() { ensures(false); }
verus! {
fn f(x: u8) -> (r: u8) ensures r == x { x }
}

//@ len_and_the_length_of_the_view | failed | a[i].len() as a trigger does not meet the length of the view
#[verifier::opaque]
spec fn good(n: int) -> bool { n > 0 }
proof fn t(a: Seq<Vec<u8>>) requires a.len() > 3, forall|i: int| 0 <= i < a.len() ==> good(#[trigger] a[i].len() as int) {
    assert(good(a[2]@.len() as int)); // FAILS
}

//@ len_of_a_vector_is_the_length_of_its_view | verified | each mention of v.len() ties the two together
proof fn t(v: Vec<u8>) requires v.len() == 3 { assert(v@.len() == 3); }

//@ push_length_axiom_needs_the_length | verified | the length of the longer one is mentioned
proof fn t(s: Seq<int>, u: Seq<int>) requires u == s.push(3) { assert(u.len() == s.len() + 1); }

//@ ground_terms_stay_visible | verified | v[0] is a witness although it was stored in a variable
fn f(v: &Vec<u8>) -> (r: u8) requires v.len() > 0 ensures exists|i: int| 0 <= i < v.len() && v[i] == r { let x = v[0]; x }

//@ ghost_types_do_not_flow_into_exec | verified | the literal stays a machine integer
fn f(n: usize) -> (r: usize) ensures r == n {
    let mut count = 0;
    while count < n invariant count as int <= n as int decreases n - count { count = count + 1; }
    count
}

//@ promotion | verified | == between views in an assertion
fn f(v: &Vec<u8>) { let w = v.clone(); assert(w@ == v@); }

//@ facts_do_not_leak | failed | what assert by proved inside stays inside
#[verifier::opaque]
spec fn p(x: int) -> bool { x > 3 }
proof fn t() {
    assert(true) by { reveal(p); assert(p(4)); }
    assert(p(4)); // FAILS
}

//@ axioms_born_inside_live_on | verified | a type first met inside assert by keeps its axioms outside
proof fn t(a: int) {
    assert(true) by { let s: Seq<Seq<int>> = seq![seq![a]]; assert(s[0].len() == 1); }
    let u: Seq<Seq<int>> = seq![seq![a, a]];
    assert(u[0].len() == 2);
}

//@ recursion_is_guarded_by_fuel | failed | no endless unfolding, only a quick no
spec fn f(n: int) -> int decreases n { if n <= 1 { 0 } else { f(n - 1) + f(n - 2) } }
proof fn t(n: int) {
    assert(f(n) >= n); // FAILS
}

//@ exhaustiveness_is_syntactic | rejected | that x is 1 or 2 does not complete the match
fn f(x: u8) -> u8 requires x == 1 || x == 2 { match x { 1 => 10, 2 => 20 } }

//@ trigger_under_a_cast | failed | g was mentioned, h was not, and h is the trigger
spec fn g(x: int) -> bool { x > 2 }
spec fn h(x: int) -> bool { x > 1 }
proof fn t() {
    assert(g(3));
    assert(exists|i: nat| g(i as int) && #[trigger] h(i as int)); // FAILS
}

//@ reborrowed_reference | !verified | two ways to one place
fn f() { let mut x: u8 = 1; let y = &mut x; let z = &mut *y; *z = 5; assert(x == 1); }

//@ text_outside_is_no_proof | !verified raw | the function stands outside the macro
use vstd::prelude::*;
verus! {
}
fn f(x: u8) -> u8 { x }
