Proof statements.

//@ assert_is_known_after | verified | what was proved may be used
proof fn t(x: int) requires x > 3 { assert(x > 2); assert(x > 1); }

//@ assert_fails | failed | 4 is not above 4
proof fn t(x: int) requires x > 3 {
    assert(x > 4); // FAILS
}

//@ assert_by | verified | the block's facts prove the claim
spec fn f(x: int) -> int { x + 1 }
proof fn l(x: int) ensures f(x) > x { }
proof fn t(x: int) { assert(f(x) > x) by { l(x); } assert(f(x) > x); }

//@ assert_by_fails | failed | nothing in the block proves it
proof fn t(x: int) {
    assert(x > 0) by { assert(x + 1 > x); } // FAILS
}

//@ assert_by_drops_its_facts | failed | only the claim survives the block
#[verifier::opaque]
spec fn f(x: int) -> int { x + 1 }
proof fn l(x: int) ensures f(x) == x + 1 { reveal(f); }
proof fn t(x: int) {
    assert(f(x) > x) by { l(x); }
    assert(f(x) == x + 1); // FAILS
}

//@ assert_by_keeps_its_claim | verified | the claim itself survives
#[verifier::opaque]
spec fn f(x: int) -> int { x + 1 }
proof fn l(x: int) ensures f(x) == x + 1 { reveal(f); }
proof fn t(x: int) { assert(f(x) > x) by { l(x); } assert(f(x) > x); }

//@ variable_of_assert_by_ends | rejected | y lives in the block only
proof fn t(x: int) { assert(x == x) by { let y = x; } assert(y == x); }

//@ failing_inside_assert_by | failed | the inner assertion is an obligation too
proof fn t(x: int) {
    assert(x == x) by {
        assert(x > 0); // FAILS
    }
}

//@ assert_forall | verified | one x for all
spec fn f(x: int) -> int { x + 1 }
proof fn t() { assert forall|x: int| f(x) > x by { } assert(f(7) > 7); }

//@ assert_forall_implies | verified | the hypothesis is known in the block
spec fn f(x: int) -> int { x + x }
proof fn t() { assert forall|x: int| x > 0 implies f(x) > x by { assert(x + x > x); } assert(f(7) > 7); }

//@ assert_forall_fails | failed | 0 is a counterexample
spec fn f(x: int) -> int { x + x }
proof fn t() {
    assert forall|x: int| x >= 0 implies f(x) > x by { } // FAILS
}

//@ assert_forall_says_nothing_outside_its_hypothesis | failed | -7 is not positive
#[verifier::opaque]
spec fn f(x: int) -> int { x + x }
proof fn t() {
    assert forall|x: int| x > 0 implies f(x) > x by { reveal(f); }
    assert(f(-7) > -7); // FAILS
}

//@ assert_forall_calls_lemmas | verified | the lemma at the fixed x
#[verifier::opaque]
spec fn f(x: int) -> int { x + 1 }
proof fn l(x: int) ensures f(x) == x + 1 { reveal(f); }
proof fn t() { assert forall|x: int| f(x) == x + 1 by { l(x); } assert(f(3) == 4); }

//@ assert_forall_without_a_trigger | rejected | no term to wait for
proof fn t() { assert forall|x: int| x + 1 > x by { } }

//@ lemma_call | verified | requires checked, ensures known
proof fn l(x: int, y: int) requires x < y ensures x + 1 <= y { }
proof fn t(a: int) requires a > 5 { l(5, a); assert(6 <= a); }

//@ lemma_call_with_another_argument | failed | the lemma spoke of b
#[verifier::opaque]
spec fn p(x: int) -> bool { x == x }
proof fn l(x: int) ensures p(x) { reveal(p); }
proof fn t(a: int, b: int) {
    l(b);
    assert(p(a)); // FAILS
}

//@ lemma_in_a_branch | verified | behind the if it is known under the condition
#[verifier::opaque]
spec fn p(x: int) -> bool { x > 0 }
proof fn l(x: int) requires x > 0 ensures p(x) { reveal(p); }
proof fn t(a: int) { if a > 0 { l(a); } assert(a > 0 ==> p(a)); }

//@ lemma_in_a_branch_wrong | failed | without the condition the lemma was not called
#[verifier::opaque]
spec fn p(x: int) -> bool { x > 0 }
proof fn l(x: int) requires x > 0 ensures p(x) { reveal(p); }
proof fn t(a: int) {
    if a > 0 { l(a); }
    assert(p(a)); // FAILS
}

