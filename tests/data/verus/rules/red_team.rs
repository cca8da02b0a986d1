Programs that were written to be accepted wrongly. Each is false or refused by the real tool, but for a few neighbours that are true.

//@ swap_same | !verified | both arguments borrow the same vector
fn f(v: &mut u8) { core::mem::swap(v, v); }

//@ alias_field | !verified | one field cannot be borrowed twice in a call, or two different final values meet
struct P { a: u8, b: u8 }
fn g(p: &mut u8, q: &mut u8) ensures *final(p) == 1, *final(q) == 2 { *p = 1; *q = 2; }
fn f() { let mut s = P { a: 0, b: 0 }; g(&mut s.a, &mut s.a); assert(false); }

//@ alias_parent | !verified | the whole and its part are borrowed in one call
struct P { a: u8, b: u8 }
fn g(p: &mut P, q: &mut u8) ensures final(p).a == 1, *final(q) == 2 { p.a = 1; *q = 2; }
fn f() { let mut s = P { a: 0, b: 0 }; g(&mut s, &mut s.a); assert(false); }

//@ arg_order_value | failed | the first argument is read before the second call writes
fn g(p: &mut u8) -> (r: u8) ensures *final(p) == 5, r == 5 { *p = 5; 5 }
fn h(a: u8, b: u8) -> (r: u8) ensures r == a { a }
fn f() { let mut x = 1u8; let r = h(x, g(&mut x)); assert(r == 5); }

//@ arg_order_sum | failed | the left operand is read before the right one writes
fn g(p: &mut u8) -> (r: u8) ensures *final(p) == 5, r == 5 { *p = 5; 5 }
fn f() { let mut x = 1u8; let r = x + g(&mut x); assert(r == 10); }

//@ opassign_order | failed | a compound assignment of integers reads its target after the right side has run
fn g(p: &mut u8) -> (r: u8) ensures *final(p) == 5, r == 5 { *p = 5; 5 }
fn f() { let mut x = 1u8; x += g(&mut x); assert(x == 6); }

//@ opassign_order2 | !verified | the left operand is read before the block assigns
fn g(p: &mut u8) -> (r: u8) ensures *final(p) == 5, r == 5 { *p = 5; 5 }
fn f() { let mut x = 1u8; x = x + { x = 7; 1 }; assert(x == 8); }

//@ index_assign_order | !verified | the index is evaluated after the value, so the element 1 is set
fn g(p: &mut usize) -> (r: u8) ensures *final(p) == 1, r == 5 { *p = 1; 5 }
fn f() { let mut v: Vec<u8> = Vec::new(); v.push(0); v.push(0); let mut i = 0usize; v[i] = g(&mut i); assert(v@[0] == 5); }

//@ struct_order | failed | fields are evaluated in the order in which they are written
struct P { a: u8, b: u8 }
fn g(p: &mut u8) -> (r: u8) ensures *final(p) == 5, r == 5 { *p = 5; 5 }
fn f() { let mut x = 1u8; let p = P { b: g(&mut x), a: x }; assert(p.a == 1); }

//@ tuple_order | failed | items of a tuple are evaluated from left to right
fn g(p: &mut u8) -> (r: u8) ensures *final(p) == 5, r == 5 { *p = 5; 5 }
fn f() { let mut x = 1u8; let p = (x, g(&mut x)); assert(p.0 == 5); }

//@ array_index_overflow | failed | a sum inside an index may overflow
fn f(v: &Vec<u8>, i: usize) -> u8 requires v@.len() > 0 { if i < v.len() { 0 } else { v[(i + 1) % 1] } }

//@ range_bound_overflow | failed | a sum in the bound of a range may overflow
fn f(n: u8) { for i in 0..n + 1 { } }

//@ guard_overflow | failed | a sum in the guard of an arm may overflow
fn f(n: u8) -> u8 { match n { x if x + 1 > 3 => 0, _ => 1 } }

//@ op_field_overflow | failed | a compound assignment to a field may overflow
struct P { a: u8 }
fn f(p: &mut P) { p.a += 1; }

//@ neg_overflow | failed | the least i8 has no negative
fn f(p: i8) -> i8 { -p }

//@ usize_cast32 | failed | usize may have 32 bits, and then the cast cuts
fn f(x: u64) requires x == 0x1_0000_0000u64 { let y = x as usize; assert(y as u64 == x); }

