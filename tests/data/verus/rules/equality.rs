The equalities of ghost and exec code.

//@ ghost_equality_is_logical | verified | equals may replace each other
proof fn t(x: Seq<int>, y: Seq<int>) requires x == y { assert(x.len() == y.len()); }

//@ mixed_integers | verified | numbers of any types compare
proof fn t(x: u8, y: u64, z: int) requires x == y, y == z { assert(x == z); }

//@ not_equal | verified | != is the negation
proof fn t(x: int, y: int) requires x != y { assert(!(x == y)); }

//@ triple_equality | verified | the old spelling
proof fn t(x: int, y: int) requires x === y { assert(x == y); }

//@ triple_equality_wrong | failed | they may differ
proof fn t(x: int, y: int) {
    assert(x === y); // FAILS
}

//@ exec_equality_of_integers | verified | Rust's == on numbers
fn f(x: u8, y: u8) -> (r: bool) ensures r == (x == y) { x == y }

//@ exec_equality_of_bool_and_char | verified | Rust's == on both
fn f(a: bool, b: bool, c: char) -> (r: bool) ensures r == (a == b && c == 'x') { a == b && c == 'x' }

//@ exec_equality_of_plain_structs | rejected/unsupported | without PartialEq there is no ==
pub struct P { pub x: u8 }
fn f(a: P, b: P) -> bool { a == b }

//@ exec_equality_of_vectors | !verified | its result is not specified here
fn f(a: Vec<u8>, b: Vec<u8>) -> (r: bool) ensures r == (a == b) { a == b }

//@ extensional_sequences | verified | lengths and elements decide
proof fn t(s: Seq<int>, u: Seq<int>)
    requires s.len() == u.len(), forall|i: int| 0 <= i < s.len() ==> s[i] == u[i]
{ assert(s =~= u); assert(s == u); }

//@ extensional_sequences_wrong_element | failed | one element is not compared
proof fn t(s: Seq<int>, u: Seq<int>)
    requires s.len() == u.len(), forall|i: int| 0 < i < s.len() ==> s[i] == u[i]
{
    assert(s =~= u); // FAILS
}

//@ extensional_sequences_wrong_length | failed | one may go on
proof fn t(s: Seq<int>, u: Seq<int>)
    requires forall|i: int| 0 <= i < s.len() ==> s[i] == u[i]
{
    assert(s =~= u); // FAILS
}

//@ promotion_in_assert | verified | == is checked as =~=
proof fn t(s: Seq<int>) { assert(s.push(1).push(2) == s + seq![1, 2]); }

//@ promotion_under_and | verified | both sides are positive
proof fn t(s: Seq<int>) { assert(s.push(1) == s + seq![1int] && s.len() >= 0); }

//@ promotion_right_of_implies | verified | the right side is positive
proof fn t(s: Seq<int>, b: bool) { assert(b ==> s.push(1) == s + seq![1int]); }

//@ no_promotion_under_not | failed | below ! the equality stays plain and nothing brings the two together
proof fn t(s: Seq<int>, u: Seq<int>)
    requires s.len() == u.len(), forall|i: int| 0 <= i < s.len() ==> s[i] == u[i]
{
    assert(!(s != u)); // FAILS
}

//@ no_promotion_left_of_implies | failed | a hypothesis is not checked
proof fn t(s: Seq<int>, u: Seq<int>)
    requires s.len() == u.len(), forall|i: int| 0 <= i < s.len() ==> s[i] == u[i]
{
    assert((s == u ==> false) ==> false); // FAILS
}

//@ no_promotion_in_requires | failed | the call's condition is plain ==
proof fn need(s: Seq<int>, u: Seq<int>)
    requires s == u // FAILS
{ }
proof fn t(s: Seq<int>, u: Seq<int>)
    requires s.len() == u.len(), forall|i: int| 0 <= i < s.len() ==> s[i] == u[i]
{ need(s, u); }

//@ assert_first_then_requires | verified | the assertion brings the two together
proof fn need(s: Seq<int>, u: Seq<int>) requires s == u { }
proof fn t(s: Seq<int>, u: Seq<int>)
    requires s.len() == u.len(), forall|i: int| 0 <= i < s.len() ==> s[i] == u[i]
{ assert(s =~= u); need(s, u); }

//@ no_promotion_inside_a_spec_function | failed | the body stays as it is written
spec fn same(s: Seq<int>, u: Seq<int>) -> bool { s == u }
proof fn t(s: Seq<int>, u: Seq<int>)
    requires s.len() == u.len(), forall|i: int| 0 <= i < s.len() ==> s[i] == u[i]
{
    assert(same(s, u)); // FAILS
}

//@ extensional_inside_a_spec_function | verified | =~= is written there
spec fn same(s: Seq<int>, u: Seq<int>) -> bool { s =~= u }
proof fn t(s: Seq<int>, u: Seq<int>)
    requires s.len() == u.len(), forall|i: int| 0 <= i < s.len() ==> s[i] == u[i]
{ assert(same(s, u)); }

//@ promotion_in_ensures | verified | a postcondition is promoted
proof fn t(s: Seq<int>) ensures s.push(1).drop_last() == s { }

//@ promotion_in_an_invariant | verified | an invariant is promoted
fn f(v: &Vec<u8>) -> (r: Vec<u8>) ensures r@ == v@ {
    let mut r: Vec<u8> = Vec::new();
    let mut i: usize = 0;
    while i < v.len()
        invariant i <= v.len(), r@ == v@.take(i as int)
        decreases v.len() - i
    { r.push(v[i]); i = i + 1; }
    r
}

//@ vectors_are_not_extensional | failed | equal elements do not make equal vectors
proof fn t(v: Vec<u8>, w: Vec<u8>)
    requires v@.len() == w@.len(), forall|i: int| 0 <= i < v@.len() ==> v@[i] == w@[i]
{
    assert(v == w); // FAILS
}

//@ views_are_extensional | verified | equal elements make equal views
proof fn t(v: Vec<u8>, w: Vec<u8>)
    requires v@.len() == w@.len(), forall|i: int| 0 <= i < v@.len() ==> v@[i] == w@[i]
{ assert(v@ == w@); }

//@ extensional_tuples | verified | field by field
proof fn t(p: (int, int), q: (int, int)) requires p.0 == q.0, p.1 == q.1 { assert(p =~= q); assert(p == q); }

//@ sequences_that_differ | verified | equal sequences would have equal elements
proof fn t() { let s = seq![1int, 2]; let u = seq![2int, 1]; assert(s[0] != u[0]); assert(s != u); }

//@ equality_of_types_that_differ | rejected | one side is an Option
proof fn t(x: int, o: Option<int>) { assert(x == o); }

//@ references_do_not_count | verified | & is transparent in ghost code
fn f(x: &u8, y: u8) requires *x == y { assert(*x == y); }
