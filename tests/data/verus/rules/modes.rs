Which code may call, read and write which.

//@ spec_calls_spec | verified | spec code may call spec functions
spec fn g(x: int) -> int { x + 1 }
spec fn f(x: int) -> int { g(g(x)) }
proof fn t() { assert(f(1) == 3); }

//@ spec_calls_exec | rejected | an exec function has no value in ghost code
fn g(x: u8) -> u8 { x }
spec fn f(x: u8) -> u8 { g(x) }

//@ spec_calls_proof | rejected | a lemma is no value
proof fn g(x: int) ensures x == x { }
spec fn f(x: int) -> int { g(x); x }

//@ spec_calls_exec_with_a_twin | verified | len has a spec meaning
spec fn f(v: Vec<u8>) -> bool { v.len() == v@.len() }
proof fn t(v: Vec<u8>) { assert(f(v)); }

//@ spec_calls_exec_without_a_twin | rejected | push changes its vector
spec fn f(v: Vec<u8>) -> bool { v.push(1); true }

//@ proof_calls_proof_and_spec | verified | both are ghost
spec fn d(x: int) -> int { x + x }
proof fn g(x: int) requires x > 0 ensures d(x) > x { }
proof fn f() { g(4); assert(d(4) > 4); }

//@ proof_calls_exec | rejected | exec code does not run in proofs
fn g(x: u8) -> u8 { x }
proof fn f(x: u8) { let y = g(x); }

//@ exec_calls_exec | verified | the contract of g tells the value
fn g(x: u8) -> (r: u8) ensures r == x { x }
fn f(x: u8) -> (r: u8) ensures r == x { g(x) }

//@ exec_calls_proof_in_a_proof_block | verified | that is where lemmas are called
proof fn g(x: int) requires x > 0 ensures x + x > x { }
fn f(x: u8) requires x > 0 { proof { g(x as int); } }

//@ exec_calls_proof_in_assert_by | verified | assert by holds proof code
proof fn g(x: int) requires x > 0 ensures x + x > x { }
fn f(x: u8) requires x > 0 { assert(x + x > x) by { g(x as int); } }

//@ exec_calls_proof_bare | rejected | a lemma is no statement of exec code
proof fn g(x: u8) { }
fn f(x: u8) { g(x); }

//@ exec_calls_spec_bare | rejected | a spec function does not run
spec fn g(x: u8) -> u8 { x }
fn f(x: u8) -> u8 { g(x) }

//@ exec_calls_spec_in_ghost_places | verified | clause, assert, ghost let and ghost assignment
spec fn g(x: u8) -> int { x + 1 }
fn f(x: u8) -> (r: u8)
    requires g(x) < 10
    ensures g(r) < 10
{
    let ghost mut m = g(x);
    proof { m = g(x) + 1; }
    assert(g(x) + 1 == m);
    x
}

//@ exec_calls_spec_in_a_condition | rejected | an if of exec code runs
spec fn g(x: u8) -> bool { x < 3 }
fn f(x: u8) -> u8 { if g(x) { 1 } else { 2 } }

//@ proof_block_assigns_ghost | verified | ghost variables belong to proofs
fn f() { let ghost mut g: int = 1; proof { g = g + 1; } assert(g == 2); }

//@ proof_block_assigns_exec | rejected | a proof must not change what runs
fn f() { let mut x: u8 = 1; proof { x = 2; } }

//@ proof_block_pushes_exec | rejected | push is exec code
fn f(v: &mut Vec<u8>) { proof { v.push(1); } }

//@ exec_reads_ghost | rejected | a ghost value is not there when the program runs
fn f(x: u8) -> u8 { let ghost g: u8 = x; g }

//@ exec_copies_ghost | rejected | the same through a local
fn f(x: u8) -> u8 { let ghost g: u8 = x; let y: u8 = g; y }

//@ ghost_reads_exec | verified | ghost code may look at everything
fn f(x: u8) { let ghost g = x; assert(g == x); }

//@ ghost_argument_to_exec | rejected | the callee would run on it
fn g(x: u8) { }
fn f(x: u8) { let ghost y: u8 = x; g(y); }

//@ ghost_index_into_exec | rejected | the index must exist when the program runs
fn f(v: &Vec<u8>) -> u8 requires v.len() > 0 { let ghost i: usize = 0; v[i] }

//@ int_local_in_exec | rejected | int has no run-time form
fn f() { let x: int = 3; }

//@ int_parameter_in_exec | verified | int has no run-time form, so nobody can run it; Verus lets it stand
fn f(x: int) { }

//@ nat_return_in_exec | rejected | nat has no run-time form
fn f() -> nat { 3 }

//@ int_local_in_proof | verified | proofs use mathematical integers
proof fn f() { let x: int = 3; assert(x + 1 == 4); }

//@ int_cast_in_exec | rejected | the cast would make an int run
fn f(x: u8) -> bool { let y = x as int; true }

//@ int_fields_in_specs | verified | a datatype with int fields is for ghost code
pub struct P { pub x: int, pub y: int }
spec fn f(p: P) -> int { p.x + p.y }
proof fn t() { assert(f(P { x: 1, y: 2 }) == 3); }

//@ loop_in_spec | rejected | spec functions are expressions
spec fn f(n: nat) -> nat { let mut i = 0; while i < n { i = i + 1; } i }

//@ loop_in_proof | rejected | proofs recurse
proof fn f(n: nat) { let mut i: nat = 0; while i < n decreases n - i { i = i + 1; } }

