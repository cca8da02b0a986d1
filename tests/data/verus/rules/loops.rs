While loops: what goes in, what stays, what comes out.

//@ counting | verified | i <= n holds at the start and is kept; behind the loop i >= n
fn f(n: u64) -> (r: u64) ensures r == n { let mut i: u64 = 0; while i < n invariant i <= n decreases n - i { i = i + 1; } i }

//@ invariant_fails_before | failed | 0 is not above 0
fn f(n: u64) {
    let mut i: u64 = 0;
    while i < n
        invariant i > 0, // FAILS
        decreases n - i
    { i = i + 1; }
}

//@ invariant_fails_at_the_end | failed | the last round makes i equal to n
fn f(n: u64) requires n > 0 {
    let mut i: u64 = 0;
    while i < n
        invariant i < n, // FAILS
        decreases n - i
    { i = i + 1; }
}

//@ invariant_too_weak | failed | nothing bounds i from above behind the loop
fn f(n: u64) -> (r: u64)
    ensures r == n // FAILS
{ let mut i: u64 = 0; while i < n invariant true decreases n - i { i = i + 1; } i }

//@ requires_does_not_enter | failed | the body knows its invariants only
fn f(n: u64, k: u64) requires k < 10 {
    let mut i: u64 = 0;
    while i < n
        invariant i <= n
        decreases n - i
    {
        let x = k + 1; // FAILS
        i = i + 1;
    }
}

//@ requires_enters_through_an_invariant | verified | stated again, the bound is known
fn f(n: u64, k: u64) requires k < 10 {
    let mut i: u64 = 0;
    while i < n invariant i <= n, k < 10 decreases n - i { let x = k + 1; i = i + 1; }
}

//@ earlier_facts_do_not_enter | failed | that m is 3 was said outside
fn f(n: u64) {
    let m: u64 = 3;
    let mut i: u64 = 0;
    while i < n
        invariant i <= n
        decreases n - i
    {
        assert(m == 3); // FAILS
        i = i + 1;
    }
}

//@ earlier_facts_hold_behind_the_loop | verified | m was not touched
fn f(n: u64) {
    let m: u64 = 3;
    let mut i: u64 = 0;
    while i < n invariant i <= n decreases n - i { i = i + 1; }
    assert(m == 3);
}

//@ changed_variables_are_forgotten | failed | only the invariant tells about s
fn f(n: u64) {
    let mut s: u64 = 0;
    let mut i: u64 = 0;
    while i < n invariant i <= n decreases n - i { i = i + 1; s = 5; }
    assert(s == 0 || s == 5); // FAILS
}

//@ identity_is_kept | verified | n is the same n inside
fn f(n: u64) -> (r: u64) ensures r <= n { let mut i: u64 = 0; while i < n invariant i <= n decreases n - i { i = i + 1; } i }

//@ negated_condition_behind | verified | a simple while ends when its condition is false
fn f(n: u64) { let mut i: u64 = 0; while i < n invariant true decreases n - i { i = i + 1; } assert(i >= n); }

//@ measure_stays | failed | i does not move
fn f(n: u64) {
    let mut i: u64 = 0;
    while i < n // FAILS
        invariant i <= n
        decreases n - i
    { }
}

//@ measure_rises | failed | i moves away from 0
fn f(n: u64) {
    let mut i: u64 = 0;
    while i < n // FAILS
        invariant i <= n
        decreases i
    { i = i + 1; }
}

//@ measure_below_zero | failed | nothing keeps it from falling below 0
fn f(n: u64) {
    let mut i: u64 = 0;
    while i != n // FAILS
        invariant true
        decreases n - i
    { if i < u64::MAX { i = i + 1; } }
}

//@ lexicographic_measure | verified | j falls, or it is reset while i falls
fn f() {
    let mut i: u8 = 3;
    let mut j: u8 = 3;
    while i > 0 invariant j <= 3 decreases i, j { if j > 0 { j = j - 1; } else { i = i - 1; j = 3; } }
}

//@ lexicographic_measure_wrong | failed | j is reset and i stays
fn f() {
    let mut i: u8 = 3;
    let mut j: u8 = 3;
    while i > 0 // FAILS
        invariant j <= 3
        decreases i, j
    { if j > 0 { j = j - 1; } else { j = 3; } }
}