//@ case_split | verified | each branch proves the postcondition
spec fn a(x: int) -> int { if x < 0 { -x } else { x } }
proof fn t(x: int) ensures a(x) >= x { if x < 0 { assert(a(x) == -x); } else { assert(a(x) == x); } }

//@ proof_by_contradiction | verified | the branch is shown impossible
proof fn t(x: int, y: int) requires x <= y, y <= x ensures x == y { if x != y { assert(x < y || y < x); assert(false); } }

//@ choose_a_witness | verified | some x satisfies it, so the choice does
#[verifier::opaque]
spec fn p(x: int) -> bool { x > 3 }
proof fn t() requires exists|x: int| p(x) { let w = choose|x: int| p(x); assert(p(w)); }

//@ choose_without_existence | failed | nothing says that there is one
#[verifier::opaque]
spec fn p(x: int) -> bool { x > 3 }
proof fn t() {
    let w = choose|x: int| p(x);
    assert(p(w)); // FAILS
}

//@ choose_twice_is_the_same | verified | one choice per condition
#[verifier::opaque]
spec fn p(x: int) -> bool { x > 3 }
proof fn t() { let a = choose|x: int| p(x); let b = choose|x: int| p(x); assert(a == b); }

//@ choose_is_not_the_only_one | failed | another value may satisfy it too
#[verifier::opaque]
spec fn p(x: int) -> bool { x > 3 }
proof fn t(c: int) requires p(c) {
    let a = choose|x: int| p(x);
    assert(a == c); // FAILS
}

//@ choose_a_pair | verified | two binders give a tuple
#[verifier::opaque]
spec fn p(x: int, y: int) -> bool { x > y }
proof fn t() requires exists|x: int, y: int| p(x, y) { let (a, b) = choose|x: int, y: int| p(x, y); assert(p(a, b)); }

//@ ghost_let_and_assignment | verified | ghost variables in exec code
fn f(x: u8) { let ghost mut m: int = x as int; proof { m = m * 2; } assert(m == x + x); }

//@ proof_block_proves_for_exec_code | verified | the bound is shown where it is needed
fn f(x: u64, y: u64) -> (r: u64) requires x < 1000, y < 1000 ensures r == x * y {
    proof { assert(x * y < 1000000) by (nonlinear_arith) requires x < 1000, y < 1000; }
    x * y
}

//@ assume | cheat | it proves anything
proof fn t(x: int) { assume(x > 0); assert(x > 0); }

//@ admit | cheat | it proves anything
proof fn t(x: int) ensures x > 0 { admit(); }

//@ compute | verified | evaluation reaches true
spec fn fact(n: nat) -> nat decreases n { if n == 0 { 1 } else { n * fact((n - 1) as nat) } }
proof fn t() { assert(fact(5) == 120) by (compute); }

//@ compute_only | verified | evaluation alone reaches true
proof fn t() { assert(3 * 4 + 1 == 13) by (compute_only); }

//@ compute_false | !verified | evaluation reaches false
spec fn fact(n: nat) -> nat decreases n { if n == 0 { 1 } else { n * fact((n - 1) as nat) } }
proof fn t() {
    assert(fact(5) == 121) by (compute);
}

//@ compute_only_of_a_variable | !verified | x has no value to evaluate
proof fn t(x: int) requires x == 3 { assert(x == 3) by (compute_only); }

//@ calc | verified | each step holds, so the ends are equal
proof fn t(a: int, b: int, c: int) requires a == b + 1, b == c + 1 ensures a == c + 2 {
    calc! { (==)
        a; { }
        b + 1; { }
        c + 2;
    }
}

//@ calc_wrong_step | !verified | c + 3 is one too many
proof fn t(a: int, b: int, c: int) requires a == b + 1, b == c + 1 {
    calc! { (==)
        a; { }
        b + 1; { }
        c + 3;
    }
}

//@ calc_mixed_relations | verified | <= along == and <=
proof fn t(a: int, b: int, c: int) requires a == b, b <= c ensures a <= c {
    calc! { (<=)
        a; (==) { }
        b; (<=) { }
        c;
    }
}

//@ reveal_in_the_proof_of_exec_code | verified | from there on
#[verifier::opaque]
spec fn p(x: u8) -> bool { x > 3 }
fn f(x: u8) requires p(x) { proof { reveal(p); } assert(x > 3); }

//@ assert_after_failed_assert | failed | the failed claim is taken as given, so that one mistake is one finding
proof fn t(x: int) {
    assert(x > 5); // FAILS
    assert(x > 4);
}

//@ proof_of_an_unreachable_end | verified | requires are contradictory, so the lemma holds
proof fn t(x: int) requires x < x ensures false { }
