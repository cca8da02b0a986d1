Constructs beyond the core: closures, generic code, strings, iteration, macros of proofs.

//@ spec_closure_parameter | verified | a spec_fn is called like a function
spec fn twice(f: spec_fn(int) -> int, x: int) -> int { f(f(x)) }
proof fn t() { assert(twice(|x: int| x + 3, 1) == 7); }

//@ spec_closure_parameter_wrong | failed | 1 + 3 + 3
spec fn twice(f: spec_fn(int) -> int, x: int) -> int { f(f(x)) }
proof fn t() {
    assert(twice(|x: int| x + 3, 1) == 4); // FAILS
}

//@ closure_captures | verified | the closure keeps the value of n
proof fn t(n: int) { let f = |x: int| x + n; assert(f(1) == n + 1); }

//@ closures_are_not_equal_by_chance | failed | two closures with different bodies
proof fn t() {
    let f = |x: int| x + 1;
    let g = |x: int| x + 2;
    assert(f == g); // FAILS
}

//@ closures_extensional | verified | equal everywhere is equal
proof fn t(f: spec_fn(int) -> int, g: spec_fn(int) -> int) requires forall|x: int| #[trigger] f(x) == g(x) { assert(f =~= g); }

//@ closures_extensional_wrong | failed | equal at 0 only
proof fn t(f: spec_fn(int) -> int, g: spec_fn(int) -> int) requires f(0) == g(0) {
    assert(f =~= g); // FAILS
}

//@ fold_right_of_nothing | verified | the start value
proof fn t() { reveal_with_fuel(Seq::fold_right, 2); assert(Seq::<int>::empty().fold_right(|x: int, a: int| a + x, 7int) == 7); }

//@ fold_right_wrong | failed | the sum of unknown elements is unknown
proof fn t(s: Seq<int>) {
    assert(s.fold_right(|x: int, a: int| a + x, 0int) == 0); // FAILS
}

//@ filter_is_opaque | failed | without reveal only bounds are known of it
proof fn t(s: Seq<int>) requires s.len() == 1, s[0] == 5 {
    assert(s.filter(|x: int| x > 0).len() == 1); // FAILS
}

//@ sequences_of_min_and_max | failed/unsupported | nothing says that the maximum is 0
proof fn t(s: Seq<int>) requires s.len() > 0 {
    assert(s.max() == 0); // FAILS
}

//@ generic_function_with_a_vector | verified | the length does not depend on T
fn size<T>(v: &Vec<T>) -> (n: usize) ensures n == v.len() { v.len() }
fn f(v: Vec<u8>, w: Vec<bool>) { let a = size(&v); let b = size(&w); assert(a == v.len() && b == w.len()); }

//@ generic_function_moves_its_argument | verified | it gives back what it took
fn pass<T>(x: T) -> (r: T) ensures r == x { x }
fn f(v: Vec<u8>) -> (r: Vec<u8>) ensures r == v { pass(v) }

//@ generic_lemma | verified | one proof for all types
proof fn same<T>(s: Seq<T>, i: int) requires 0 <= i < s.len() ensures s.update(i, s[i]) =~= s { }
proof fn t(s: Seq<bool>) requires s.len() > 2 { same(s, 1); assert(s.update(1, s[1]) == s); }

//@ generic_lemma_wrong | failed | another element is written
proof fn same<T>(s: Seq<T>, i: int)
    requires 0 < i < s.len()
    ensures s.update(i, s[0]) =~= s // FAILS
{ }

//@ generic_recursion | verified | the length of a sequence, whatever it holds
spec fn size<T>(s: Seq<T>) -> nat decreases s.len() { if s.len() == 0 { 0 } else { 1 + size(s.drop_last()) } }
proof fn t<T>(s: Seq<T>) ensures size(s) == s.len() decreases s.len() { if s.len() > 0 { t(s.drop_last()); } }

//@ generic_recursion_wrong | failed | it is not one more
spec fn size<T>(s: Seq<T>) -> nat decreases s.len() { if s.len() == 0 { 0 } else { 1 + size(s.drop_last()) } }
proof fn t<T>(s: Seq<T>)
    ensures size(s) == s.len() + 1 // FAILS
    decreases s.len()
{ if s.len() > 0 { t(s.drop_last()); } }

