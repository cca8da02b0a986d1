Loops with break, continue, labels, and for loops.

//@ break_keeps_the_invariant | verified | at the break i <= n still holds
fn f(n: u64) -> (r: u64) ensures r <= n {
    let mut i: u64 = 0;
    while i < n invariant i <= n decreases n - i { if i == 5 { break; } i = i + 1; }
    i
}

//@ condition_is_not_known_behind_a_break | failed | the break left early
fn f(n: u64) -> (r: u64)
    ensures r == n // FAILS
{
    let mut i: u64 = 0;
    while i < n invariant i <= n decreases n - i { if i == 5 { break; } i = i + 1; }
    i
}

//@ loop_ensures | verified | each way out proves what the loop promises
fn f(n: u64) -> (r: u64) ensures r == n || r == 5 {
    let mut i: u64 = 0;
    while i < n
        invariant i <= n
        ensures i == n || i == 5
        decreases n - i
    { if i == 5 { break; } i = i + 1; }
    i
}

//@ loop_ensures_fails_at_the_break | failed | at the break i is 5
fn f(n: u64) {
    let mut i: u64 = 0;
    while i < n
        invariant i <= n
        ensures i == n // FAILS
        decreases n - i
    {
        if i == 5 { break; }
        i = i + 1;
    }
}

//@ loop_ensures_hides_the_condition | failed | with an ensures clause the negated condition is not known by itself
fn f(n: u64) {
    let mut i: u64 = 0;
    while i < n
        invariant i <= n
        ensures true
        decreases n - i
    { i = i + 1; }
    assert(i == n); // FAILS
}

//@ invariant_except_break | verified | it need not hold at the break
fn f(n: u64) {
    let mut i: u64 = 0;
    loop
        invariant_except_break i <= 9
        ensures i == 10
        decreases 10 - i
    { i = i + 1; if i == 10 { break; } }
    assert(i == 10);
}

//@ invariant_at_the_break | failed | a plain invariant must hold at the break
fn f() {
    let mut i: u64 = 0;
    loop
        invariant i <= 9 // FAILS
        decreases 10 - i
    { i = i + 1; if i == 10 { break; } }
}

//@ invariant_except_break_is_unknown_behind | failed | only invariant and ensures leave the loop
fn f() {
    let mut i: u64 = 0;
    loop
        invariant_except_break i <= 9
        decreases 10 - i
    { i = i + 1; if i >= 9 { break; } }
    assert(i <= 9); // FAILS
}

//@ continue_checks_the_invariant | failed | at the continue i may be n + 1
fn f(n: u64) requires n < 100 {
    let mut i: u64 = 0;
    while i < n
        invariant i <= n, n < 100, // FAILS
        decreases 200 - i
    {
        i = i + 1;
        if i == n { i = i + 1; continue; }
    }
}

//@ continue_keeps_the_invariant | verified | both ways to the next round keep it
fn f(n: u64) {
    let mut i: u64 = 0;
    while i < n invariant i <= n decreases n - i { i = i + 1; if i == 5 { continue; } assert(i != 5); }
}

//@ continue_without_progress | failed | at the continue the measure has not fallen
fn f(n: u64) {
    let mut i: u64 = 0;
    while i < n
        invariant i <= n
        decreases n - i
    {
        if i == 5 { continue; } // FAILS
        i = i + 1;
    }
}