//@ shift_usize | failed | usize may have 32 bits, and then the shift is too wide
fn f(x: usize) -> usize { x >> 40usize }

//@ shift_neg | failed | a shift by a negative amount
fn f(x: u8, n: i32) -> u8 requires n < 8 { x >> n }

//@ div_min | failed | the least number divided by -1 is too large
fn f(x: i32, y: i32) -> i32 requires y != 0 { x / y }

//@ neg_div | failed | compiled division rounds toward zero
fn f() { let x = (-7i32) / 2; assert(x == -4); }

//@ ghost_neg_div | failed | division in specifications rounds down for a positive divisor
proof fn f() { assert(-7int / 2 == -3); }

//@ ghost_neg_divisor | failed | the remainder is not negative, so -7 / -2 is 4
proof fn f() { assert(-7int / -2 == 3); }

//@ compute_neg_div | failed | evaluation divides as the solver does
proof fn f() { assert(-7int / 2 == -3) by (compute); }

//@ compute_neg_div2 | failed | evaluation divides as the solver does, also by a negative number
proof fn f() { assert(-7int / -2 == 3) by (compute_only); }

//@ nl_neg_div | failed | nonlinear mode divides as the default one does
proof fn f(a: int, b: int) { assert(a / b == -3) by (nonlinear_arith) requires a == -7, b == 2; }

//@ nl_neg_div2 | failed | nonlinear mode divides as the default one does, also by a negative number
proof fn f(a: int, b: int) { assert(a / b == 3) by (nonlinear_arith) requires a == -7, b == -2; }

//@ nl_div0 | failed | a quotient by zero is any number in nonlinear mode
proof fn f(a: int, b: int) { assert(a / b == 0) by (nonlinear_arith) requires b == 0; }

//@ div0 | failed | a quotient by zero is any number
proof fn f(a: int) { assert(a / 0 == 0); }

//@ div0_co | failed | a quotient by zero has no value to evaluate to
proof fn f(a: int) { assert(7int / 0 == 0) by (compute_only); }

//@ div0_same | failed | quotients of different numbers by zero may differ
proof fn f(a: int) { assert(1int / 0 == 2int/0); }

//@ div0_bv2 | failed | a quotient by zero is any number, whatever the solver's vectors say
proof fn f(a: u8, b: u8) { assert(b == 0 ==> a / b == 0xff) by (bit_vector); }

//@ bv_add_wrap | failed | sums of specifications do not wrap in bit-vector proofs
proof fn f(a: u8) { assert(a + 1 <= 255) by (bit_vector); }

//@ bv_usize64 | failed | a bit-vector proof must hold for 32 bits too
proof fn f(a: usize) { assert((1usize << 40usize) > 0) by (bit_vector); }

//@ bv_cast | failed | a cast cuts
proof fn f(a: u32) { assert((a as u8) as u32 == a) by (bit_vector); }

//@ bv_signed_cast | !verified | a negative number changes its value when the sign goes
proof fn f(a: i8) { assert((a as u8) as i32 == a as i32) by (bit_vector); }

//@ bv_requires_unproved | failed | what a bit-vector proof requires is to be shown where it stands
proof fn p(x: u8) { assert(x & 1 == 1) by (bit_vector) requires x == 1; }

//@ bv_context | failed | a bit-vector proof knows nothing of what surrounds it
proof fn p(x: u8) requires x == 1 { assert(x & 1 == 1) by (bit_vector); }

//@ bv_let_scope | failed | a local name of one part is not the variable of another
proof fn f(x: u8) { assert(({ let x = 1u8; x & 1 }) == 1 && x & 1 == 1) by (bit_vector); }

//@ nl_context | failed | a nonlinear proof knows nothing of what surrounds it
proof fn p(x: int, y: int) requires x == 2, y == 3 { assert(x * y == 6) by (nonlinear_arith); }

//@ nl_cast | failed | a negative number is no nat
proof fn p(x: int) { assert((x as nat) * (x as nat) == x * x && x as nat == x) by (nonlinear_arith); }

//@ nl_spec_fn | failed | a nonlinear proof does not see definitions
spec fn g(x: int) -> int { 3 }
proof fn p(x: int) { assert(g(x) == 3) by (nonlinear_arith); }

