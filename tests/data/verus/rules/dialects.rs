Where Verus of 2024 and Verus of 2026 differ.

//@ promotion_in_ensures_now | verified | == between sequences in ensures is proved as =~=
proof fn f(s: Seq<int>, t: Seq<int>)
    requires s.len() == t.len(), forall|i: int| 0 <= i < s.len() ==> s[i] == t[i]
    ensures s == t
{ }

//@ promotion_in_ensures_then | failed classic | only assert promoted == in 2024
proof fn f(s: Seq<int>, t: Seq<int>)
    requires s.len() == t.len(), forall|i: int| 0 <= i < s.len() ==> s[i] == t[i]
    ensures s == t // FAILS
{ }

//@ promotion_in_assert_then | verified classic | assert promoted == in 2024 too
proof fn f(s: Seq<int>, t: Seq<int>)
    requires s.len() == t.len(), forall|i: int| 0 <= i < s.len() ==> s[i] == t[i]
{ assert(s == t); }

//@ promotion_in_assert_by_then | failed classic | assert by did not promote in 2024
proof fn f(s: Seq<int>, t: Seq<int>)
    requires s.len() == t.len(), forall|i: int| 0 <= i < s.len() ==> s[i] == t[i]
{
    assert(s == t) by { } // FAILS
}

//@ loop_without_decreases_now | rejected | an exec loop must terminate
fn f(n: u64) {
    let mut i: u64 = 0;
    while i < n // FAILS
        invariant i <= n
    { i = i + 1; }
}

//@ loop_without_decreases_then | verified classic | termination of exec code was not checked in 2024
fn f(n: u64) {
    let mut i: u64 = 0;
    while i < n
        invariant i <= n
    { i = i + 1; }
}

//@ loop_with_the_attribute | verified | the attribute waives the measure
#[verifier::exec_allows_no_decreases_clause]
fn f(n: u64) {
    let mut i: u64 = 0;
    while i < n
        invariant i <= n
    { i = i + 1; }
}

//@ recursion_without_decreases_now | rejected | exec recursion needs a measure
fn f(n: u64) -> u64 { if n == 0 { 0 } else { f(n - 1) } }

//@ recursion_without_decreases_then | verified classic | exec recursion needed none in 2024
fn f(n: u64) -> u64 { if n == 0 { 0 } else { f(n - 1) } }

//@ spec_recursion_without_decreases_then | rejected classic | spec recursion always needed a measure
spec fn f(n: nat) -> nat { if n == 0 { 0 } else { f((n - 1) as nat) } }

//@ signed_division_now | verified | 7 / 2 rounds toward zero
fn f() { let r: i32 = 7i32 / 2i32; assert(r == 3); }

//@ signed_division_then | unsupported classic | signed division in exec code came in 2025
fn f(a: i32) -> i32 requires a == 7 { a / 2 }

//@ bare_mutable_reference_now | rejected | in ensures a reference needs old or final
fn f(x: &mut u64)
    requires *old(x) < 10
    ensures *x == *old(x) + 1
{ *x = *x + 1; }

//@ final_mutable_reference_now | verified | final(x) is the value at return
fn f(x: &mut u64)
    requires *old(x) < 10
    ensures *final(x) == *old(x) + 1
{ *x = *x + 1; }

//@ final_that_is_not_met | failed | one is added, not two
fn f(x: &mut u64)
    requires *old(x) < 10
    ensures *final(x) == *old(x) + 2 // FAILS
{ *x = *x + 1; }

//@ bare_mutable_reference_then | verified classic | bare x meant the value at return
fn f(x: &mut u64)
    requires *old(x) < 10
    ensures *x == *old(x) + 1
{ *x = *x + 1; }

//@ bare_mutable_reference_then_wrong | failed classic | one is added, not two
fn f(x: &mut u64)
    requires *old(x) < 10
    ensures *x == *old(x) + 2 // FAILS
{ *x = *x + 1; }