//@ sum_with_a_bound | verified | s is 2 * i all along
fn f(n: u32) -> (s: u64) ensures s == 2 * n {
    let mut s: u64 = 0;
    let mut i: u32 = 0;
    while i < n invariant i <= n, s == 2 * i decreases n - i { s = s + 2; i = i + 1; }
    s
}

//@ sum_overflows | failed | nothing bounds s
fn f(n: u64) {
    let mut s: u64 = 0;
    let mut i: u64 = 0;
    while i < n
        invariant i <= n
        decreases n - i
    {
        s = s + 2; // FAILS
        i = i + 1;
    }
}

//@ quantified_invariant | verified | everything before i is zero
fn f(v: &Vec<u8>) -> (r: bool) ensures r == (forall|k: int| 0 <= k < v.len() ==> v[k] == 0) {
    let mut i: usize = 0;
    while i < v.len()
        invariant i <= v.len(), forall|k: int| 0 <= k < i ==> v[k] == 0
        decreases v.len() - i
    { if v[i] != 0 { return false; } i = i + 1; }
    true
}

//@ quantified_invariant_wrong | failed | nothing was looked at
fn f(v: &Vec<u8>) {
    let mut i: usize = 0;
    while i < v.len()
        invariant i <= v.len(), forall|k: int| 0 <= k < i ==> v[k] == 0, // FAILS
        decreases v.len() - i
    { i = i + 1; }
}

//@ vector_index_needs_a_bound | failed | i may pass the end
fn f(v: &Vec<u8>, n: usize) {
    let mut i: usize = 0;
    while i < n
        invariant i <= n
        decreases n - i
    {
        let x = v[i]; // FAILS
        i = i + 1;
    }
}

//@ vector_grows | verified | its length follows i
fn f(n: usize) -> (v: Vec<u8>) ensures v.len() == n, forall|k: int| 0 <= k < n ==> v[k] == 7 {
    let mut v: Vec<u8> = Vec::new();
    let mut i: usize = 0;
    while i < n
        invariant i <= n, v.len() == i, forall|k: int| 0 <= k < i ==> v[k] == 7
        decreases n - i
    { v.push(7); i = i + 1; }
    v
}

//@ pushed_vectors_are_forgotten | failed | push changes the vector, so its length must be an invariant
fn f(n: usize) -> (v: Vec<u8>)
    ensures v.len() == n // FAILS
{
    let mut v: Vec<u8> = Vec::new();
    let mut i: usize = 0;
    while i < n invariant i <= n decreases n - i { v.push(7); i = i + 1; }
    v
}

//@ lent_vectors_are_forgotten | failed | a call may have changed it
fn g(v: &mut Vec<u8>) { v.push(1); }
fn f(n: usize) {
    let mut v: Vec<u8> = Vec::new();
    let mut i: usize = 0;
    while i < n invariant i <= n decreases n - i { g(&mut v); i = i + 1; }
    assert(v.len() == 0); // FAILS
}

//@ condition_with_an_effect | verified | the condition runs once more at the end
fn tick(c: &mut u64, x: u8) -> (r: bool) ensures *final(c) == 1, r == (x > 0) { *c = 1; x > 0 }
fn f() {
    let mut c: u64 = 0;
    let mut x: u8 = 9;
    while tick(&mut c, x) invariant true decreases x { x = x - 1; c = 2; }
    assert(x == 0 && c == 1);
}

//@ nested | verified | the inner loop must state what the outer one knows
fn f(n: u64) {
    let mut i: u64 = 0;
    while i < n invariant i <= n decreases n - i {
        let mut j: u64 = 0;
        while j < i invariant j <= i, i < n decreases i - j { j = j + 1; }
        i = i + 1;
    }
}

//@ nested_without_the_outer_fact | failed | i < n is not an invariant of the inner loop; the outer one knows it from before
fn f(n: u64) {
    let mut i: u64 = 0;
    while i < n invariant i <= n decreases n - i {
        let mut j: u64 = 0;
        while j < i
            invariant j <= i
            decreases i - j
        {
            assert(i < n); // FAILS
            j = j + 1;
        }
        i = i + 1;
    }
}

