Rust items outside the macro.

//@ plain_function_outside | verified raw | it is compiled, not verified
use vstd::prelude::*;
fn helper(x: u8) -> u8 { x.wrapping_mul(3) }
verus! {
fn f(x: u8) -> (r: u8) ensures r == x { x }
}
fn main() {}

//@ test_function_outside | verified raw | assertions there are tests, not proofs
use vstd::prelude::*;
verus! {
fn f(x: u8) -> (r: u8) ensures r == x { x }
}
fn main() { assert_eq!(f(3), 3); assert!(f(4) == 4); println!("{}", f(5)); }

//@ call_of_a_function_outside | rejected raw | verified code knows no contract of it
use vstd::prelude::*;
fn helper(x: u8) -> u8 { x }
verus! {
fn f(x: u8) -> u8 { helper(x) }
}
fn main() {}

//@ attribute_outside | unsupported raw | the other syntax of Verus
use vstd::prelude::*;
#[verifier::spec]
fn g(x: u64) -> u64 { x }
verus! {
fn f(x: u8) -> (r: u8) ensures r == x { x }
}
fn main() {}

//@ verus_spec_attribute_outside | unsupported raw | the other syntax of Verus
use vstd::prelude::*;
#[verus_spec(r => ensures r == 1)]
fn g(x: u64) -> u64 { x }
verus! {
fn f(x: u8) -> (r: u8) ensures r == x { x }
}
fn main() {}

//@ external_body_outside | !verified raw | it is no way around the scan
use vstd::prelude::*;
#[verifier::external_body]
fn g(x: u64) -> u64 { x }
verus! {
fn f(x: u8) -> (r: u8) ensures r == x { x }
}
fn main() {}

//@ broken_item_outside | rejected/unsupported raw | the file would not compile
use vstd::prelude::*;
fn helper(x: u8 -> u8 { x }
verus! {
fn f(x: u8) -> (r: u8) ensures r == x { x }
}
fn main() {}

//@ comments_outside | verified raw | comments may say anything, nested too
// proof fn f() { admit(); }
use vstd::prelude::*;
/* verus! { /* assume(false) */ } */
verus! {
fn f(x: u8) -> (r: u8) ensures r == x { x }
}
fn main() {}

//@ only_items_outside_are_specified | !verified raw | contracts outside the macro are not checked
use vstd::prelude::*;
fn f(x: u8) -> u8 { requires(x < 3); x }
fn main() {}
