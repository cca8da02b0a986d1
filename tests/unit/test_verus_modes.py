"""Modes: every rule of which code may run, prove, or only say, from both sides."""

from __future__ import annotations

import pytest

from tests.verus_checking import verdict

SETUP = """
spec fn s(x: int) -> bool { x > 0 }
spec fn sb(b: bool) -> bool { b }
proof fn pb(b: bool) {}
proof fn p(x: int) requires s(x), ensures x >= 1 {}
fn e(x: u8) -> (r: u8) ensures r == x { x }
spec const SC: int = 3;
exec const EC: u8 = 3;
const DC: u8 = 3;
"""

ACCEPTED = {
    "exec code calls exec code": "fn f() { let a = e(3); }",
    "contracts call spec functions": "fn f(x: u8) requires s(x as int) {}",
    "a proof block calls a lemma": "fn f(x: u8) requires s(x as int) { proof { p(x as int); } }",
    "a proof calls a lemma and a spec function": "proof fn f(x: int) requires s(x) { p(x); assert(s(x)); }",
    "assert by calls a lemma": "fn f(x: u8) requires s(x as int) { assert(x >= 1) by { p(x as int); } }",
    "assert forall by calls a lemma": "proof fn f() { assert forall|x: int| s(x) implies x >= 1 by { p(x); } }",
    "a spec function calls a spec function": "spec fn f(x: int) -> bool { s(x) && s(x + 1) }",
    "ghost variables hold what spec functions say": "fn f(x: u8) { let ghost g = s(x as int); assert(g == g); }",
    "a proof block changes a ghost variable": "fn f() { let ghost mut g = 1int; proof { g = 2; } assert(g == g); }",
    "a proof changes its own variable": "proof fn f() { let mut g = 1int; g = 2; }",
    "exec `len` has a spec twin": "proof fn f(v: Vec<u8>) { assert(v.len() >= 0); }",
    "quantifiers are ghost": "spec fn f() -> bool { forall|x: int| s(x) }",
    "chains are ghost": "spec fn f(x: int) -> bool { 0 <= x < 3 }",
    "the view is ghost": "fn f(v: Vec<u8>) requires v@.len() > 0 {}",
    "`is`, `->` and `matches` are ghost": (
        "spec fn f(o: Option<int>) -> bool { o is Some && o->0 > 1 && (o matches Some(x) && x > 2) }"
    ),
    "`let ... else` is exec": "fn f(o: Option<u8>) -> u8 { let Some(x) = o else { return 0; }; x }",
    "`vec!` is exec": "fn f() { let v: Vec<u8> = vec![1, 2]; }",
    "`seq!` is ghost": "spec fn f() -> Seq<int> { seq![1, 2] }",
    "a proof may return early": "proof fn f(x: int) { if x > 0 { return; } assert(x <= 0); }",
    "a ghost constant in ghost code": "spec fn f() -> int { SC }",
    "an exec constant in exec code": "fn f() -> u8 { EC }",
    "a plain constant in both": "fn f() -> (r: u8) ensures r == DC { DC }",
    "`Ghost(..)` hands ghost values to exec code": (
        "fn g(Ghost(x): Ghost<int>) requires x > 0 {} fn f() { g(Ghost(3int)); }"
    ),
    "a proof block in a spec function helps its termination": (
        "spec fn f(n: nat) -> nat decreases n { if n == 0 { 0 } else { proof { assert(n > 0); } f((n - 1) as nat) } }"
    ),
    "a spec closure": "spec fn f() -> spec_fn(int) -> bool { |x: int| s(x) }",
    "an `if` on exec values": "fn f(b: bool) -> u8 { if b { 1 } else { 2 } }",
    "`int` goes through exec code as it is": "fn f(x: int, y: int) -> (r: int) ensures r == x + y { x + y }",
    "recommends of a spec function": "spec fn f(x: int) -> int recommends x > 0 { x }",
    "contracts of proofs are specifications": "proof fn f(x: int) requires s(x) ensures s(x) {}",
}