//@ generic_enum | verified | a type of our own with a parameter
pub enum Maybe<T> { No, Yes(T) }
spec fn or_else<T>(m: Maybe<T>, d: T) -> T { match m { Maybe::No => d, Maybe::Yes(x) => x } }
proof fn t() { assert(or_else(Maybe::Yes(3int), 4) == 3); assert(or_else(Maybe::No, 4int) == 4); }

//@ generic_impl | verified | methods for every instance
pub struct W<T> { pub inner: T }
impl<T> W<T> { pub fn new(inner: T) -> (w: W<T>) ensures w.inner == inner { W { inner } } }
fn f() { let w = W::new(3u8); assert(w.inner == 3); }

//@ type_argument_count | rejected | W has one parameter
pub struct W<T> { pub inner: T }
fn f(w: W<u8, u8>) { }

//@ if_let_with_else | verified | each side knows its pattern
fn f(o: Option<u8>) -> (r: u8) ensures r == (match o { Some(x) => x, None => 9u8 }) { if let Some(x) = o { x } else { 9 } }

//@ while_let | verified | it ends with the first None
fn f(v: &mut Vec<u8>) ensures final(v).len() == 0 {
    while let Some(x) = v.pop()
        invariant true
        ensures v.len() == 0
        decreases v.len()
    { }
}

//@ while_let_without_ensures | failed | a loop with a pattern is left as by break, so only its ensures are known
fn f(v: &mut Vec<u8>)
    ensures final(v).len() == 7 // FAILS
{
    while let Some(x) = v.pop()
        invariant true
        decreases v.len()
    { }
}

//@ nested_function | verified/unsupported | a function inside a function
fn f(x: u8) -> (r: u8) ensures r == x {
    fn g(y: u8) -> (r: u8) ensures r == y { y }
    g(x)
}

//@ range_with_both_ends | verified/unsupported | ..= takes the last one too
fn f(n: u8) -> (s: u64) requires n < 200 ensures s == n + 1 {
    let mut s: u64 = 0;
    for i in 0..=n invariant s == i, n < 200 { s = s + 1; }
    s
}

//@ range_with_both_ends_wrong | !verified | ..= takes the last one too
fn f(n: u8) -> (s: u64) requires n < 200 ensures s == n {
    let mut s: u64 = 0;
    for i in 0..=n invariant s == i, n < 200 { s = s + 1; }
    s
}

//@ array_literal_is_read | verified | three elements
fn f() { let a: [u8; 3] = [4, 5, 6]; assert(a[1] == 5); let x = a[2]; assert(x == 6); }

//@ array_literal_wrong | failed | counting starts at 0
fn f() {
    let a: [u8; 3] = [4, 5, 6];
    assert(a[1] == 4); // FAILS
}

//@ array_length | verified | it is in the type
fn f(a: [u8; 3]) -> (n: usize) ensures n == 3 { a.len() }

//@ array_written | verified | one element changes
fn f() { let mut a: [u8; 3] = [4, 5, 6]; a[1] = 9; assert(a[1] == 9); assert(a[2] == 6); }

//@ string_literal | verified/unsupported | its characters are known after reveal
fn f() { proof { reveal_strlit("ab"); } assert("ab"@.len() == 2); assert("ab"@[0] == 'a'); }

//@ string_literal_without_reveal | failed | its characters are hidden
fn f() {
    assert("ab"@.len() == 2); // FAILS
}

//@ string_literals_differ | !verified | equal views of two texts
fn f() { proof { reveal_strlit("ab"); reveal_strlit("ba"); } assert("ab"@ == "ba"@); }

//@ string_get_char_in_range | verified | there is a first character
fn f(s: &str) -> (c: char) requires s@.len() > 0 ensures c == s@[0] { s.get_char(0) }

//@ assert_by_contradiction | verified | the opposite is absurd
proof fn t(x: int, y: int) requires x <= y, y <= x { assert_by_contradiction!(x == y, { assert(x < y || y < x); }); }

//@ assert_by_contradiction_wrong | !verified | the opposite is possible
proof fn t(x: int, y: int) requires x <= y { assert_by_contradiction!(x == y, { }); }

