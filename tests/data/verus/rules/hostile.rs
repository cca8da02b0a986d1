Programs that look right and are not: each would be a reward for nothing.

//@ honest_twin | verified | the promise is kept
fn f(v: &Vec<u8>) -> (m: u8) requires v.len() > 0 ensures v@.contains(m) { v[0] }

//@ invariant_contradicts_the_condition | failed | the invariant fails before the loop, whatever follows from it
fn f(n: u8) -> (r: u8) ensures r == 77 {
    let mut i: u8 = 0;
    while i < n
        invariant i > n, // FAILS
        decreases n - i
    { i = i + 1; }
    assert(i > n);
    if n < 255 { 77 } else { 77 }
}

//@ invariant_false | failed | from a false invariant anything follows, but it must hold first
fn f() -> (r: u8) ensures r == 77 {
    let mut i: u8 = 0;
    while i < 3
        invariant false, // FAILS
        decreases 3 - i
    { i = i + 1; }
    0
}

//@ unreachable_by_assertion | failed | the assertion that closes the branch is itself to be proved
fn f(x: u8) -> (r: u8) ensures r == 77 {
    if x > 3 {
        assert(false); // FAILS
        return 0;
    }
    77
}

//@ requires_false_in_a_helper | failed | the helper's promise costs its condition at the call
fn any(x: u8) -> (r: u8)
    requires false // FAILS
    ensures r == 77
{ x }
fn f(x: u8) -> (r: u8) ensures r == 77 { any(x) }

//@ lemma_with_contradictory_requires | failed | the call must prove it
proof fn magic(x: int)
    requires
        x > 0,
        x < 0, // FAILS
    ensures false
{ }
fn f() -> (r: u8) ensures r == 77 { proof { magic(1); } 0 }

//@ lemma_recursion_without_progress | failed | the hypothesis is the claim itself
proof fn magic(x: nat) ensures false decreases x {
    if x > 0 { magic((x - 1) as nat); } else {
        magic(x); // FAILS
    }
}
fn f() -> (r: u8) ensures r == 77 { proof { magic(1); } 0 }

//@ mutual_lemmas_without_progress | failed | from b back to a nothing falls
proof fn a(x: nat) ensures false decreases x, 1int { b(x); }
proof fn b(x: nat) ensures false decreases x, 0int {
    a(x); // FAILS
}

//@ exec_recursion_to_dodge_the_promise | failed | it must get closer to an end
fn f(x: u8) -> (r: u8) ensures r == 77 decreases x {
    f(x) // FAILS
}

//@ exec_mutual_recursion_without_measure | rejected/cheat | two functions that call each other for ever
fn f(x: u8) -> (r: u8) ensures r == 77 { g(x) }
fn g(x: u8) -> (r: u8) ensures r == 77 { f(x) }

//@ exec_mutual_recursion_then | cheat/failed/rejected/verified classic | in 2024 Verus took it: exec code need not end
fn f(x: u8) -> (r: u8) ensures r == 77 { g(x) }
fn g(x: u8) -> (r: u8) ensures r == 77 { f(x) }

//@ spec_function_that_equals_its_successor | failed | no function does
spec fn f(n: int) -> int decreases n {
    f(n) + 1 // FAILS
}
proof fn t()
    ensures false // FAILS
{ }

//@ negative_occurrence | rejected/unsupported | a type that holds functions from itself is a paradox
pub struct D { pub f: spec_fn(D) -> bool }
spec fn liar(d: D) -> bool { !(d.f)(d) }
proof fn t() ensures false { let d = D { f: |x: D| liar(x) }; assert(liar(d) == !liar(d)); }

//@ shadowed_prelude_function | !verified | a user's own `old` or view must not change the meaning of the contract
pub trait Liar { spec fn view(&self) -> int; }
impl Liar for u8 { spec fn view(&self) -> int { 7 } }
fn f(x: u8) -> (r: u8) ensures r@ == 7, r == 9 { x }

//@ shadowed_type | !verified | a local type of a library name is not the library's
pub struct Vec { pub x: u8 }
fn f(v: &Vec) -> (r: u8) ensures r == v.len() { v.x }

//@ shadowed_variable_in_ensures | failed | the clause speaks of the parameter, not of the local
fn f(x: u8) -> (r: u8)
    ensures r == x // FAILS
{ let x: u8 = 3; x }

//@ result_named_like_a_parameter | rejected | one name, one thing
fn f(x: u8) -> (x: u8) ensures x == 3 { 3 }

//@ old_of_a_local | !verified | old speaks of the parameter
fn f(x: &mut u8) ensures *final(x) == 3 { let mut x: u8 = 1; x = 3; }

