How programs are read.

//@ nested_comments | verified | comments nest
fn f(x: u8) -> (r: u8) /* a /* b */ c */ ensures r == x { x /* } */ }

//@ comment_signs_in_a_string | verified | a string is no comment
fn f() { let s = "// /* */ }"; }

//@ label_and_char | verified | 'b is a label, 'b' a character
fn f() { let c = 'b'; let mut i: u8 = 0; 'b: while i < 3 invariant i <= 3 decreases 3 - i { i = i + 1; if c == 'b' { continue 'b; } } }

//@ precedence_of_implication | verified | ==> groups to the right
proof fn t(a: bool, b: bool, c: bool) requires a ==> b ==> c, a, b { assert(c); }

//@ precedence_of_implication_wrong | failed | (a ==> b) ==> c says more
proof fn t(a: bool, b: bool, c: bool) requires a ==> b ==> c, a ==> b {
    assert(c); // FAILS
}

//@ explication | verified | <== is ==> read backwards
proof fn t(a: bool, b: bool) requires b <== a, a { assert(b); }

//@ equivalence_binds_loosest | verified | the sides are whole formulas
proof fn t(a: bool, b: bool) requires a ==> b <==> b ==> b { assert(a ==> b); }

//@ conjunction_before_disjunction | verified | && binds tighter
proof fn t(a: bool, b: bool, c: bool) requires a || b && c, !a { assert(b); }

//@ arithmetic_before_comparison | verified | sums are compared
proof fn t(x: int) requires x + 1 < 3 * 2 { assert(x < 5); }

//@ multiplication_before_addition | verified | 2 + 3 * 4
proof fn t() { assert(2 + 3 * 4 == 14); assert((2 + 3) * 4 == 20); assert(20 - 3 - 2 == 15); }

//@ subtraction_groups_to_the_left | failed | 20 - 3 - 2 is 15
proof fn t() {
    assert(20 - 3 - 2 == 19); // FAILS
}

//@ cast_binds_tighter_than_addition | verified | only y is cast
proof fn t(x: int, y: u8) { assert(x + y as int == x + y); }

//@ quantifier_reaches_far | verified | the body is the whole implication
#[verifier::opaque]
spec fn p(x: int) -> bool { x > 0 }
proof fn t() requires forall|x: int| x > 0 ==> p(x) && x > -1 { assert(p(4)); }

//@ bullets | verified | a list of conjuncts
spec fn ok(x: int) -> bool { &&& x > 3 &&& x < 9 }
proof fn t(x: int) requires ok(x) { assert(x > 3 && x < 9); }

//@ bullets_of_alternatives | verified | a list of disjuncts
spec fn ok(x: int) -> bool { ||| x > 3 ||| x < -3 }
proof fn t(x: int) requires ok(x) { assert(x != 0); }

//@ bullets_of_alternatives_wrong | failed | it may be negative
spec fn ok(x: int) -> bool { ||| x > 3 ||| x < -3 }
proof fn t(x: int) requires ok(x) {
    assert(x > 3); // FAILS
}

//@ bullets_take_implications | verified | each bullet reaches to the next
spec fn ok(x: int, b: bool) -> bool { &&& b ==> x > 3 &&& !b ==> x < 3 }
proof fn t(x: int, b: bool) requires ok(x, b) { assert(x != 3); }

//@ mixed_bullets | rejected | braces must say which comes first
spec fn ok(x: int) -> bool { &&& x > 3 ||| x < 9 }

//@ comparison_of_comparisons | rejected | == does not chain with !=
fn f(a: u8, b: u8, c: u8) -> bool { a == b == c }

//@ struct_literal_in_a_condition | rejected | the brace would open the block
pub struct P { pub x: u8 }
fn f(p: P) -> u8 { if p.x == P { x: 1 }.x { 1 } else { 2 } }

//@ struct_literal_in_brackets | verified | the bracket says what it is
pub struct P { pub x: u8 }
fn f(p: P) -> (r: u8) ensures r == p.x { if (P { x: 1 }).x == p.x { 1 } else { p.x } }

//@ contextual_words | verified | clause words are names elsewhere
fn f(when: u8) -> (r: u8) ensures r == when { let via = when; via }

//@ trailing_commas | verified | lists may end in a comma
fn f(x: u8, y: u8,) -> (r: u8) requires x < 9, y < 9, ensures r == x + y, { x + y }

//@ literals | verified | hexadecimal, binary, underscores, suffixes
fn f() { assert(0xFF == 255); assert(0b101 == 5); assert(1_000 == 1000); let x = 0xFFu8; assert(x == 255); }

//@ octal_literal | verified | base 8
proof fn t() { assert(0o17 == 15); }

//@ shift_right_in_generics | verified | >> closes two lists
fn f(v: &Vec<Vec<u8>>) -> (r: usize) ensures r == v.len() { v.len() }

//@ empty_closure_bars | verified | |x| binds, || is or
#[verifier::opaque]
spec fn p(x: bool) -> bool { x }
proof fn t(a: bool) requires forall|b: bool| a || p(b) { assert(a || p(false)); }

//@ attributes_without_meaning | verified | they steer the solver only
#[verifier::spinoff_prover]
#[verifier::rlimit(20)]
fn f(x: u8) -> (r: u8) ensures r == x { x }

//@ unknown_attribute | unsupported/rejected | it may change the meaning
#[verifier::surprise]
fn f(x: u8) -> (r: u8) ensures r == x { x }

//@ doc_comments | verified | they are comments
/// Returns x.
fn f(x: u8) -> (r: u8) ensures r == x { x }

//@ visibility | verified | pub at every level
pub fn f(x: u8) -> (r: u8) ensures r == x { x }
pub(crate) fn g(x: u8) -> (r: u8) ensures r == x { x }

//@ pub_spec_without_open | rejected | a public spec function says open or closed
pub spec fn f(x: int) -> int { x }

//@ missing_semicolon | rejected | two expressions in a row
fn f() { let x: u8 = 1 let y: u8 = 2; }

//@ unterminated_comment | rejected raw | the comment swallows the macro
use vstd::prelude::*;
/* verus! {
fn f() { }
}

//@ unterminated_string | rejected | the string swallows the rest
fn f() { let s = "abc; }

//@ identifier_of_another_script | !verified | a letter that looks like another
fn f(а: u8) -> (r: u8) ensures r == а { а }

//@ bidirectional_control | !verified | text that reads otherwise than it is
fn f(x: u8) -> (r: u8) ensures r == x { /* ‮ */ x }

//@ very_deep_nesting | unsupported/rejected | depth is bounded, and bounded calmly
fn f() -> u8 { ((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((((1)))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))))) }
