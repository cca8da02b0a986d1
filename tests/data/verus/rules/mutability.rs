Mutability, initialisation, moves and borrows.

//@ assign_mut | verified | mut allows it
fn f() { let mut x: u8 = 1; x = 2; assert(x == 2); }

//@ assign_immutable | rejected | x is not mut
fn f() { let x: u8 = 1; x = 2; }

//@ assign_parameter | rejected | a parameter is not mut by itself
fn f(x: u8) -> u8 { x = 2; x }

//@ assign_mut_parameter | verified | mut parameters are locals; the clause means the entry value
fn f(mut x: u8) -> (r: u8) requires x < 9 ensures r == x + 1 { x = x + 1; x }

//@ assign_field_of_immutable | rejected | the owner is not mut
pub struct P { pub x: u8 }
fn f(p: P) { p.x = 2; }

//@ assign_field_of_mut | verified | the owner is mut
pub struct P { pub x: u8 }
fn f() { let mut p = P { x: 1 }; p.x = 2; assert(p.x == 2); }

//@ assign_ghost_immutable | rejected | a ghost variable needs mut as well
fn f() { let ghost g: int = 1; proof { g = 2; } }

//@ use_before_a_value | rejected | x has none yet
fn f() -> u8 { let x: u8; x }

//@ late_value_on_all_paths | verified | each branch gives x its value once
fn f(b: bool) -> (r: u8) ensures r == (if b { 1u8 } else { 2u8 }) { let x: u8; if b { x = 1; } else { x = 2; } x }

//@ late_value_on_one_path | rejected | without b x has none
fn f(b: bool) -> u8 { let x: u8; if b { x = 1; } x }

//@ copy_types_stay | verified | integers are copied
fn g(x: u8) { }
fn f(x: u8) -> (r: u8) ensures r == x { g(x); g(x); x }

//@ moved_then_used | rejected | the vector is gone
fn g(v: Vec<u8>) { }
fn f(v: Vec<u8>) -> usize { g(v); v.len() }

//@ moved_by_let | rejected | w owns it now
fn f(v: Vec<u8>) -> usize { let w = v; v.len() }

//@ moved_then_used_in_ghost_code | verified | ghost uses never move
fn f(v: Vec<u8>) -> (w: Vec<u8>) ensures w == v { let w = v; assert(w == v); w }

//@ moved_twice_in_one_call | rejected | one vector, two owners
fn g(v: Vec<u8>, w: Vec<u8>) { }
fn f(v: Vec<u8>) { g(v, v); }

//@ moved_in_a_branch | rejected | on one path it is gone
fn g(v: Vec<u8>) { }
fn f(v: Vec<u8>, b: bool) -> usize { if b { g(v); } v.len() }

//@ moved_in_a_branch_that_leaves | verified | where it was moved, the function returned
fn g(v: Vec<u8>) { }
fn f(v: Vec<u8>, b: bool) -> (r: usize) ensures !b ==> r == v.len() { if b { g(v); return 0; } v.len() }

//@ moved_in_a_loop | rejected | the second round has none
fn g(v: Vec<u8>) { }
fn f(v: Vec<u8>) { let mut i: u8 = 0; while i < 3 invariant i <= 3 decreases 3 - i { g(v); i = i + 1; } }

//@ moved_then_given_again | verified | a new value revives the variable
fn g(v: Vec<u8>) { }
fn f(v: Vec<u8>) -> (r: usize) ensures r == 0 { let mut w = v; g(w); w = Vec::new(); w.len() }

//@ moved_option_payload | rejected | Vec is not Copy
fn f(o: Option<Vec<u8>>) -> usize { let v = o.unwrap(); match o { Some(w) => w.len(), None => 0 } }

//@ mutation_through_a_shared_reference | rejected | & is read-only
fn f(v: &Vec<u8>) { v.push(1); }

//@ assignment_through_a_shared_reference | rejected | & is read-only
fn f(x: &u8) { *x = 1; }

//@ mutation_through_a_mutable_reference | verified | &mut may push
fn f(v: &mut Vec<u8>) ensures final(v)@ == old(v)@.push(1) { v.push(1); }

//@ push_on_immutable | rejected | the local is not mut
fn f() { let v: Vec<u8> = Vec::new(); v.push(1); }

//@ borrow_mut_of_immutable | rejected | the local is not mut
fn g(x: &mut u8) { }
fn f() { let x: u8 = 1; g(&mut x); }

//@ borrow_mut_of_mut | verified | the contract tells the new value
fn g(x: &mut u8) ensures *final(x) == 7 { *x = 7; }
fn f() { let mut x: u8 = 1; g(&mut x); assert(x == 7); }

//@ two_mutable_borrows_in_a_call | rejected | one place, two writers
fn g(x: &mut u8, y: &mut u8) { }
fn f() { let mut x: u8 = 1; g(&mut x, &mut x); }

//@ two_places_in_a_call | verified | two variables do not alias
fn g(x: &mut u8, y: &mut u8) ensures *final(x) == *old(y), *final(y) == *old(x) { let t = *x; *x = *y; *y = t; }
fn f() { let mut x: u8 = 1; let mut y: u8 = 2; g(&mut x, &mut y); assert(x == 2 && y == 1); }

