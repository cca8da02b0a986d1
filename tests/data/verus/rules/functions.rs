Contracts from the caller's and the callee's side.

//@ precondition_holds | verified | 5 > 3
fn g(x: u8) requires x > 3 { }
fn f() { g(5); }

//@ precondition_fails | failed | 3 is not above 3; both the clause and the call are named
fn g(x: u8)
    requires x > 3
{ }
fn f() {
    g(3); // FAILS
}

//@ each_precondition_is_checked | failed | the second clause fails
fn g(x: u8)
    requires
        x > 3,
        x < 9, // FAILS
{ }
fn f() { g(10); }

//@ postcondition_is_known | verified | the caller sees the contract
fn g(x: u8) -> (r: u8) ensures r <= x { x / 2 }
fn f() { let y = g(9); assert(y <= 9); }

//@ body_is_not_seen | failed | the caller sees the contract only
fn g(x: u8) -> (r: u8) ensures r <= x { x / 2 }
fn f() {
    let y = g(8);
    assert(y == 4); // FAILS
}

//@ proof_body_is_not_seen | failed | a lemma tells what it ensures
proof fn g(x: int) -> (r: int) { 4 }
proof fn f() {
    let y = g(1);
    assert(y == 4); // FAILS
}

//@ trivial_body_is_not_seen | failed | without ensures nothing is told
fn g(x: u8) -> u8 { x }
fn f() {
    let y = g(3);
    assert(y == 3); // FAILS
}

//@ result_differs_between_calls | failed | two calls may give two results
fn g() -> (r: u8) ensures r < 9 { 3 }
fn f() {
    let x = g();
    let y = g();
    assert(x == y); // FAILS
}

//@ each_postcondition_is_checked | failed | the second clause fails
fn g(x: u8) -> (r: u8)
    ensures
        r >= x,
        r > x, // FAILS
{ x }

//@ early_return_is_checked | failed | the first exit breaks the promise
fn g(x: u8) -> (r: u8)
    ensures r > 0
{
    if x > 3 {
        return 0; // FAILS
    }
    1
}

//@ early_return | verified | both exits keep the promise
fn g(x: u8) -> (r: u8) ensures r > 0 { if x > 3 { return x; } 1 }

//@ two_exits_two_findings | failed | both exits break the promise
fn g(x: u8) -> (r: u8)
    ensures r > 1
{
    if x > 3 {
        return 0; // FAILS
    }
    1 // FAILS
}

//@ mutated_parameter_in_a_clause | failed | x in the clause is the entry value
fn g(mut x: u8) -> (r: u8)
    requires x < 9
    ensures r == x // FAILS
{ x = x + 1; x }

//@ returns_clause | verified | returns e promises result == e
fn g(x: u8) -> u8 requires x < 9 returns (x + 1) as u8, { x + 1 }
fn f() { let y = g(3); assert(y == 4); }

//@ returns_clause_fails | failed | x is not x + 1
fn g(x: u8) -> u8
    requires x < 9
    returns (x + 1) as u8, // FAILS
{ x }

//@ recommends_is_no_obligation | verified | a spec function is total
spec fn g(x: int) -> int recommends x > 3 { x }
proof fn t() { assert(g(1) == 1); }

//@ contradictory_requires | verified | there is nothing to prove; specifications are checked elsewhere
fn g(x: u8) -> (r: u8) requires x > 3, x < 2 ensures r == 77 { 0 }

//@ contradictory_requires_cannot_be_called | failed | no argument satisfies it
fn g(x: u8)
    requires
        x > 3,
        x < 2, // FAILS
{ }
fn f() { g(5); }

//@ arguments_left_to_right | failed | the first argument's check comes before the second's
fn g(x: u8, y: u8) { }
fn f(a: u8, b: u8) {
    g(
        a + 1, // FAILS
        b + 1, // FAILS
    );
}

