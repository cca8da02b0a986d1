Each kind of finding at its line. The clause is named as the related line.

//@ assertion | failed | assertion failed
proof fn t(x: int) {
    assert(x > 0); // FAILS
}

//@ assertion_holds | verified | the claim is a hypothesis
proof fn t(x: int) requires x > 0 { assert(x > 0); }

//@ precondition | failed | precondition not satisfied, at the call
fn g(x: u8) requires x > 3 { }
fn f(x: u8) {
    let y = x;
    g(y); // FAILS
}

//@ precondition_clause | failed | precondition not satisfied, related to the clause
fn g(x: u8)
    requires
        x < 9,
        x > 3, // FAILS
{ }
fn f() { g(1); }

//@ postcondition | failed | postcondition not satisfied, related to the clause
fn f(x: u8) -> (r: u8)
    ensures
        r <= 255,
        r > x, // FAILS
{
    x
}

//@ postcondition_at_the_exit | failed | postcondition not satisfied, at the exit
fn f(x: u8) -> (r: u8)
    ensures r > x
{
    let y = x;
    y // FAILS
}

//@ invariant_before | failed | invariant not satisfied before loop
fn f(n: u8) {
    let mut i: u8 = 5;
    while i < n
        invariant
            i <= 200 || i <= n,
            i == 0 || i > 5, // FAILS
        decreases n - i
    { i = i + 1; }
}

//@ invariant_at_the_end | failed | invariant not satisfied at end of loop body
fn f(n: u8) {
    let mut i: u8 = 0;
    while i < n
        invariant
            i == 0, // FAILS
        decreases n - i
    { i = i + 1; }
}

//@ invariant_at_a_break | failed | loop invariant not satisfied
fn f(n: u8) requires n < 100 {
    let mut i: u8 = 0;
    while i < n
        invariant
            i <= n, // FAILS
            n < 100,
        decreases n - i
    { i = i + 1; if i == 7 { i = n + 1; break; } }
}

//@ termination_of_a_loop | failed | decreases not satisfied at end of loop
fn f(n: u8) {
    let mut i: u8 = 0;
    while i < n // FAILS
        invariant i <= n
        decreases n - i
    { let j = i; }
}

//@ termination_of_a_call | failed | could not prove termination
fn f(n: u8) decreases n {
    f(n); // FAILS
}

//@ overflow | failed | possible arithmetic underflow/overflow
fn f(n: u8) -> u8 {
    let y = n;
    y + 1 // FAILS
}

//@ division | failed | possible division by zero
fn f(n: u8) -> u8 {
    let y = n;
    100 / y // FAILS
}

//@ shift | failed | possible bit shift underflow/overflow
fn f(n: u8) -> u8 {
    let y = n;
    1 >> y // FAILS
}

//@ index | failed | an index is a precondition
fn f(v: &Vec<u8>, i: usize) -> u8 {
    let y = i;
    v[y] // FAILS
}

//@ nonlinear_requires | failed | requires not satisfied
proof fn t(x: int) {
    assert(x * x >= x) by (nonlinear_arith)
        requires x > 0; // FAILS
}

//@ findings_of_two_functions | failed | every function is looked at
fn f(n: u8) -> u8 {
    n + 1 // FAILS
}
fn g(n: u8) -> u8 {
    n - 1 // FAILS
}

//@ rejection_has_a_line | rejected | the line of the unknown name
fn f(n: u8) -> u8 {
    let y = n;
    z // FAILS
}

//@ type_error_has_a_line | rejected | the line of the wrong type
fn f(n: u8) -> u8 {
    let y: bool = n; // FAILS
    n
}