//@ assert_seqs_equal | verified | lengths and elements
proof fn t(s: Seq<int>) { assert_seqs_equal!(s.push(1).drop_last(), s); }

//@ assert_seqs_equal_wrong | !verified | one is longer
proof fn t(s: Seq<int>) { assert_seqs_equal!(s.push(1), s); }

//@ broadcast_lemma | verified | what it ensures holds where its trigger stands
#[verifier::opaque]
spec fn p(x: int) -> bool { x == x }
broadcast proof fn l(x: int) ensures #[trigger] p(x) { reveal(p); }
proof fn t() { broadcast use l; assert(p(3)); }

//@ broadcast_lemma_not_used | failed | nobody asked for it
#[verifier::opaque]
spec fn p(x: int) -> bool { x == x }
broadcast proof fn l(x: int) ensures #[trigger] p(x) { reveal(p); }
proof fn t() {
    assert(p(3)); // FAILS
}

//@ broadcast_lemma_that_is_false | failed | it is proved like any other
#[verifier::opaque]
spec fn p(x: int) -> bool { x > 0 }
broadcast proof fn l(x: int)
    ensures #[trigger] p(x) // FAILS
{ reveal(p); }
proof fn t() { broadcast use l; assert(p(-3)); }

//@ broadcast_lemma_with_requires | failed | 3 is not above 5
#[verifier::opaque]
spec fn p(x: int) -> bool { x > 0 }
broadcast proof fn l(x: int) requires x > 5 ensures #[trigger] p(x) { reveal(p); }
proof fn t() {
    broadcast use l;
    assert(p(3)); // FAILS
}

//@ broadcast_lemma_proves_itself | !verified | its own proof must not lean on it
#[verifier::opaque]
spec fn p(x: int) -> bool { x > 0 }
broadcast proof fn l(x: int) ensures #[trigger] p(x) { broadcast use l; }

//@ broadcast_lemmas_prove_each_other | !verified | two that lean on each other prove nothing
#[verifier::opaque]
spec fn p(x: int) -> bool { x > 0 }
#[verifier::opaque]
spec fn q(x: int) -> bool { x > 0 }
broadcast proof fn l(x: int) ensures #[trigger] p(x) { broadcast use m; assert(q(x)); reveal(p); reveal(q); }
broadcast proof fn m(x: int) ensures #[trigger] q(x) { broadcast use l; assert(p(x)); reveal(p); reveal(q); }

//@ broadcast_group_of_the_library | verified/unsupported | multiplication facts by group
proof fn t(x: int, y: int) requires x > 0, y > 0 { broadcast use vstd::arithmetic::mul::group_mul_properties; assert(x * y > 0); }

//@ broadcast_group_unknown | rejected/unsupported | there is no such group
proof fn t(x: int) { broadcast use vstd::arithmetic::mul::group_of_everything; }

//@ ghost_argument | verified/unsupported | a ghost value travels beside the real ones
fn g(x: u8, Ghost(y): Ghost<int>) requires x > y { }
fn f() { g(5, Ghost(3)); }

//@ ghost_argument_wrong | !verified | 3 is not above 3
fn g(x: u8, Ghost(y): Ghost<int>) requires x > y { }
fn f() { g(3, Ghost(3)); }

//@ trait_with_a_contract | verified/unsupported | the implementation keeps the trait's promise
pub trait Size { fn size(&self) -> (n: u8) ensures n < 9; }
pub struct P { pub x: u8 }
impl Size for P { fn size(&self) -> (n: u8) { 3 } }

//@ trait_with_a_contract_that_is_broken | !verified | the implementation does not keep the trait's promise
pub trait Size { fn size(&self) -> (n: u8) ensures n < 9; }
pub struct P { pub x: u8 }
impl Size for P { fn size(&self) -> (n: u8) { 30 } }

//@ trait_implementation_asks_for_more | !verified | an implementation may not add requires
pub trait Size { fn size(&self) -> (n: u8) ensures n < 9; }
pub struct P { pub x: u8 }
impl Size for P { fn size(&self) -> (n: u8) requires self.x < 9 { self.x } }