//@ vec_new_in_spec | rejected | a new vector is exec code
spec fn f() -> Vec<u8> { Vec::new() }

//@ vec_macro_in_proof | rejected | a new vector is exec code
proof fn f() { let v: Vec<u8> = vec![1u8]; }

//@ seq_in_proof | verified | seq! is the ghost counterpart
proof fn f() { let s: Seq<int> = seq![1, 2]; assert(s.len() == 2); }

//@ forall_in_exec | rejected | quantifiers do not run
fn f(v: &Vec<u8>) -> bool { forall|i: int| 0 <= i < v.len() ==> v[i] == 0 }

//@ implies_in_exec | rejected | ==> is a ghost operator
fn f(a: bool, b: bool) -> bool { a ==> b }

//@ implies_in_ensures | verified | a clause is ghost
fn f(a: bool, b: bool) -> (r: bool) ensures r <==> (a ==> b) { !a || b }

//@ extensional_in_exec | rejected | =~= is a ghost operator
fn f(a: Vec<u8>, b: Vec<u8>) -> bool { a =~= b }

//@ choose_in_exec | rejected | choose does not run
fn f() -> u8 { let x = choose|x: u8| x > 3; x }

//@ view_in_exec | rejected | a view is a sequence, which does not run
fn f(v: &Vec<u8>) { let s = v@; }

//@ view_in_ghost_let | verified | a view in ghost code
fn f(v: &Vec<u8>) { let ghost s = v@; assert(s.len() == v.len()); }

//@ chained_comparison_in_exec | rejected | Rust has no chains
fn f(x: u8) -> bool { 0 <= x < 10 }

//@ chained_comparison_in_requires | verified | ghost comparisons chain
fn f(x: u8) -> (r: u8) requires 3 <= x < 10 ensures 4 <= r <= 10 { x + 1 }

//@ ghost_condition_in_exec | rejected | the branch would depend on a ghost value
fn f(x: u8) -> u8 { let ghost g = x > 3; if g { 1 } else { 2 } }

//@ condition_in_proof_block | verified | proofs may split cases
fn f(x: u8) { proof { if x > 3 { assert(x >= 4); } else { assert(x <= 3); } } }

//@ return_in_proof_block | rejected | a proof must not end the function
fn f(x: u8) { proof { if x > 3 { return; } } }

//@ break_in_proof_block | rejected | a proof must not end a loop
fn f() { loop decreases 1int { proof { break; } } }

//@ continue_in_assert_by | rejected | a proof must not steer a loop
fn f(n: u8) {
    let mut i = 0;
    while i < n invariant i <= n decreases n - i {
        i = i + 1;
        assert(true) by { continue; }
    }
}

//@ return_in_assert_by | rejected | a proof must not end the function
fn f(x: u8) { assert(true) by { return; } }

//@ is_in_ghost | verified | is tells the constructor
proof fn f(o: Option<int>) requires o == Some(3int) { assert(o is Some); assert(!(o is None)); }

//@ is_in_exec | rejected | is belongs to ghost code
fn f(o: Option<u8>) -> bool { o is Some }

//@ arrow_in_ghost | verified | -> reads a field of a constructor
proof fn f(o: Option<int>) requires o == Some(3int) { assert(o->0 == 3); }

//@ arrow_in_exec | rejected | -> belongs to ghost code
fn f(o: Option<u8>) -> u8 { o->0 }

//@ matches_in_ghost | verified | the pattern's variables reach the right side
proof fn f(o: Option<int>) requires o matches Some(x) && x > 3 { assert(o->0 > 2); }

//@ matches_in_ghost_implication | failed | nothing is known when o is None or 3
proof fn f(o: Option<int>) {
    assert(o matches Some(x) ==> x > 3); // FAILS
}

//@ matches_in_exec | rejected | matches belongs to ghost code
fn f(o: Option<u8>) -> bool { o matches Some(x) }

//@ let_else_in_exec | verified | exec code may leave
fn f(o: Option<u8>) -> (r: u8) ensures o is Some ==> r == o->0 {
    let Some(x) = o else { return 0; };
    x
}

//@ let_else_in_proof | rejected | let else belongs to exec code
proof fn f(o: Option<int>) { let Some(x) = o else { return; }; }

//@ assert_by_assigns_outer_ghost | rejected | what assert by does is dropped at its end
fn f() { let ghost mut g: int = 1; assert(true) by { g = 2; } }

//@ assert_by_assigns_own_ghost | rejected | Verus allows no assignment there, not even to a variable of the block
proof fn f() { assert(true) by { let mut g: int = 1; g = 2; assert(g == 2); } }

//@ proof_function_returns_a_value | verified | a lemma may hand back a witness
proof fn w(x: int) -> (r: int) ensures r > x { x + 1 }
proof fn f(x: int) { let y = w(x); assert(y > x); }

//@ spec_function_with_requires | rejected | a spec function is total and has no requires
spec fn f(x: int) -> int requires x > 0 { x }

//@ spec_function_with_ensures | rejected | a spec function's value is its body
spec fn f(x: int) -> (r: int) ensures r == x { x }

//@ old_outside_mutable | rejected/failed | old speaks of mutable references only
fn f(x: u8) -> (r: u8) ensures r == old(x) { x }

//@ assert_in_spec_function | rejected/unsupported | a spec body is an expression
spec fn f(x: int) -> int { assert(x == x); x }