//@ inner_changes_are_forgotten_outside | failed | the inner loop changed s
fn f(n: u64) {
    let mut i: u64 = 0;
    let mut s: u64 = 0;
    while i < n
        invariant i <= n, s == 0, // FAILS
        decreases n - i
    {
        let mut j: u64 = 0;
        while j < 3 invariant j <= 3 decreases 3 - j { s = 1; j = j + 1; }
        i = i + 1;
    }
}

//@ old_inside_a_loop | verified | old names the entry value everywhere
fn f(v: &mut Vec<u8>) ensures final(v).len() == old(v).len() {
    let mut i: usize = 0;
    while i < v.len() invariant i <= v.len(), v.len() == old(v).len() decreases v.len() - i { v[i] = 0; i = i + 1; }
}

//@ parameters_changed_in_a_loop | failed | v is cut off from its entry value
fn f(v: &mut Vec<u8>)
    ensures final(v).len() == old(v).len() // FAILS
{
    let mut i: usize = 0;
    while i < v.len() invariant i <= v.len() decreases v.len() - i { v[i] = 0; i = i + 1; }
}

//@ isolation_off | verified | the body sees what is known outside
#[verifier::loop_isolation(false)]
fn f(n: u64, k: u64) requires k < 10 {
    let mut i: u64 = 0;
    while i < n invariant i <= n decreases n - i { let x = k + 1; i = i + 1; }
}

//@ isolation_off_forgets_changed_variables | failed | i changes in the loop
#[verifier::loop_isolation(false)]
fn f(n: u64) {
    let mut i: u64 = 0;
    while i < n
        invariant i <= n
        decreases n - i
    {
        assert(i == 0); // FAILS
        i = i + 1;
    }
}

//@ isolation_off_for_one_loop | verified | the attribute may stand on the loop
fn f(n: u64, k: u64) requires k < 10 {
    let mut i: u64 = 0;
    #[verifier::loop_isolation(false)]
    while i < n invariant i <= n decreases n - i { let x = k + 1; i = i + 1; }
}

//@ isolation_innermost_wins | failed | the loop asks for isolation
#[verifier::loop_isolation(false)]
fn f(n: u64, k: u64) requires k < 10 {
    let mut i: u64 = 0;
    #[verifier::loop_isolation(true)]
    while i < n
        invariant i <= n
        decreases n - i
    {
        let x = k + 1; // FAILS
        i = i + 1;
    }
}

//@ isolation_off_for_the_file | verified raw | an inner attribute of the file
#![verifier::loop_isolation(false)]
use vstd::prelude::*;
verus! {
fn f(n: u64, k: u64) requires k < 10 {
    let mut i: u64 = 0;
    while i < n invariant i <= n decreases n - i { let x = k + 1; i = i + 1; }
}
}

//@ return_in_a_loop | verified | the function's promise follows from the invariants
fn f(n: u64) -> (r: u64) ensures r <= n {
    let mut i: u64 = 0;
    while i < n invariant i <= n decreases n - i { if i == 5 { return i; } i = i + 1; }
    n
}

//@ return_in_a_loop_needs_an_invariant | failed | k < 10 is not known in the loop
fn f(n: u64, k: u64) -> (r: u64)
    requires k < 10
    ensures r < 10
{
    let mut i: u64 = 0;
    while i < n invariant i <= n decreases n - i {
        if i == 5 {
            return k; // FAILS
        }
        i = i + 1;
    }
    0
}

//@ ghost_variable_in_a_loop | verified | ghost variables may be invariants too
fn f(n: u64) {
    let mut i: u64 = 0;
    let ghost mut twice: int = 0;
    while i < n invariant i <= n, twice == 2 * i decreases n - i { i = i + 1; proof { twice = twice + 2; } }
    assert(twice == 2 * n);
}

//@ ghost_variable_is_forgotten | failed | a ghost assignment changes it as well
fn f(n: u64) {
    let mut i: u64 = 0;
    let ghost mut g: int = 0;
    while i < n invariant i <= n decreases n - i { i = i + 1; proof { g = 1; } }
    assert(g == 0); // FAILS
}
