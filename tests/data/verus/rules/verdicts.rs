What an outcome says about the whole file.

//@ straight_line | verified | x < 200 leaves room for one more in u8
fn up(x: u8) -> (r: u8) requires x < 200 ensures r == x + 1 { x + 1 }

//@ wrong_postcondition | failed | x + 1 is never x
fn up(x: u8) -> (r: u8)
    requires x < 200
    ensures r == x, // FAILS
{ x + 1 }

//@ syntax_error | rejected | a parenthesis stays open
fn f(x: u8) -> u8 { (x }

//@ unknown_construct | unsupported/rejected | nothing is claimed about trait objects
fn f(x: &dyn Fn(u8) -> u8) { }

//@ unknown_construct_next_to_a_proof | unsupported/rejected | one function outside the subset sinks the others
fn good(x: u8) -> (r: u8) ensures r == x { x }
async fn odd() { }

//@ proved_helper | verified | both functions are proved
proof fn helper(x: int) requires x > 0 ensures x + x > x { }
fn f(x: u8) requires x > 3 { proof { helper(x as int); } assert(x + x > x); }

//@ unproved_helper_that_is_called | failed | the helper's own obligation fails, whoever calls it
proof fn helper(x: int)
    ensures x > 0, // FAILS
{ }
fn f(x: u8) -> (r: u8) ensures r > 0 { proof { helper(x as int); } if x > 0 { x } else { assert(x > 0); 1 } }

//@ unproved_helper_that_nobody_calls | failed | every function of the file counts
proof fn helper(x: int)
    ensures x > 0, // FAILS
{ }
fn f(x: u8) -> (r: u8) ensures r == x { x }

//@ ill_founded_spec_function_that_nobody_calls | failed | its measure rises
spec fn bad(n: nat) -> nat decreases n {
    bad(n + 1) + 1 // FAILS
}
fn f(x: u8) -> (r: u8) ensures r == x { x }

//@ const_in_range | verified | 200 + 50 fits u8
pub const TOP: u8 = 200 + 50;
fn f() -> (r: u8) ensures r == 250 { TOP }

//@ const_that_overflows | failed/rejected | 200 + 100 does not fit u8, although nobody reads it
pub const TOP: u8 = 200 + 100; // FAILS
fn f() { }

//@ macro_left_open | rejected raw | the end of the macro is missing
use vstd::prelude::*;
verus! {
fn f(x: u8) -> (r: u8) ensures r == x { x }

//@ closing_brace_too_many | rejected raw | the text behind the macro is no item
use vstd::prelude::*;
verus! {
fn f(x: u8) -> (r: u8) ensures r == x { x }
}
}

//@ prose_behind_the_macro | rejected/unsupported raw | the file is not Rust
use vstd::prelude::*;
verus! {
fn f(x: u8) -> (r: u8) ensures r == x { x }
}
This program increments a number.

//@ prose_before_the_macro | rejected/unsupported raw | the file is not Rust
Here is the verified program:
use vstd::prelude::*;
verus! {
fn f(x: u8) -> (r: u8) ensures r == x { x }
}

//@ no_macro | !verified raw | nothing in the file is verified code
fn f(x: u8) -> u8 { x }

//@ empty_macro | !verified raw | a file without a function proves nothing
use vstd::prelude::*;
verus! {
}

//@ empty_text | !verified raw | there is no program

//@ whole_file_with_main | verified raw | the usual frame of a published program
use vstd::prelude::*;
fn main() {}
verus! {
fn f(x: u8) -> (r: u8) ensures r == x { x }
} // verus!

//@ main_inside | verified raw | main may stand inside the macro
use vstd::prelude::*;
verus! {
fn f(x: u8) -> (r: u8) ensures r == x { x }
fn main() { let y = f(3); assert(y == 3); }
}

//@ two_errors_are_two_findings | failed | after a failed check its claim is assumed, so each mistake is told once
fn f(x: u8, y: u8) {
    assert(x < 10); // FAILS
    assert(x < 20);
    assert(y < 10); // FAILS
}