//@ mutable_argument_changes | failed | after the call only the contract is known
fn g(x: &mut u8) ensures *final(x) < 9 { *x = 3; }
fn f() {
    let mut x: u8 = 1;
    g(&mut x);
    assert(x == 1); // FAILS
}

//@ mutable_argument_is_a_byte | verified | the new value has its type's range and the contract
fn g(x: &mut u8) ensures *final(x) < 9 { *x = 3; }
fn f() { let mut x: u8 = 1; g(&mut x); assert(0 <= x < 9); }

//@ others_do_not_change | verified | only what is lent may change
fn g(x: &mut u8) { *x = 3; }
fn f() { let mut x: u8 = 1; let y: u8 = 2; g(&mut x); assert(y == 2); }

//@ old_of_the_callee_is_the_value_before | verified | old(x) is the caller's value at the call
fn inc(x: &mut u8) requires *old(x) < 255 ensures *final(x) == *old(x) + 1 { *x = *x + 1; }
fn f() { let mut x: u8 = 1; inc(&mut x); inc(&mut x); assert(x == 3); }

//@ requires_on_the_old_value | failed | the second call may not be made with 255
fn inc(x: &mut u8)
    requires *old(x) < 255
    ensures *final(x) == *old(x) + 1
{ *x = *x + 1; }
fn f() {
    let mut x: u8 = 254;
    inc(&mut x);
    inc(&mut x); // FAILS
}

//@ mutable_self | verified | the receiver's fields change
pub struct C { pub n: u8 }
impl C { fn inc(&mut self) requires old(self).n < 255 ensures final(self).n == old(self).n + 1 { self.n = self.n + 1; } }
fn f() { let mut c = C { n: 0 }; c.inc(); c.inc(); assert(c.n == 2); }

//@ mutable_self_wrong | failed | the other field is not promised
pub struct C { pub n: u8, pub k: u8 }
impl C { fn inc(&mut self) requires old(self).n < 255 ensures final(self).n == old(self).n + 1 { self.n = self.n + 1; } }
fn f() {
    let mut c = C { n: 0, k: 5 };
    c.inc();
    assert(c.k == 5); // FAILS
}

//@ lemma_gives_its_ensures | verified | the caller proves the requires and gets the ensures
proof fn trans(a: int, b: int, c: int) requires a < b, b < c ensures a < c { }
proof fn f(x: int) { trans(x, x + 1, x + 2); assert(x < x + 2); }

//@ lemma_needs_its_requires | failed | b < c does not hold
proof fn trans(a: int, b: int, c: int)
    requires
        a < b,
        b < c, // FAILS
    ensures a < c
{ }
proof fn f(x: int) { trans(x, x + 1, x); }

//@ ensures_of_a_unit_function | verified | a function may promise without a result
proof fn g(x: int) ensures x * 1 == x { }

//@ unnamed_result_in_ensures | rejected | there is no name to speak of it
fn g(x: u8) -> u8 ensures r == x { x }

//@ generic_contract | verified | the contract at the instance
fn id<T>(x: T) -> (r: T) ensures r == x { x }
fn f() { let y = id(3u8); assert(y == 3); let b = id(true); assert(b); }

//@ generic_body | failed | T may be anything
fn first<T: Copy>(x: T, y: T) -> (r: T)
    ensures r == y // FAILS
{ x }

//@ option_result | verified | both constructors are promised about
fn half(x: u8) -> (r: Option<u8>) ensures x % 2 == 0 ==> r == Some((x / 2) as u8), x % 2 == 1 ==> r is None {
    if x % 2 == 0 { Some(x / 2) } else { None }
}

//@ tuple_result | verified | a pair is one result
fn mm(x: u8, y: u8) -> (r: (u8, u8)) ensures r.0 <= r.1, r.0 == x || r.0 == y { if x < y { (x, y) } else { (y, x) } }

//@ tuple_result_wrong | failed | the first is the smaller
fn mm(x: u8, y: u8) -> (r: (u8, u8))
    ensures r.0 >= r.1 // FAILS
{ if x < y { (x, y) } else { (y, x) } }
