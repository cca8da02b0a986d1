Structs, enums, constants and their names.

//@ fields | verified | what went in comes out
pub struct P { pub x: u8, pub y: bool }
fn f() -> (p: P) ensures p.x == 3, p.y { P { x: 3, y: true } }

//@ unknown_field | rejected | P has no z
pub struct P { pub x: u8 }
fn f(p: P) -> u8 { p.z }

//@ missing_field | rejected | y is not given
pub struct P { pub x: u8, pub y: u8 }
fn f() -> P { P { x: 1 } }

//@ field_given_twice | rejected | x stands twice
pub struct P { pub x: u8 }
fn f() -> P { P { x: 1, x: 2 } }

//@ extra_field | rejected | P has no y
pub struct P { pub x: u8 }
fn f() -> P { P { x: 1, y: 2 } }

//@ field_type | rejected | x is a u8
pub struct P { pub x: u8 }
fn f() -> P { P { x: true } }

//@ unknown_variant | rejected | C has no B
pub enum C { R, G }
fn f() -> C { C::B }

//@ variant_arity | rejected | Some holds one value
fn f() -> Option<u8> { Some(1, 2) }

//@ recursion_through_box | verified | Nil is the base
pub enum List { Nil, Cons(u8, Box<List>) }
spec fn len(l: List) -> nat decreases l { match l { List::Nil => 0, List::Cons(_, t) => 1 + len(*t) } }
proof fn t() { assert(len(List::Nil) == 0); }

//@ recursion_without_box | rejected | the value would be infinitely large
pub enum List { Nil, Cons(u8, List) }
fn f(l: List) { }

//@ recursion_without_base | rejected | no finite value exists
pub struct S { pub next: Box<S> }
fn f(s: S) { }

//@ recursion_through_option | verified | None is the base
pub struct S { pub x: u8, pub next: Option<Box<S>> }
fn f(s: S) -> (r: u8) ensures r == s.x { s.x }

//@ mutual_recursion_without_base | rejected | no finite value exists
pub struct A { pub b: Box<B> }
pub struct B { pub a: Box<A> }
fn f(a: A) { }

//@ function_twice | rejected | one name, one function
fn f() { }
fn f() { }

//@ spec_and_exec_of_one_name | rejected | one name, one function
spec fn f() -> int { 1 }
fn f() { }

//@ struct_twice | rejected | one name, one type
pub struct P { pub x: u8 }
pub struct P { pub y: u8 }
fn f() { }

//@ field_twice_in_the_type | rejected | one name, one field
pub struct P { pub x: u8, pub x: u8 }
fn f() { }

//@ variant_twice | rejected | one name, one variant
pub enum C { R, R }
fn f() { }

//@ const_twice | rejected | one name, one constant
pub const A: u8 = 1;
pub const A: u8 = 2;
fn f() { }

//@ parameter_twice | rejected | one name, one parameter
fn f(x: u8, x: u8) { }

//@ variants_differ | verified | two constructors are never equal
pub enum C { R, G }
proof fn t() { assert(C::R != C::G); }

//@ variants_differ_wrong | failed | two constructors are never equal
pub enum C { R, G }
proof fn t() {
    assert(C::R == C::G); // FAILS
}

//@ constructors_are_injective | verified | equal values have equal fields
pub enum L { A(int), B(int) }
proof fn t(x: int, y: int) requires L::A(x) == L::A(y) { assert(x == y); }

//@ equal_structs | verified | equal fields make equal structs
pub struct P { pub x: int, pub y: int }
proof fn t(a: P, b: P) requires a.x == b.x, a.y == b.y { assert(a == b); }

//@ equal_structs_wrong | failed | y may differ
pub struct P { pub x: int, pub y: int }
proof fn t(a: P, b: P) requires a.x == b.x {
    assert(a == b); // FAILS
}

//@ update_syntax | verified | the other fields are p's
pub struct P { pub x: u8, pub y: u8 }
spec fn f(p: P) -> P { P { x: 1, ..p } }
proof fn t(p: P) { assert(f(p).y == p.y && f(p).x == 1); }

//@ update_syntax_wrong | failed | x was replaced
pub struct P { pub x: u8, pub y: u8 }
spec fn f(p: P) -> P { P { x: 1, ..p } }
proof fn t(p: P) {
    assert(f(p).x == p.x); // FAILS
}

//@ tuple_struct | verified | fields by number
pub struct W(pub u8, pub bool);
fn f(w: W) -> (r: u8) ensures r == w.0 { w.0 }

//@ methods | verified | self is the receiver
pub struct P { pub x: u8 }
impl P {
    pub open spec fn big(self) -> bool { self.x > 9 }
    pub fn get(&self) -> (r: u8) ensures r == self.x { self.x }
}
fn f(p: P) -> (r: u8) requires p.big() ensures r > 9 { p.get() }

//@ method_twice | rejected | one name, one method
pub struct P { pub x: u8 }
impl P { fn a(&self) { } fn a(&self) { } }

//@ associated_function | verified | no receiver
pub struct P { pub x: u8 }
impl P { pub fn new(x: u8) -> (p: P) ensures p.x == x { P { x } } }
fn f() { let p = P::new(4); assert(p.x == 4); }

//@ associated_function_called_as_method | rejected | it has no receiver
pub struct P { pub x: u8 }
impl P { pub fn new(x: u8) -> P { P { x } } }
fn f(p: P) { let q = p.new(3); }

//@ const_value | verified | a constant's value is known everywhere
pub const LIMIT: u64 = 1000;
fn f(x: u64) -> (r: u64) requires x < LIMIT ensures r <= 1000 { x + 1 }

//@ const_value_wrong | failed | 1000 is not below 1000
pub const LIMIT: u64 = 1000;
proof fn t() {
    assert(LIMIT < 1000); // FAILS
}

//@ const_of_another_const | verified | initialisers may use constants
pub const A: u64 = 10;
pub const B: u64 = A + 1;
proof fn t() { assert(B == 11); }

//@ const_assigned | rejected/unsupported | a constant is no variable
pub const A: u64 = 10;
fn f() { A = 11; }

//@ generic_struct | verified | fields at the instance's type
pub struct W<T> { pub inner: T }
spec fn f(w: W<int>) -> int { w.inner + 1 }
proof fn t() { assert(f(W { inner: 2int }) == 3); }

//@ generic_struct_at_the_wrong_type | rejected | inner is a bool there
pub struct W<T> { pub inner: T }
spec fn f(w: W<bool>) -> int { w.inner + 1 }
