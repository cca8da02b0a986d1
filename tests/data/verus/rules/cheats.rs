Assuming what should be proved.

//@ honest | verified | nothing is assumed
proof fn t(x: int) requires x > 1 ensures x > 0 { }

//@ honest_names | verified | a name that contains the word is no call of it
fn assume_nothing(admitted: u8) -> (r: u8) ensures r == admitted { admitted }

//@ the_word_in_a_comment | verified | comments prove nothing and assume nothing
fn f(x: u8) -> (r: u8) ensures r == x { /* assume(false); admit(); */ x } // #[verifier::external_body]

//@ the_word_in_a_string | verified | strings prove nothing and assume nothing
fn f(x: u8) -> (r: u8) ensures r == x { let s = "assume(false)"; x }

//@ assume_false | cheat | anything follows
fn f(x: u8) -> (r: u8) ensures r == 77 { proof { assume(false); } x }

//@ assume_in_exec_code | cheat | the same outside a proof block
fn f(x: u8) -> (r: u8) ensures r == 77 { assume(x == 77); x }

//@ assume_with_spaces | cheat | spaces and comments do not hide it
fn f(x: u8) -> (r: u8) ensures r == 77 { proof { assume /* x */ (false); } x }

//@ assume_by_path | cheat/rejected | a path leads to the same function
fn f(x: u8) -> (r: u8) ensures r == 77 { proof { vstd::prelude::assume(false); } x }

//@ admit_call | cheat | the same by another name
fn f(x: u8) -> (r: u8) ensures r == 77 { proof { admit(); } x }

//@ external_body | cheat | the body is not looked at
#[verifier::external_body]
fn f(x: u8) -> (r: u8) ensures r == 77 { x }

//@ external_body_old_form | cheat | the attribute's old spelling
#[verifier(external_body)]
fn f(x: u8) -> (r: u8) ensures r == 77 { x }

//@ external_body_lemma | cheat | a lemma without a proof
#[verifier::external_body]
proof fn l() ensures false { }
fn f(x: u8) -> (r: u8) ensures r == 77 { proof { l(); } x }

//@ external | cheat | the item is not looked at
#[verifier::external]
fn g(x: u8) -> u8 { x }
fn f(x: u8) -> (r: u8) ensures r == x { x }

//@ lemma_without_a_body | cheat/rejected | a promise without a proof
proof fn l() ensures false;
fn f(x: u8) -> (r: u8) ensures r == 77 { proof { l(); } x }

//@ axiom | cheat | a promise without a proof
axiom fn l() ensures false;
fn f(x: u8) -> (r: u8) ensures r == 77 { proof { l(); } x }

//@ broadcast_axiom | cheat | a promise without a proof, everywhere
broadcast axiom fn l(x: int) ensures #[trigger] (x + 0) == 1;
fn f() { }

//@ assume_specification | cheat | a contract for a function that nobody proved
assume_specification [ u8::count_ones ] (x: u8) -> (r: u32) ensures r == 3;
fn f() { }

//@ external_fn_specification | cheat | the same in its old form
#[verifier::external_fn_specification]
fn ex(x: u8) -> (r: u32) ensures r == 3 { x.count_ones() }

//@ assume_termination | cheat | an end that nobody proved
#[verifier::assume_termination]
fn f(n: u64) -> (r: u64) ensures r == 77 { f(n) }

//@ unimplemented | cheat | a hole
fn f(x: u8) -> (r: u8) ensures r == 77 { unimplemented!() }

//@ todo | cheat | a hole
fn f(x: u8) -> (r: u8) ensures r == 77 { todo!() }

//@ panic | cheat | a hole
fn f(x: u8) -> (r: u8) ensures r == 77 { panic!() }

//@ unreached | cheat | a hole
fn f(x: u8) -> (r: u8) ensures r == 77 { vstd::pervasive::unreached() }

//@ endless_loop | cheat/rejected | it promises what it never has to show
fn f(x: u8) -> (r: u8) ensures r == 77 { loop { } }

//@ endless_loop_then | cheat classic | without termination checks it would prove anything
fn f(x: u8) -> (r: u8) ensures r == 77 { loop { } }

//@ endless_recursion_with_the_attribute | cheat | it promises what it never has to show
#[verifier::exec_allows_no_decreases_clause]
fn f(x: u8) -> (r: u8) ensures r == 77 { f(x) }

//@ unsafe_block | cheat/unsupported | out of the subset
fn f(x: u8) -> (r: u8) ensures r == 77 { unsafe { x } }

//@ raw_pointer | cheat/unsupported/rejected | out of the subset
fn f(x: *const u8) -> (r: u8) ensures r == 77 { 77 }

//@ extern_block | cheat/unsupported/rejected | out of the subset
extern "C" { fn g(); }
fn f() { }

//@ own_macro | cheat/unsupported/rejected | it may write anything
macro_rules! hole { () => { assume(false) } }
fn f(x: u8) -> (r: u8) ensures r == 77 { proof { hole!(); } x }

//@ unknown_macro | unsupported/rejected/cheat | it may write anything
fn f(x: u8) -> (r: u8) ensures r == x { frobnicate!(x); x }

//@ conditional_compilation | cheat/unsupported | the function may not be there
#[cfg(any())]
fn f(x: u8) -> (r: u8) ensures r == x { x }

//@ include | cheat/unsupported/rejected | text from elsewhere
include!("other.rs");
fn f() { }

//@ external_macro_outside | !verified raw | a macro outside may write attributes inside
use vstd::prelude::*;
macro_rules! hole { () => { 1 } }
verus! {
fn f(x: u8) -> (r: u8) ensures r == x { x }
}

//@ hidden_behind_an_unterminated_string | rejected | the quote must be closed
fn f(x: u8) -> (r: u8) ensures r == 77 { let s = "; x }

//@ assume_in_a_spec_position | cheat/rejected | also inside assert by
proof fn t(x: int) { assert(x > 0) by { assume(false); } }

//@ assume_under_quantifier_proof | cheat | also inside assert forall
#[verifier::opaque]
spec fn p(x: int) -> bool { x > 0 }
proof fn t() { assert forall|x: int| p(x) by { admit(); } }

//@ assume_in_code_after_return | cheat | dead or not, it stands there
fn f(x: u8) -> (r: u8) ensures r == x { return x; assume(false); x }

//@ external_body_through_cfg_attr | cheat/unsupported | the attribute in disguise
#[cfg_attr(all(), verifier::external_body)]
fn f(x: u8) -> (r: u8) ensures r == 77 { x }

//@ external_type | cheat/unsupported | a type that nobody looked at
#[verifier::external_body]
pub struct Secret { x: u8 }
fn f() { }
