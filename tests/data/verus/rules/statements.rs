Straight-line code, branches and places.

//@ assignments_follow_each_other | verified | the last value counts
fn f() { let mut x: u8 = 1; x = x + 1; x = x * 3; assert(x == 6); }

//@ assignments_wrong | failed | (1 + 1) * 3
fn f() {
    let mut x: u8 = 1;
    x = x + 1;
    x = x * 3;
    assert(x == 5); // FAILS
}

//@ branches_are_merged | verified | either value is known under its condition
fn f(b: bool) { let mut x: u8 = 1; if b { x = 2; } else { x = 3; } assert(x == 2 || x == 3); assert(b ==> x == 2); }

//@ branches_wrong | failed | without b it is 3
fn f(b: bool) {
    let mut x: u8 = 1;
    if b { x = 2; } else { x = 3; }
    assert(x == 2); // FAILS
}

//@ branch_without_else | verified | the old value stays
fn f(b: bool) { let mut x: u8 = 1; if b { x = 2; } assert(!b ==> x == 1); }

//@ branch_that_returns | verified | what follows knows the condition was false
fn f(x: u8) -> (r: u8) ensures r > 0 { if x == 0 { return 1; } assert(x > 0); x }

//@ branch_that_returns_wrong | failed | only 0 has left
fn f(x: u8) -> (r: u8) {
    if x == 0 { return 1; }
    assert(x > 1); // FAILS
    x
}

//@ nested_branches | verified | three ways
fn f(x: i32) -> (r: i32) ensures r == (if x < 0 { -1int } else if x == 0 { 0 } else { 1 }) { if x < 0 { -1 } else if x == 0 { 0 } else { 1 } }

//@ if_as_a_value | verified | an if is an expression
fn f(x: u8, y: u8) -> (r: u8) ensures r >= x, r >= y, r == x || r == y { let m = if x < y { y } else { x }; m }

//@ block_as_a_value | verified | its last expression
fn f() -> (r: u8) ensures r == 3 { let x: u8 = { let y: u8 = 2; y + 1 }; x }

//@ inner_variable_ends | rejected | y lives in the block only
fn f() -> u8 { { let y: u8 = 2; } y }

//@ condition_with_an_effect | verified | the call's contract is known in both branches
fn g(x: &mut u8) -> (r: bool) requires *old(x) < 9 ensures *final(x) == *old(x) + 1, r == (*old(x) > 3) { let r = *x > 3; *x = *x + 1; r }
fn f() { let mut x: u8 = 5; if g(&mut x) { assert(x == 6); } else { assert(false); } }

//@ code_after_return | verified | nothing gets there
fn f() -> (r: u8) ensures r == 1 { return 1; }

//@ dead_branch | verified | x < 3 contradicts the condition
fn f(x: u8) requires x < 3 { if x > 5 { assert(false); } }

//@ dead_branch_wrong | failed | x may be 6
fn f(x: u8) requires x < 9 {
    if x > 5 {
        assert(false); // FAILS
    }
}

//@ field_update | verified | only that field changes
pub struct P { pub x: u8, pub y: u8 }
fn f(p: &mut P) ensures final(p).x == 7, final(p).y == old(p).y { p.x = 7; }

//@ field_update_wrong | failed | the other field stays
pub struct P { pub x: u8, pub y: u8 }
fn f(p: &mut P)
    ensures final(p).y == 7 // FAILS
{ p.x = 7; }

//@ nested_field_update | verified | a path of fields
pub struct P { pub x: u8, pub y: u8 }
pub struct Q { pub p: P, pub z: u8 }
fn f(q: &mut Q) ensures final(q).p.x == 7, final(q).p.y == old(q).p.y, final(q).z == old(q).z { q.p.x = 7; }

//@ tuple_update | verified | only that position changes
fn f() { let mut p: (u8, u8) = (1, 2); p.0 = 5; assert(p == (5u8, 2u8)); }

//@ element_update | verified | only that element changes
fn f(v: &mut Vec<u8>) requires old(v).len() == 3 ensures final(v)@ == old(v)@.update(1, 9) { v[1] = 9; }

//@ element_update_out_of_range | failed | the vector may be empty
fn f(v: &mut Vec<u8>) {
    v[0] = 9; // FAILS
}

//@ element_update_wrong | failed | the neighbour stays
fn f(v: &mut Vec<u8>)
    requires old(v).len() == 3
    ensures final(v)@[0] == 9 // FAILS
{ v[1] = 9; }

//@ element_of_a_field | verified | a path through a field
pub struct P { pub v: Vec<u8>, pub k: u8 }
fn f(p: &mut P) requires old(p).v.len() > 0 ensures final(p).v@ == old(p).v@.update(0, 3), final(p).k == old(p).k { p.v[0] = 3; }

//@ element_add_assign | failed | the element may be 255
fn f(v: &mut Vec<u8>) requires old(v).len() > 0 {
    v[0] = v[0] + 1; // FAILS
}

//@ short_circuit_protects_an_index | verified | the right side runs only in range
fn f(v: &Vec<u8>, i: usize) -> (r: bool) ensures r == (i < v.len() && v[i as int] == 0) { i < v.len() && v[i] == 0 }

//@ short_circuit_in_the_wrong_order | failed | the index comes first
fn f(v: &Vec<u8>, i: usize) -> bool {
    v[i] == 0 && i < v.len() // FAILS
}

//@ ghost_copy_before_a_change | verified | a ghost variable keeps the old value
fn f(v: &mut Vec<u8>) { let ghost before = v@; v.push(1); assert(v@ == before.push(1)); }

//@ let_shadows | verified | the first x is reachable through y
fn f() { let x: u8 = 1; let y = x; let x: u8 = 2; assert(y == 1 && x == 2); }

//@ expression_statement | verified | a value may be dropped
fn g() -> u8 { 3 }
fn f() { g(); let _ = g(); }

//@ match_assigns | verified | each arm is a branch
fn f(o: Option<u8>) -> (r: u8) ensures o is None ==> r == 9 { let mut r: u8 = 0; match o { Some(x) => { r = x; } None => { r = 9; } } r }

//@ swap_by_a_third | verified | the usual three assignments
fn f(a: &mut u8, b: &mut u8) ensures *final(a) == *old(b), *final(b) == *old(a) { let t = *a; *a = *b; *b = t; }

//@ swap_without_a_third | failed | the first value is lost
fn f(a: &mut u8, b: &mut u8)
    ensures *final(a) == *old(b), *final(b) == *old(a) // FAILS
{ *a = *b; *b = *a; }