//@ modules_hide_bodies | verified/unsupported | a closed function is unknown elsewhere, its contract is not
mod m {
    use vstd::prelude::*;
    pub closed spec fn secret() -> int { 3 }
    pub proof fn positive() ensures secret() > 0 { }
}
proof fn t() { m::positive(); assert(m::secret() > 0); }

//@ modules_hide_bodies_wrong | !verified | its body is closed here
mod m {
    use vstd::prelude::*;
    pub closed spec fn secret() -> int { 3 }
}
proof fn t() { assert(m::secret() == 3); }

//@ private_function_of_a_module | !verified | it is not visible outside
mod m {
    use vstd::prelude::*;
    spec fn secret() -> int { 3 }
}
proof fn t() { assert(m::secret() == m::secret()); }

//@ calc_with_reasons | verified | each step may call its lemma
spec fn f(n: nat) -> nat decreases n { if n == 0 { 0 } else { f((n - 1) as nat) + 2 } }
proof fn t(n: nat) requires n > 0, f((n - 1) as nat) == 2 * (n - 1) ensures f(n) == 2 * n {
    calc! { (==)
        f(n) as int; { }
        f((n - 1) as nat) + 2; { }
        2 * n;
    }
}

//@ via_clause | verified/unsupported | another lemma shows that it ends
spec fn f(n: int) -> int decreases n via f_ends { if n > 0 { f(n - 1) } else { 0 } }
#[via_fn]
proof fn f_ends(n: int) { }

//@ via_clause_wrong | !verified | the lemma does not show it
spec fn f(n: int) -> int decreases n via f_ends { f(n - 1) }
#[via_fn]
proof fn f_ends(n: int) { }

//@ proof_in_a_spec_body | verified/unsupported | a proof block helps the termination check
spec fn f(n: nat) -> nat decreases n { if n == 0 { 0 } else { proof { assert(n / 2 < n); } f(n / 2) } }
proof fn t() { assert(f(0) == 0); }

//@ vec_of_clones | verified | to_vec copies a slice
fn f(s: &[u8]) -> (v: Vec<u8>) ensures v@ == s@ { s.to_vec() }

//@ swap_remove_out_of_range | failed | it must exist
fn f(v: &mut Vec<u8>) -> u8 requires old(v).len() == 0 {
    v.swap_remove(0) // FAILS
}

//@ split_off | verified | the rest behind the first n
fn f(v: &mut Vec<u8>) -> (w: Vec<u8>) requires old(v).len() > 3 ensures final(v)@ == old(v)@.take(2), w@ == old(v)@.skip(2) { v.split_off(2) }

//@ split_off_out_of_range | failed | at most at the end
fn f(v: &mut Vec<u8>) -> Vec<u8> requires old(v).len() == 1 {
    v.split_off(2) // FAILS
}

//@ slice_subrange | verified | a part of a slice
use vstd::slice::*;
fn f(s: &[u8]) -> (r: &[u8]) requires s.len() > 3 ensures r@ == s@.subrange(1, 3) { slice_subrange(s, 1, 3) }

//@ slice_subrange_out_of_range | failed | it must exist
use vstd::slice::*;
fn f(s: &[u8]) -> &[u8] requires s.len() == 2 {
    slice_subrange(s, 1, 3) // FAILS
}

//@ multiset_of_an_update | failed | one element went, another came
proof fn t(s: Seq<int>) requires s.len() == 2 {
    assert(s.update(0, 4).to_multiset() == s.to_multiset()); // FAILS
}

//@ rows_of_rows_are_written | !verified | an element of an element is another matter before 2026
fn f(g: &mut Vec<Vec<u8>>) requires old(g).len() > 0 ensures final(g)@ == old(g)@ { g[0][0] = 3; }

//@ exec_closure_without_contract | !verified | nothing is known of what it returns
fn f() -> (r: u8) ensures r == 4 { let g = |x: u8| -> u8 { x }; g(4) }

//@ unit_value | verified | () is a value too
fn g() -> (r: ()) ensures true { }
fn f() { let u = g(); assert(u == ()); }

//@ as_char_and_back | failed | a number beyond ASCII is no letter
proof fn t(c: char) {
    assert(c as u8 as char == c); // FAILS
}