//@ division_to_nowhere | failed | nothing is known of x / 0, not even in a product
proof fn t(x: int) {
    assert((x / 0) * 0 == x); // FAILS
}

//@ overflow_in_a_dead_looking_branch | failed | the branch is alive
fn f(x: u8) -> (r: u8) ensures r >= x {
    if x >= 0 {
        x + 1 // FAILS
    } else {
        x
    }
}

//@ index_beyond_in_a_contract_is_unknown | failed | the clause reads an element that is not there
fn f(v: &Vec<u8>) -> (r: u8) requires v.len() == 0
    ensures r == v[0] // FAILS
{ 0 }

//@ cast_in_the_contract | failed | the promise is about the number, not about its truncation
fn f(x: u64) -> (r: u64)
    ensures r == x // FAILS
{ (x as u8) as u64 }

//@ choose_as_an_oracle | failed | a choice from nothing proves nothing
proof fn t() {
    let x = choose|x: int| #![trigger id(x)] id(x) == x && x > x;
    assert(x > x); // FAILS
}
spec fn id(x: int) -> int { x }

//@ trigger_games | failed | a fact that never fires proves nothing
#[verifier::opaque]
spec fn p(x: int) -> bool { x > 0 }
#[verifier::opaque]
spec fn q(x: int) -> bool { x > 0 }
proof fn t() requires forall|x: int| #![trigger q(x)] p(x) {
    assert(p(-1)); // FAILS
}

//@ equal_by_name | failed | two fields of one name in two types
pub struct A { pub x: int }
pub struct B { pub x: int }
proof fn t(a: A, b: B) {
    assert(a.x == b.x); // FAILS
}

//@ unwrap_hidden_in_a_condition | failed | the condition runs first
fn f(o: Option<u8>) -> bool {
    o.unwrap() > 3 && o.is_some() // FAILS
}

//@ borrowed_twice | rejected/unsupported | two names for one place
fn f() { let mut x: u8 = 1; let a = &mut x; let b = &mut x; *a = 2; *b = 3; assert(x == 2); }

//@ returned_reference_to_a_local | rejected/unsupported | the local is gone
fn f() -> &'static u8 { let x: u8 = 1; &x }

//@ loop_without_end_behind_a_label | !verified | it never gets to its promise
fn f() -> (r: u8) ensures r == 77 { 'a: loop decreases 0int { continue 'a; } }

//@ ensures_on_an_uninhabited_result | !verified | a function to nowhere
fn f() -> (r: u8) ensures false { f() }

//@ static_assert_in_a_const | !verified | a constant that promises nonsense
pub const X: u8 = { assert(false); 3 };

//@ many_small_lies | failed | each lie is found
proof fn t(x: int, y: int) {
    assert(x == y); // FAILS
    assert(y == x);
    assert(x > 10 || y < 10); // FAILS
}

//@ a_verified_function_beside_a_lie | failed | the honest one does not save the file
fn good(x: u8) -> (r: u8) ensures r == x { x }
fn bad(x: u8) -> (r: u8)
    ensures r == 77 // FAILS
{ x }

//@ lie_in_a_method | failed | methods are verified too
pub struct P { pub x: u8 }
impl P {
    fn get(&self) -> (r: u8)
        ensures r == self.x + 1 // FAILS
    { self.x }
}

//@ lie_in_a_module | failed/unsupported | modules are verified too
mod m {
    use vstd::prelude::*;
    pub fn f(x: u8) -> (r: u8)
        ensures r == 77 // FAILS
    { x }
}

//@ lie_in_a_nested_function | !verified | nested functions are verified too
fn f() {
    fn g(x: u8) -> (r: u8) ensures r == 77 { x }
}

//@ lie_in_a_trait_default | !verified | default bodies are verified too
pub trait T { fn g(&self) -> (r: u8) ensures r == 77 { 3 } }

//@ lie_in_a_generic_impl | failed | bodies of generic types too
pub struct W<T> { pub inner: T }
impl<T> W<T> {
    fn get(self) -> (r: u8)
        ensures r == 77 // FAILS
    { 3 }
}

//@ lie_in_an_unused_generic_function | failed | even if nobody makes an instance
fn f<T>(x: T) -> (r: u8)
    ensures r == 77 // FAILS
{ 3 }

//@ second_macro | !verified raw | the lie stands in a second macro
use vstd::prelude::*;
verus! {
fn good(x: u8) -> (r: u8) ensures r == x { x }
}
verus! {
fn bad(x: u8) -> (r: u8) ensures r == 77 { x }
}