//@ compute_over | failed | sums of specifications do not wrap in evaluation
proof fn p() { assert(255u8 + 1u8 == 0) by (compute_only); }

//@ compute_shl | failed | a shift to the left stays in its type
proof fn p() { assert(255u8 << 1 == 510) by (compute_only); }

//@ compute_seq | failed | an element past the end has no known value
proof fn p() { assert(seq![1int, 2][2] == 0) by (compute_only); }

//@ compute_usize | failed | evaluation does not know how wide usize is
proof fn p() { assert(usize::MAX == 0xffff_ffff_ffff_ffff) by (compute_only); }

//@ compute_opaque | failed | evaluation does not open what is opaque
#[verifier::opaque] spec fn g(x: nat) -> nat { 3 }
proof fn p() { assert(g(5) == 3) by (compute_only); }

//@ compute_when | failed | outside of `when` a function has no known value
spec fn g(i: int) -> int decreases i when i >= 0 { if i <= 0 { 7 } else { g(i - 1) } }
proof fn p() { assert(g(-1) == 7) by (compute_only); }

//@ loop_ensures_break | failed | what a loop ensures is shown at each break
fn f() { let mut i = 0u8; while i < 10 invariant_except_break i <= 10 ensures i == 10 decreases 10 - i { if i == 5 { break; } i += 1; } }

//@ loop_label_break | failed | a break to an outer loop passes by its invariants
fn f() { let mut i = 0u8; 'a: loop invariant i == 0 decreases 10 - i { loop invariant i == 0 decreases 1int { i += 1; break 'a; } } assert(i == 0); }

//@ inner_changes_outer | failed | an inner loop that changes the counter has to say how far
fn f() { let mut i = 0u8; while i < 10 invariant i <= 10 decreases 10 - i { let mut j = 0u8; while j < 3 decreases 3 - j { if i < 200 { i += 1; } j += 1; } } }

//@ inv_order | failed | invariants hold on entry, before the body
fn f(n: u8) { let mut i = 0u8; while i + 1 < n invariant i < n decreases n - i { i += 1; } }

//@ cond_changes | failed | the condition is run once more after the loop
fn g(p: &mut u8) -> (r: bool) requires *old(p) < 100 ensures *final(p) == *old(p) + 1, r == (*final(p) < 5) { *p = *p + 1; *p < 5 }
fn f() { let mut i = 0u8; while g(&mut i) invariant i <= 5 decreases 5 - i { } assert(i <= 5); }

//@ for_assign | !verified | the counter of a for loop cannot be assigned
fn f() { for i in 0..10u8 { i = 3; } }

//@ for_rev | failed | an empty range runs no body
fn f(a: u8, b: u8) { let mut s = a; for i in a..b invariant s == i { s += 1; } assert(s == b); }

//@ for_bound_once | failed | the bound is evaluated once, before the body changes it
fn f() { let mut n = 3u8; let mut s = 0u8; for i in 0..n invariant s == i, n >= 3 { s += 1; n = 100; } assert(s == n); }

//@ loop_dec_neg | failed | a measure may not fall below zero
fn f(n: i8) { let mut i = n; while i > -100 invariant true decreases i { i -= 1; } }

//@ dec_nat_underflow | failed | a negative number cast to nat is some nat, and need not be smaller
spec fn g(i: int) -> int decreases i as nat { if i == 0 { 0 } else { g(i - 1) } }

//@ dec_tuple | !verified | a tuple as the measure is not compared item by item
spec fn g(i: nat, j: nat) -> int decreases (i, j) { if j == 0 { 0 } else { g(i, (j - 1) as nat) } }

//@ dec_wrong_lex | failed | the first number of the list grows
spec fn g(i: nat, j: nat) -> int decreases j, i { if i == 0 { 0 } else { g((i - 1) as nat, j + 1) } }

//@ dec_mutual | failed | two functions call each other at the same measure
spec fn a(i: nat) -> int decreases i { b(i) }
spec fn b(i: nat) -> int decreases i { a(i) }

//@ dec_mutual_proof | failed | two lemmas assume each other
proof fn a(i: nat) ensures false decreases i { b(i); }
proof fn b(i: nat) ensures false decreases i { a(i); }