REFUSED = {
    "exec code calls a spec function": (
        "fn f() { let b = sb(true); }",
        "rejected: cannot call function `sb`",
    ),
    "exec code calls a lemma": ("fn f() { pb(true); }", "rejected: cannot call function `pb`"),
    "a proof calls exec code": ("proof fn f() { let a = e(3); }", "rejected: cannot call function `e`"),
    "a proof block calls exec code": (
        "fn f() { proof { let a = e(3); } }",
        "rejected: cannot call function `e`",
    ),
    "a spec function calls exec code": (
        "spec fn f() -> bool { e(3) == 3 }",
        "rejected: cannot call function `e`",
    ),
    "a spec function calls a lemma": (
        "spec fn f(x: int) -> bool { let y = p(x); true }",
        "rejected: cannot call",
    ),
    "a contract calls exec code": ("fn f() requires e(3) == 3 {}", "rejected: cannot call function `e`"),
    "a condition of assert calls a lemma": (
        "proof fn f() { assert(p(3) == p(3)); }",
        "rejected: cannot call",
    ),
    "an argument of a spec function is a lemma": (
        "proof fn q(x: int) -> (r: int) ensures r == x { x } proof fn f() { assert(s(q(3))); }",
        "rejected: cannot call function `q`",
    ),
    "exec code reads a ghost variable": (
        "fn f() -> u8 { let ghost g = 3u8; g }",
        "rejected: cannot use the ghost variable `g`",
    ),
    "an exec `if` on a ghost variable": (
        "fn f() { let ghost g = true; if g { let x = 1u8; } }",
        "rejected: cannot use the ghost variable `g`",
    ),
    "exec code reads a ghost parameter": (
        "fn f(Ghost(g): Ghost<u8>) -> u8 { g }",
        "rejected: cannot use the ghost variable `g`",
    ),
    "a proof block changes an exec variable": (
        "fn f() { let mut x = 1u8; proof { x = 2; } }",
        "rejected: cannot assign to an exec variable",
    ),
    "a proof block changes a vector": (
        "fn f() { let mut v: Vec<u8> = Vec::new(); proof { v.push(1); } }",
        "rejected: cannot call function `push`",
    ),
    "exec code changes a ghost variable": (
        "fn f() { let ghost mut g = true; g = false; }",
        "rejected: compiled code cannot change a ghost variable",
    ),
    "`assert by` changes a ghost variable": (
        "proof fn f() { let mut g = 1int; assert(true) by { g = 2; } }",
        "rejected: assignment is not allowed in an `assert .. by`",
    ),
    "`assert forall by` changes a ghost variable": (
        "proof fn f() { let mut g = 1int; assert forall|x: int| s(x) implies x > 0 by { g = 2; } }",
        "rejected: assignment is not allowed",
    ),
    "a proof changes what a ghost reference points to": (
        "fn f(Ghost(g): Ghost<&mut int>) { proof { *g = 3; } }",
        ("rejected", "unsupported"),
    ),
    "a spec function assigns": (
        "spec fn f() -> int { let mut x = 1int; x = 2; x }",
        "rejected: assignment is not allowed in a specification",
    ),
    "a literal of type int in exec code": ("fn f() { let x: int = 3; }", "rejected: mismatched types"),
    "a result of type nat made in exec code": ("fn f() -> nat { 3 }", "rejected: mismatched types"),
    "a cast to int in exec code": ("fn f(x: u8) { let y = x as int; }", "rejected: non-primitive cast"),
    "a quantifier in exec code": ("fn f() { let b = forall|x: int| s(x); }", "rejected: cannot use `forall`"),
    "choose in exec code": ("fn f() { let b = choose|x: int| s(x); }", "rejected: cannot use `choose`"),
    "an implication in exec code": ("fn f(a: bool) -> bool { a ==> a }", "rejected: the operator `==>`"),
    "an equivalence in exec code": ("fn f(a: bool) -> bool { a <==> a }", "rejected: the operator `<==>`"),
    "extensional equality in exec code": (
        "fn f(a: Vec<u8>) -> bool { a@ =~= a@ }",
        "rejected: the operator `=~=`",
    ),
    "a chain in exec code": ("fn f(a: u8) -> bool { 0 <= a < 3 }", "rejected: chained comparisons"),
    "a view in exec code": ("fn f(v: Vec<u8>) { let x = v@; }", "rejected: `@` calls a spec function"),
    "`is` in exec code": ("fn f(o: Option<u8>) -> bool { o is Some }", "rejected: `is` exists in ghost code"),
    "`->` in exec code": ("fn f(o: Option<u8>) -> u8 { o->0 }", "rejected: `->` exists in ghost code"),
    "`matches` in exec code": ("fn f(o: Option<u8>) -> bool { o matches Some(_) }", "rejected: `matches`"),
    "`seq!` in exec code": ("fn f() { let s = seq![1u8]; }", "rejected: `seq!`"),
    "`vec!` in a spec function": ("spec fn f() -> bool { vec![1u8].len() == 1 }", "rejected: `vec!`"),
    "`let ... else` in a proof": (
        "proof fn f(o: Option<int>) { let Some(x) = o else { return; }; }",
        "rejected: let-else only works in compiled code",
    ),
    "a loop in a proof": ("proof fn f() { loop decreases 0int { } }", "rejected: loops are not allowed"),
    "a loop in a proof block": (
        "fn f() { proof { while true decreases 0int { } } }",
        "rejected: loops are not",
    ),
    "return in a proof block": ("fn f() { proof { return; } }", "rejected: cannot return from proof code"),
    "break in a proof block": (
        "fn f() { loop decreases 0int { proof { break; } } }",
        "rejected: `break` is not allowed in ghost code",
    ),
    "continue in a proof block": (
        "fn f() { loop decreases 0int { proof { continue; } } }",
        "rejected: `continue` is not allowed in ghost code",
    ),
    "return in assert by": (
        "proof fn f() { assert(true) by { return; } }",
        "rejected: `return` is not allowed in an `assert .. by`",
    ),
    "return in a spec function": ("spec fn f() -> int { return 3; }", "rejected: `return` is not allowed"),
    "an assert in a spec function": ("spec fn f() -> int { assert(true); 3 }", "rejected: a proof statement"),
    "a proof block in a proof": (
        "proof fn f() { proof { } }",
        "rejected: a `proof` block stands in ghost code",
    ),
    "a proof block in a clause": ("fn f() requires ({ proof { } true }) {}", "rejected: a `proof` block"),
    "an exec constant in ghost code": ("spec fn f() -> u8 { EC }", "rejected: cannot read the constant `EC`"),
    "a ghost constant in exec code": ("fn f() { let x = SC; }", "rejected: cannot read the constant `SC`"),
    "a plain constant that calls a function": (
        "const D: u8 = e(3);",
        "rejected: cannot call `e` in a constant",
    ),
    "a spec function with `&mut`": ("spec fn f(x: &mut u8) -> bool { true }", "rejected: &mut parameter"),
    "`&mut` in a specification": (
        "fn g(x: &mut u8) {} proof fn f() { let mut x = 1u8; assert(g(&mut x) == ()); }",
        "rejected: cannot call function `g`",
    ),
    "reveal in exec code": ("fn f() { reveal(s); }", "rejected: cannot use reveal/hide in compiled code"),
    "reveal of a lemma": ("proof fn f() { reveal(p); }", "rejected"),
    "`?` in a proof": ("proof fn f(o: Option<int>) -> Option<int> { let x = o?; o }", "rejected: `?`"),
    "`Ghost(..)` in a proof": (
        "proof fn f() { let x = Ghost(3int); }",
        "unsupported: Ghost(..) in ghost code",
    ),
    "static variables are outside of the subset": ("exec static S: u8 = 3;", "unsupported: static variables"),
    "a ghost constant in an exec pattern": (
        "spec const SP: u8 = 3; fn f(x: u8) -> u8 { match x { SP => 1, _ => 2 } }",
        "rejected: cannot read the constant `SP`",
    ),
    "tracked parameters are outside of the subset": (
        "proof fn f(tracked x: int) {}",
        "unsupported: `tracked`",
    ),
    "closures in exec code are outside of the subset": (
        "fn f() { let g = |x: u8| x; }",
        "unsupported: closure",
    ),
    "a function as a value": ("spec fn f() -> spec_fn(int) -> bool { s }", "unsupported"),
}


@pytest.mark.parametrize("program", ACCEPTED.values(), ids=ACCEPTED)
def test_the_mode_is_right(program: str) -> None:
    assert verdict(SETUP + program) == "accepted"


@pytest.mark.parametrize(("program", "expected"), REFUSED.values(), ids=REFUSED)
def test_the_mode_is_wrong(program: str, expected: str | tuple[str, ...]) -> None:
    assert verdict(SETUP + program).startswith(expected)


def test_reveal_in_exec_code_is_of_the_older_dialect() -> None:
    # Verus of 2024 took `reveal` anywhere in a body; the published programs of that year rely on it.
    program = SETUP + "#[verifier::opaque] spec fn q() -> bool { true } fn f() { reveal(q); }"
    assert verdict(program, "classic") == "accepted"
    assert verdict(program, "current").startswith("rejected: cannot use reveal/hide")


def test_a_function_outside_of_the_macro_is_not_called() -> None:
    program = "} fn outside() -> u8 { 3 } verus! { fn f() { let x = outside(); }"
    assert verdict(program).startswith(("rejected", "unsupported"))