//@ labelled_break | verified | it leaves the outer loop
fn f(n: u64) -> (r: u64) ensures r <= n {
    let mut i: u64 = 0;
    'outer: while i < n invariant i <= n decreases n - i {
        let mut j: u64 = 0;
        while j < 3 invariant j <= 3, i <= n decreases 3 - j { if j == i { break 'outer; } j = j + 1; }
        i = i + 1;
    }
    i
}

//@ labelled_break_checks_the_outer_invariant | failed | the inner loop does not know i <= n
fn f(n: u64) {
    let mut i: u64 = 0;
    'outer: while i < n
        invariant i <= n // FAILS
        decreases n - i
    {
        let mut j: u64 = 0;
        while j < 3 invariant j <= 3 decreases 3 - j { if j == i { break 'outer; } j = j + 1; }
        i = i + 1;
    }
}

//@ unknown_label | rejected | no loop is called so
fn f() { loop decreases 0int { break 'outer; } }

//@ break_outside_a_loop | rejected | there is nothing to leave
fn f() { break; }

//@ continue_outside_a_loop | rejected | there is nothing to repeat
fn f() { continue; }

//@ loop_that_never_ends | rejected/cheat | without decreases the loop is refused, whatever follows
fn f() { loop { } assert(false); }

//@ loop_with_returns | verified | it is left by return alone
fn f(n: u8) -> (r: u8) ensures r == n {
    let mut i: u8 = 0;
    loop invariant i <= n decreases n - i { if i == n { return i; } i = i + 1; }
}

//@ loop_with_returns_wrong | failed | i is n there
fn f(n: u8) -> (r: u8)
    ensures r < n
{
    let mut i: u8 = 0;
    loop invariant i <= n decreases n - i {
        if i == n {
            return i; // FAILS
        }
        i = i + 1;
    }
}

//@ isolation_off_with_loop_ensures | rejected | the two do not go together
#[verifier::loop_isolation(false)]
fn f(n: u64) {
    let mut i: u64 = 0;
    while i < n invariant i <= n ensures i == n decreases n - i { i = i + 1; }
}

//@ isolation_off_with_a_break | verified | both ways out are known exactly
#[verifier::loop_isolation(false)]
fn f(n: u64) {
    let mut i: u64 = 0;
    while i < n invariant i <= n decreases n - i { if i == 5 { break; } i = i + 1; }
    assert(i == n || i == 5);
}

//@ for_counts | verified | the range is an invariant by itself
fn f(n: u64) -> (s: u64) ensures s == n {
    let mut s: u64 = 0;
    for i in 0..n invariant s == i { s = s + 1; }
    s
}

//@ for_invariant_wrong | failed | s is 2 after the first round
fn f(n: u64) requires n < 1000 {
    let mut s: u64 = 0;
    for i in 0..n
        invariant s == i, n < 1000, // FAILS
    { s = s + 2; }
}

//@ for_needs_no_decreases | verified | the range ends by itself
fn f(n: u64) { for i in 0..n { assert(i < n); } }

//@ for_index_is_in_range | verified | 0 <= i < len in the body
fn f(v: &Vec<u8>) -> (r: Vec<u8>) ensures r@ == v@ {
    let mut r: Vec<u8> = Vec::new();
    let n = v.len();
    for i in 0..n invariant n == v.len(), r@ == v@.take(i as int) { r.push(v[i]); }
    r
}

//@ for_forgets_what_it_changes | failed | nothing is said of s
fn f(n: u64) -> (s: u64)
    ensures s == n // FAILS
{
    let mut s: u64 = 0;
    for i in 0..n invariant s <= i { s = s + 1; }
    s
}

//@ for_starts_anywhere | verified | from 2 to n
fn f(n: u64) requires n >= 2 { let mut s: u64 = 2; for i in 2..n invariant s == i { s = s + 1; } assert(s == n); }

//@ for_over_an_empty_range | verified | behind it i stands at the start
fn f() { let mut s: u64 = 5; for i in 5..3 invariant s == i { s = s + 1; } assert(s == 5); }

//@ for_bounds_are_read_once | !verified | changing m does not change the range, so s ends at 3
fn f() { let mut m: u8 = 3; let mut s: u8 = 0; for i in 0..m invariant s == i { s = s + 1; m = 0; } assert(s == 0); }

//@ for_isolated | failed | the body does not know k < 10
fn f(n: u64, k: u64) requires k < 10 {
    for i in 0..n {
        let x = k + 1; // FAILS
    }
}

//@ for_with_a_variable_of_another_width | verified | i has the type of the bounds
fn f(n: u8) { for i in 0..n { let j: u8 = i; assert(j < 255); } }