//@ dec_longer_callee | failed | at equal numbers the shorter list is not the smaller one
proof fn a(t: nat) ensures false decreases t, 1int { b(t); }
proof fn b(t: nat) ensures false decreases t { a(t); }

//@ dec_const | failed | a constant does not become smaller
proof fn a() ensures false decreases 5int { a(); }

//@ dec_after_mut | failed | the measure is the parameter at entry, not what it was set to
fn a(mut n: u8) ensures false decreases n { n = 200; if n > 0 { a(n - 1); } else { a(0); } }

//@ dec_int_neg | failed | an int has no least value
proof fn a(b: int) ensures false decreases b { a(b - 1); }

//@ dec_loop_cont | failed | a continue without progress
fn a(n: u8) { let mut i = 0u8; while i < 200 decreases 200 - i { if i == 3 { continue; } i += 1; } }

//@ dec_loop_first | failed | the measure is that of the state before the condition
fn g(p: &mut u8) -> bool ensures *final(p) == 0 { *p = 0; true }
fn a() { let mut i = 5u8; while g(&mut i) decreases i { } }

//@ rec_in_ensures | !verified | two lemmas whose proofs are each other
proof fn p(i: nat) -> (r: nat) ensures false { p2(i) }
proof fn p2(i: nat) -> (r: nat) ensures false { p(i) }

//@ rec_closure | !verified | a recursive call inside of a closure is one
spec fn a(i: int) -> int { let f = |x: int| a(x) + 1; f(i) }