//@ mutable_and_shared_in_a_call | rejected | the vector is read while it is lent for writing
fn g(v: &mut Vec<u8>, w: &Vec<u8>) { }
fn f() { let mut v: Vec<u8> = Vec::new(); g(&mut v, &v); }

//@ field_borrowed | verified | a field path is a place
pub struct P { pub x: u8, pub y: u8 }
fn g(x: &mut u8) ensures *final(x) == 7 { *x = 7; }
fn f() { let mut p = P { x: 1, y: 2 }; g(&mut p.x); assert(p.x == 7 && p.y == 2); }

//@ move_out_of_an_index | rejected | a vector keeps its elements
fn f(v: Vec<Vec<u8>>) -> Vec<u8> requires v.len() > 0 { v[0] }

//@ copy_out_of_an_index | verified | u8 is Copy
fn f(v: Vec<u8>) -> (r: u8) requires v.len() > 0 ensures r == v[0] { v[0] }

//@ move_out_of_a_reference | rejected | the owner is elsewhere
pub struct P { pub v: Vec<u8> }
fn f(p: &P) -> Vec<u8> { p.v }

//@ move_out_of_a_dereference | rejected | the owner is elsewhere
fn f(v: &Vec<u8>) -> Vec<u8> { *v }

//@ copy_out_of_a_reference | verified | u8 is Copy
pub struct P { pub x: u8 }
fn f(p: &P) -> (r: u8) ensures r == p.x { p.x }

//@ field_moved_then_owner_used | rejected | a part of p is gone
pub struct P { pub v: Vec<u8> }
fn g(p: P) { }
fn f(p: P) { let v = p.v; g(p); }

//@ shared_local_read | verified | the owner is not assigned meanwhile
fn f(v: Vec<u8>) -> (r: usize) ensures r == v.len() { let x = &v; x.len() }

//@ shared_local_across_a_change | rejected/unsupported | x still lives when v changes
fn f() -> usize { let mut v: Vec<u8> = Vec::new(); let x = &v; v.push(1); x.len() }

//@ derived_copy | verified | a struct of integers may be Copy
#[derive(Clone, Copy)]
pub struct P { pub x: u8 }
fn g(p: P) { }
fn f(p: P) -> (r: u8) ensures r == p.x { g(p); p.x }

//@ struct_is_not_copy | rejected | without the derive a struct moves
pub struct P { pub x: u8 }
fn g(p: P) { }
fn f(p: P) -> u8 { g(p); p.x }

//@ copy_of_a_struct_with_a_vec | rejected | Vec is not Copy
#[derive(Clone, Copy)]
pub struct P { pub v: Vec<u8> }
fn f(p: P) { }

//@ loop_variable | rejected | the loop owns i
fn f(n: u8) { for i in 0..n { i = 3; } }

//@ generic_moves | rejected | a T may not be Copy
fn f<T>(x: T) -> (T, T) { (x, x) }

//@ self_by_value_used_twice | rejected | the first call took it
pub struct P { pub x: u8 }
impl P { fn eat(self) { } }
fn f(p: P) { p.eat(); p.eat(); }

//@ reference_argument_keeps_the_owner | verified | & lends
fn g(v: &Vec<u8>) { }
fn f(v: Vec<u8>) -> (r: usize) ensures r == v.len() { g(&v); g(&v); v.len() }

//@ missing_ampersand | rejected | a Vec is no &Vec
fn g(v: &Vec<u8>) { }
fn f(v: Vec<u8>) { g(v); }

//@ reference_pattern_for_a_parameter | verified | a number is copied out of its reference
fn f(&x: &u8) -> (r: u8) ensures r == x { x }

//@ reference_pattern_that_moves | rejected | a vector is not copied out of its reference
fn f(&v: &Vec<u8>) -> usize { v.len() }

//@ reference_pattern_in_let_that_moves | rejected | a vector is not copied out of its reference
fn f(v: &Vec<u8>) -> usize { let &w = v; w.len() }

//@ match_that_moves_out_of_a_reference | rejected | the payload stays behind the reference
fn f(p: &Option<Vec<u8>>) -> usize { match *p { Some(w) => w.len(), None => 0 } }

//@ match_that_looks_behind_a_reference | verified | the payload is looked at, not moved
fn f(p: &Option<Vec<u8>>) -> (r: usize) ensures p is None ==> r == 0 { match p { Some(w) => w.len(), None => 0 } }

//@ reference_lent_on | verified | a mutable reference is lent on by its name, or by what it points to
fn g(v: &mut Vec<u8>) { v.push(1); }
fn f(v: &mut Vec<u8>) { g(v); g(&mut *v); }

//@ reference_to_a_reference | rejected | `&mut v` lends v itself, and v is not mut
fn g(v: &mut Vec<u8>) { v.push(1); }
fn f(v: &mut Vec<u8>) { g(&mut v); }

//@ mutable_name_of_a_reference_to_self | rejected | &mut mut self is no receiver
pub struct P { pub x: u8 }
impl P { fn f(&mut mut self) { self.x = 1; } }