//@ rec_forall | failed | a recursive call at every number
spec fn a(i: int) -> bool decreases i { forall|x: int| #[trigger] a(x) ==> x < 0 }

//@ rec_forall_not | failed | a definition that contradicts itself at its own argument
spec fn a(i: nat) -> bool decreases i { forall|x: nat| x <= i ==> !(#[trigger] a(x)) }

//@ rec_const | !verified | constants that are defined by each other
const A: u8 = B;
const B: u8 = A;

//@ rec_const_spec | !verified | a constant and a function that are defined by each other
spec const A: int = g() + 1;
spec fn g() -> int { A }

//@ rec_exec_dec | failed | a call at the same measure
fn f(n: u8) ensures false decreases n { f(n) }

//@ rec_exec_loop | failed | a call in a loop is one of the cycle too
fn f(n: u8) ensures n == n + 0 decreases n { let mut i = 0u8; while i < 10 decreases 10 - i { f(n); i += 1; } }

//@ generic_rec | !verified | a call at a larger type is recursive all the same
spec fn g<T>(i: T) -> int { g::<Option<T>>(Some(i)) + 1 }

//@ mutual_contract_rec | !verified | a function that is true where it is false
spec fn s(x: nat) -> bool decreases x { t(x) }
spec fn t(x: nat) -> bool { !s(x) }

//@ spec_rec_seqmap_bad | !verified | the closure calls at the whole value
enum T { N(Seq<Box<T>>) }
spec fn s(t: T) -> int decreases t { match t { T::N(c) => Seq::new(1, |i: int| s(t)).len() as int } }

//@ assert_by_rec | !verified | a call inside of a nested proof is a call
proof fn l(n: nat) ensures false { assert(false) by { l(n); } }

//@ proof_recursive_choose | failed | a chosen number need not be smaller, nor be there
proof fn f(x: int) ensures false decreases x { let y = choose|y: int| #[trigger] g(y) < x; f(y); }
spec fn g(y: int) -> int { y }

//@ rec_fn_type | !verified | a type that holds functions of itself has no model
struct S { f: spec_fn(S) -> bool }

//@ rec_generic_neg | !verified | a type that holds functions of itself through a parameter
struct W<A> { f: spec_fn(A) -> bool }
struct S { w: W<S> }

//@ rec_set_type | !verified | sets of a type inside of it have no model
struct S { f: Set<S> }

//@ lambda_rec_alias | !verified | a type that holds functions of itself through an alias
type A = spec_fn(F) -> bool;
struct F { f: A }

//@ lambda_rec_codomain | !verified | a type that holds functions whose results are functions of itself
struct F { f: spec_fn(int) -> spec_fn(F) -> bool }

//@ ground_mutual | !verified | two types that need each other have no values
struct A { b: Box<B> }
struct B { a: Box<A> }
proof fn p(a: A) ensures false { }

//@ height_wrong | failed | a value rebuilt from its part is no smaller
enum L { N, C(Box<L>) }
proof fn p(l: L) ensures false decreases l { match l { L::N => {}, L::C(b) => p(L::C(b)) } }

//@ height_wrong2 | failed | a value around the argument is larger
enum L { N, C(Box<L>) }
proof fn p(l: L) ensures false decreases l { p(L::C(Box::new(l))); }

//@ height_seq | failed | the whole sequence is no smaller part of itself
proof fn p(s: Seq<int>) ensures false decreases s { p(s.subrange(0, s.len() as int)); }

//@ height_seq_oob | failed | an element past the end is no part
enum T { N(Seq<Box<T>>) }
proof fn s(t: T) ensures false decreases t { match t { T::N(c) => s(*c[0]) } }

//@ height_arrow_wrong | failed | a field of another variant is no part
enum L { N, C(Box<L>) }
proof fn s(t: L) ensures false decreases t { s(*t->C_0); }

//@ height_map_val | !verified | the value at a key outside of the domain is no part
struct P { m: Map<int, P> }
proof fn s(t: P) ensures false decreases t { s(t.m[0]); }

//@ ghost_shadow | failed | the ghost variable shadows the compiled one
fn f() { let x = 1u8; let ghost x = 2u8; assert(x == 1); }

//@ ghost_shadow_exec | !verified | after the shadowing the name is ghost
fn f() -> (r: u8) ensures r == 1 { let x = 1u8; let ghost x = 2u8; x }

//@ assertby_scope | failed | what was revealed in a nested proof ends with it
proof fn l(x: int) ensures x * x >= 0 { assert(x * x >= 0) by (nonlinear_arith); }
spec fn o(x: int) -> bool { true }
#[verifier::opaque] spec fn h(x: int) -> bool { x == x }
proof fn f() { assert(h(1)) by { reveal(h); } assert(h(2)); }

//@ reveal_branch | failed | what one branch reveals is hidden where the other ran
#[verifier::opaque] spec fn h(x: int) -> bool { x == x }
proof fn f(b: bool) { if b { reveal(h); } assert(h(2)); }

//@ reveal_other_fn | failed | what a lemma reveals stays there
#[verifier::opaque] spec fn h(x: int) -> bool { x == x }
proof fn g() { reveal(h); }
proof fn f() { g(); assert(h(2)); }

//@ reveal_before_loop | failed | an isolated loop does not inherit what was revealed
#[verifier::opaque] spec fn h(x: int) -> bool { x == x }
fn f() { proof { reveal(h); } let mut i = 0u8; while i < 3 decreases 3 - i { assert(h(2)); i += 1; } }

//@ choose_twice | failed | two different choices need not be equal
spec fn p(x: int) -> bool { x > 0 }
spec fn q(x: int) -> bool { x > 1 }
proof fn f() { let x = choose|x: int| p(x); let y = choose|x: int| q(x); assert(x == y); }

//@ exists_choose_any | failed | nothing says that there is anything to choose
proof fn f() ensures false { let x = choose|x: int| #[trigger] g(x); assert(g(x)); assert(x == x + 1); }
spec fn g(x: int) -> bool { false }

//@ cast_neg_u8 | failed | a value that does not fit is cut to an unknown one in specifications
proof fn f() { assert((-1int) as u8 == 255); }

//@ char_as_u8 | failed | a wide character is cut
fn f(x: char) { let y = x as u8; assert(y as u32 == x as u32); }

//@ move_branch | rejected | the vector is gone if the branch was taken
fn g(v: Vec<u8>) { }
fn f(v: Vec<u8>, b: bool) { if b { g(v); } g(v); }

//@ move_field_whole | rejected | a value without one of its fields cannot be passed
struct P { v: Vec<u8> }
fn g(v: Vec<u8>) { }
fn h(p: P) { }
fn f(p: P) { g(p.v); h(p); }

//@ ref_after_assign | rejected | the reference is read after its owner changed
fn f() -> (n: u8) { let mut x = 1u8; let r = &x; x = 2; *r }

//@ ref_from_fn | rejected/unsupported | the result of a call borrows from its argument
fn g(v: &Vec<u8>) -> (r: &u8) requires v@.len() > 0 ensures *r == v@[0] { &v[0] }
fn f(mut v: Vec<u8>) -> (n: u8) requires v@.len() > 0 { let r = g(&v); v.set(0, 3); *r }

//@ ref_match_mut | rejected/unsupported | the matched value is replaced while a part of it is borrowed
fn f(mut o: Option<u8>) -> u8 { match &o { Some(x) => { o = None; *x }, None => 0 } }

//@ slice_mut_alias | rejected/unsupported | a slice of the vector that is changed in the same call
fn g(a: &mut Vec<u8>, b: &[u8]) { a.push(1); }
fn f(mut v: Vec<u8>) { g(&mut v, v.as_slice()); }

//@ lambda_capture | failed | a closure of a specification keeps the value that it captured
proof fn f() { let mut k = 1int; let c = |y: int| k; k = 2; assert(c(0) == 2); }

//@ old_in_loop | failed | the entry value in an invariant is that of the function
fn f(x: &mut u8) ensures *final(x) == 0 { while *x > 0 invariant *x <= *old(x) decreases *x { *x = *x - 1; } *x = 1; }

//@ mutparam_rebind | failed | a contract speaks of the parameter as it came in
fn f(mut x: u8) -> (r: u8) requires x < 9 ensures r == x { x = x + 1; x }

//@ set_nested_effect | failed | the second argument is read after the first wrote
fn g(p: &mut u8) -> (r: usize) ensures *final(p) == 5, r == 0 { *p = 5; 0 }
fn f(mut v: Vec<u8>, mut x: u8) requires v@.len() == 1, x == 1 { v.set(g(&mut x), x); assert(v@[0] == 1); }

//@ mutself_chain | failed | the first call returns the count before the second one runs
struct C { n: u8 }
impl C { fn inc(&mut self) -> (r: u8) requires old(self).n < 100 ensures final(self).n == old(self).n + 1, r == old(self).n { let r = self.n; self.n = self.n + 1; r } }
fn f(mut c: C) requires c.n == 0 { let x = c.inc() + c.inc(); assert(x == 0); }

//@ mutself_frame | failed | a contract that says nothing of a field lets it change
struct C { n: u8, m: u8 }
impl C { fn inc(&mut self) ensures final(self).n == 1 { self.n = 1; } }
fn f(mut c: C) requires c.m == 0 { c.inc(); assert(c.m == 0); }

//@ mut_in_loop_isolated | failed | a vector that a loop changes is unknown after it
fn f(v: &mut Vec<u8>) requires old(v)@.len() == 3 { let mut i = 0u8; while i < 3 decreases 3 - i { v.push(1); i += 1; } assert(v@.len() == 3); }

//@ mut_call_in_loop | failed | a variable that a call changes in a loop is unknown after it
fn g(v: &mut u8) ensures *final(v) == 9 { *v = 9; }
fn f() { let mut x = 0u8; let mut i = 0u8; while i < 3 decreases 3 - i { g(&mut x); i += 1; } assert(x == 0); }

//@ mut_in_cond_loop | failed | a variable that the condition changes is unknown after the loop
fn g(v: &mut u8) -> bool ensures *final(v) == 9 { *v = 9; false }
fn f() { let mut x = 0u8; while g(&mut x) decreases 0int { } assert(x == 0); }

//@ mut_in_nested_block | failed | a variable that an arm inside of a loop changes is unknown after it
fn f(o: Option<u8>) { let mut x = 0u8; let mut i = 0u8; while i < 3 decreases 3 - i { match o { Some(y) => { x = y; }, None => { if i > 1 { x = 3; } } } i += 1; } assert(x == 0); }

//@ noniso_nested | failed | an inner loop changes what the outer one knew
#[verifier::loop_isolation(false)] fn f() { let mut x = 0u8; let mut i = 0u8; while i < 3 invariant i <= 3 decreases 3 - i { let mut j = 0u8; while j < 3 invariant j <= 3 decreases 3 - j { x = 1; j += 1; } i += 1; assert(x == 1); } assert(x == 0); }

//@ iso_requires_lost | failed | an isolated loop does not know what the function requires
fn f(n: u8) requires n < 100 { let mut i = 0u8; while i < 3 decreases 3 - i { let y = n + 1; i += 1; } }

//@ seq_nat_false | failed | sequences of nat and of what is computed from them are consistent
proof fn p(s: Seq<nat>, i: int) ensures false { let t = Seq::<nat>::new(2, |k: int| k as nat); assert(t[-1] >= 0); assert(t[1] == 1); let u = t.map_values(|k: nat| k as int - 10); let x = u[0]; let v = t.map(|a: int, b: nat| a - b); let y = v[-1]; }

//@ set_bool_false | failed | sets of a type with two values are consistent
proof fn p(s: Set<bool>) ensures false { let e = Set::<bool>::empty(); let u = e.insert(true).insert(false); assert(u.len() == 2); assert(u.insert(true).len() == 2); assert(u.remove(true).remove(false).len() == 0); assert(u.remove(true).remove(false) =~= e); }

//@ set_unit | failed | sets of a type with one value are consistent
proof fn p(s: Set<()>) ensures false { let e = Set::<()>::empty(); let u = e.insert(()); assert(u.len() == 1); assert(u.remove(()).len() == 0); assert(s.insert(()) =~= u); }

//@ multiset_false | failed | multisets and those of sequences are consistent
proof fn p(m: Multiset<int>, n: Multiset<int>, a: int) ensures false { let x = m.insert(a).add(n); let l = x.len(); assert(x.count(a) >= 1); let r = x.remove(a); let q = r.len(); let rc = r.count(a); let s = Seq::<int>::empty().push(a); s.to_multiset_ensures(); Seq::<int>::empty().to_multiset_ensures(); assert(s.to_multiset().len() == 1); assert(Seq::<int>::empty().to_multiset().len() == 0); }

//@ map_false | failed | maps and their domains are consistent
proof fn p(m: Map<int, nat>, k: int, j: int) ensures false { let a = m.insert(k, 3).remove(j).insert(j, 4); assert(a[j] == 4); let d = a.dom().len(); let e = Map::<int, nat>::empty(); assert(e.dom().len() == 0); let x = e[0]; assert(x >= 0); assert(a.remove(j).insert(j, 4) =~= a); assert(m.remove(k)[k] >= 0); }

//@ vec_new_eq | failed | vectors with equal views need not be equal
fn p() { let a: Vec<u8> = Vec::new(); let b: Vec<u8> = Vec::new(); assert(a@ =~= b@); assert(a == b); }

//@ ext_struct | failed | a struct is not compared by the contents of its sequence
struct P { s: Seq<int> }
proof fn p(a: P, b: P) requires a.s.len() == 0, b.s.len() == 0 { assert(a == b); }

//@ ext_lambda_u8 | failed | functions that are equal on their type tell nothing outside of it
proof fn p(h: spec_fn(spec_fn(u8) -> int) -> int) ensures false { let f = |x: u8| x as int; let g = |x: u8| if (x as int) > 255 { 1 } else { x as int }; assert(f =~= g); assert(h(f) == h(g)); assert(f((300int) as u8) <= 255); }

//@ arrow_same_name | failed | fields of two variants with one name are two fields
enum E { A { x: u8 }, B { x: u8 } }
proof fn p(e: E) { assert(e->A_x == e->B_x); }

//@ try_early | failed | the early exit meets the contract too
fn q(o: Option<u8>) -> (r: Option<u8>) ensures r.is_some() { let x = o?; Some(x) }

//@ capture_inline | failed | a substituted variable is not captured by a bound one
#[verifier::inline] spec fn g(y: int) -> bool { forall|x: int| h(x) ==> #[trigger] h(x) && y >= x }
spec fn h(x: int) -> bool { x <= 3 }
proof fn f(x: int) ensures g(x) { }

//@ capture_inline2 | failed | a substituted variable is not captured by a bound one under exists
#[verifier::inline] spec fn g(y: int) -> bool { exists|x: int| #[trigger] h(x) && x == y + 1 }
spec fn h(x: int) -> bool { true }
proof fn f(x: int) ensures !g(x) { }

//@ let_capture | failed | a substituted variable is not captured by a local one
#[verifier::inline] spec fn g(y: int) -> int { let x = 5int; x + y }
proof fn f(x: int) { assert(g(x) == 10); }

//@ match_guard_bind | failed | an arm whose guard is false leaves the value to the next
fn f(o: Option<u8>) -> (r: u8) ensures r == 1 { match o { Some(x) if x > 3 => 1, Some(y) => y, None => 1 } }

//@ and_short2 | failed | the left operand runs first
fn f(v: &Vec<u8>, i: usize) -> bool { v[i] == 0 && i < v.len() }

//@ return_in_cond | failed | a return inside of a condition meets the contract too
fn f(b: bool) -> (r: u8) ensures r == 1 { if { if b { return 2; } true } { 1 } else { 1 } }

//@ implies_assoc | failed | an implication groups to the right
proof fn f(a: bool, b: bool, c: bool) requires a ==> b ==> c { assert(c || !b); }

//@ prec_unary | failed | a minus binds before a cast
proof fn f() { assert(-1i8 as int == 1); }

//@ spec_recommends | failed | what a function recommends is not known
spec fn g(x: int) -> int recommends x > 0 { x }
proof fn f(x: int) { assert(g(x) > 0); }

//@ forall_nat_minus | failed | what holds of every nat says nothing of -1
proof fn f() requires forall|n: nat| #[trigger] g(n as int) { assert(g(-1)); }
spec fn g(x: int) -> bool { x >= 0 }

//@ for_final | failed | the counter is gone after the loop, the shadowed name is back
fn f(n: u8) { let i = 100u8; for i in 0..n { } assert(i == n); }

//@ neg_div_ok | verified | compiled division rounds toward zero
fn f() { let x = (-7i32) / 2; assert(x == -3); }

//@ char_gap | verified | a surrogate is no char
proof fn f(x: char) { assert(x as u32 != 0xD800); }

//@ u8_as_char | verified | every u8 is a char
fn f(x: u8) { let y = x as char; assert(y as u32 == x as u32); }

//@ bv_mul_fn | verified | the wrapping product is the shift
proof fn p(x: u32) { assert(mul(x, 2) == x << 1) by (bit_vector); }

//@ ground_seq | verified | a sequence of itself may be empty, so there is a value
struct F { f: Seq<F> }
proof fn p(x: F) ensures x.f.len() >= 0 { }

//@ dead_code_after_return | verified | nothing is left to show behind the return
fn f() -> (r: u8) ensures r == 3 { return 3; }

//@ attr_no_dec_fn | verified | the permission is given where the loop stands
#[verifier::exec_allows_no_decreases_clause] fn f() { let mut i = 0u8; while i < 3 { i += 1; } }

//@ index_replaces_array | !verified | an array that its own index replaces: the element is read from the new one
fn f() { let mut a = [1u8, 2]; let x = a[{ a = [3u8, 4]; 0 }]; assert(x == 1); }

//@ index_sets_vector | !verified | a vector is held while its index is evaluated
fn f() { let mut v = vec![1u8, 2]; let x = v[{ v.set(0, 3); 0 }]; assert(x == 1); }

//@ guard_lends_scrutinee | !verified | a guard that may change what is matched
fn g(p: &mut u8) -> bool { false }
fn f(mut o: u8) -> u8 { match o { 0 if g(&mut o) => 1, y => y } }

//@ guard_assigns | !verified | a guard that changes a variable the arms use
fn f(mut o: Option<u8>, mut q: u8) -> u8 { match o { Some(x) if { q = x; true } => q, Some(x) => x, None => 0 } }

//@ index_of_mut | rejected | a vector is held while its index empties it
fn g(v: &mut Vec<usize>) -> (r: usize) ensures final(v)@.len() == 0, r == 0 { v.clear(); 0 }
fn f(mut v: Vec<usize>) requires v@.len() == 1 { let x = v[g(&mut v)]; }

//@ scrutinee_changed_in_guard | rejected/unsupported | a guard that replaces what is matched
fn f(mut o: Option<u8>) -> u8 { match o { Some(x) if { o = None; false } => 1, Some(x) => x, None => 0 } }

//@ comparison_changes_left | !verified | a comparison holds its left side
#[derive(PartialEq, Eq, Structural, Clone, Copy)] struct P { x: u8 }
fn f(mut p: P) -> bool { p == { p.x = 3; P { x: 1 } } }

//@ call_contract_false | failed | what a call requires is shown by the caller
fn f() requires false ensures false { }
fn g() ensures false { f(); }
