"""Contracts, headers, attributes, visibility and proof statements: what may stand where."""

from __future__ import annotations

import pytest

from rlvr_gym.verifiers.verus.report import Dialect
from tests.verus_checking import verdict

SETUP = """
spec fn s(x: int) -> bool { true }
pub open spec fn open_one(x: int) -> bool { true }
pub closed spec fn closed_one(x: int) -> bool { true }
pub struct Open { pub n: u8 }
pub struct Mixed { pub n: u8, m: u8 }
pub enum Choice { A, B(u8) }
enum Hidden { A, B(u8) }
const K: u8 = 3;
"""

ACCEPTED = {
    # Clauses of functions.
    "requires and ensures of exec code": "fn f(x: u8) -> (r: u8) requires x > 0 ensures r == x { x }",
    "requires and ensures of a proof": "proof fn f(x: int) requires x > 0 ensures x >= 0 {}",
    "returns": "fn f(x: u8) -> u8 returns x { x }",
    "recommends of a spec function": "spec fn f(x: int) -> int recommends x > 0 { x }",
    "decreases when": "spec fn f(n: int) -> int decreases n when n >= 0 { if n == 0 { 0 } else { f(n - 1) } }",
    "a lemma by nonlinear arithmetic": "proof fn f(x: int) by (nonlinear_arith) ensures x * x >= 0 {}",
    # Mutable parameters.
    "old and final in ensures": "fn f(x: &mut u8) ensures *final(x) == *old(x) {}",
    "old in requires": "fn f(x: &mut u8) requires *old(x) > 0 {}",
    "the bare parameter in the body": "fn f(x: &mut u8) { assert(*x == *old(x)); *x = 3; }",
    "old in an invariant": (
        "fn f(x: &mut u8) requires *old(x) == 9 { let mut i = 0u8; "
        "while i < 9 invariant *old(x) == 9, i <= 9 decreases 9 - i { i += 1; } }"
    ),
    # Headers.
    "public and open": "pub open spec fn f() -> bool { true }",
    "public and closed": "pub closed spec fn f() -> bool { true }",
    "private and neither": "spec fn f() -> bool { true }",
    "uninterpreted without a body": "uninterp spec fn f() -> bool;",
    "inline and open": "#[verifier::inline] pub open spec fn f() -> bool { true }",
    "one `broadcast use` in a module": (
        "broadcast proof fn b(x: int) ensures #[trigger] s(x) {} mod m { use super::*; broadcast use b; }"
    ),
    # Loops.
    "all clauses of a loop": (
        "fn f() { let mut i = 0u8; loop invariant_except_break i < 9 invariant i <= 9 ensures i == 9 decreases 9 - i "
        "{ i += 1; if i == 9 { break; } } }"
    ),
    "invariants without isolation": (
        "fn f() { let mut i = 0u8; #[verifier::loop_isolation(false)] while i < 9 invariant i <= 9 decreases 9 - i "
        "{ i += 1; } }"
    ),
    "invariants of a for loop": "fn f() { let mut n = 0u8; for i in 0..9u8 invariant n <= i { n += 1; } }",
    # Attributes.
    "settings of a function": "#[verifier::loop_isolation(false)] #[verifier::spinoff_prover] #[verifier::rlimit(20)] fn f() {}",
    "opaque": "#[verifier::opaque] spec fn f() -> bool { true }",
    "inline": "#[verifier::inline] spec fn f() -> bool { true }",
    "attributes of Rust": "#[allow(unused)] #[inline] fn f() {}",
    "derives": "#[derive(Clone, Copy, PartialEq, Eq, Debug)] struct D { n: u8 }",
    # What is public.
    "a public contract with an open function": "pub fn f(x: u8) requires open_one(x as int) {}",
    "a public contract with a closed function": "pub fn f(x: u8) requires closed_one(x as int) {}",
    "a private contract with a private function": "fn f(x: u8) requires s(x as int) {}",
    "a contract for the crate with a private function": "pub(crate) fn f(x: u8) requires s(x as int) {}",
    "a closed body with a private function": "pub closed spec fn f() -> bool { s(3) }",
    "a public contract with public fields": "pub fn f(o: Open) requires o.n > 0 {}",
    "the body of a public function is its own": "pub fn f() -> u8 { let m = Mixed { n: 1, m: 2 }; m.m }",
    "a public enum's fields are public": "pub fn f(c: Choice) requires c matches Choice::B(x) ==> x > 0 {}",
    # Proof statements.
    "a calc of one relation": "proof fn f(x: int) { calc! { (==) x + x; { } 2 * x; } }",
    "a calc from equal to less": "proof fn f(x: int) { calc! { (<=) x; (==) { } x + 0; (<) { } x + 1; } }",
    "a proof about what its assert mentions": (
        "proof fn f(x: int, y: int) requires y == 0 "
        "{ assert(x + y == x) by (nonlinear_arith) requires y == 0 { assert(y == 0); } }"
    ),
}

REFUSED = {
    # Clauses of functions.
    "requires of a spec function": (
        "spec fn f(x: int) -> int requires x > 0 { x }",
        "rejected: spec function `f`",
    ),
    "ensures of a spec function": (
        "spec fn f(x: int) -> (r: int) ensures r == x { x }",
        "rejected: spec function `f`",
    ),
    "recommends of exec code": ("fn f(x: u8) recommends x > 0 {}", "rejected: `f` is no spec function"),
    "recommends of a proof": ("proof fn f(x: int) recommends x > 0 {}", "rejected: `f` is no spec function"),
    "when of a proof": ("proof fn f(n: int) decreases n when n > 0 {}", "rejected"),
    "a prover of exec code": ("fn f() by (nonlinear_arith) {}", "rejected"),
    "a body besides a prover": (
        "proof fn f(x: int) by (nonlinear_arith) ensures x * x >= 0 { assert(true); }",
        "rejected: the body of a function `by (nonlinear_arith)`",
    ),
    "the result has a parameter's name": ("fn f(x: u8) -> (x: u8) { x }", "rejected: the result `x`"),
    "two parameters of one name": (
        "fn f(x: u8, x: u8) {}",
        "rejected: identifier `x` is bound more than once",
    ),
    "a name twice in patterns": ("fn f(a: u8, (b, a): (u8, u8)) {}", "rejected: two parameters of `f`"),
    "the result without a name": ("fn f(x: u8) -> u8 ensures r == x { x }", "rejected"),
    # Mutable parameters.
    "a bare mutable parameter in ensures": (
        "fn f(x: &mut u8) ensures *x == 3 { *x = 3; }",
        "rejected: in ensures, write old(x) or final(x)",
    ),
    "a bare mutable parameter in requires": (
        "fn f(x: &mut u8) requires *x == 3 {}",
        "rejected: in this clause, write old(x)",
    ),
    "a bare mutable parameter in a measure": (
        "fn f(x: &mut u8) decreases *x {}",
        "rejected: in this clause, write old(x)",
    ),
    "old of a value": ("fn f(x: u8) -> (r: u8) ensures r == old(x) { x }", "rejected"),
    "final in requires": ("fn f(x: &mut u8) requires *final(x) == 3 {}", "unsupported: final()"),
    "final in the body": ("fn f(x: &mut u8) { assert(*final(x) == 3); }", "unsupported: final()"),
    # Headers.
    "public and neither open nor closed": (
        "pub spec fn f() -> bool { true }",
        "rejected: the non-private spec",
    ),
    "open and private": ("open spec fn f() -> bool { true }", "rejected: `f` is marked open"),
    "an open proof": ("pub open proof fn f() {}", "rejected: only `spec` functions can be marked open"),
    "a broadcast spec function": ("broadcast spec fn f() -> bool { true }", "rejected"),
    "exec code without a body": ("fn f();", "rejected"),
    "uninterpreted with a body": (
        "uninterp spec fn f() -> bool { true }",
        "rejected: `f` is marked uninterp",
    ),
    "uninterpreted without the word": (
        "spec fn f() -> bool;",
        "rejected: `f` has no body and is not marked uninterp",
    ),
    "inline without a body": (
        "#[verifier::inline] uninterp spec fn f() -> bool;",
        "rejected: inline functions need a body",
    ),
    "inline with a measure": (
        "#[verifier::inline] spec fn f(n: nat) -> nat decreases n { 0 }",
        "rejected: inline functions need a body",
    ),
    "inline and closed": (
        "#[verifier::inline] pub closed spec fn f() -> bool { true }",
        "rejected: `f` is inline",
    ),
    "a function without a name": ("fn _() {}", "rejected: expected a name"),
    "an axiom with a body": ("axiom fn f() ensures true {}", "rejected: the axiom `f` has a body"),
    "a broadcast lemma without a trigger": (
        "broadcast proof fn b(x: int) ensures x == x {}",
        "rejected: could not automatically infer triggers",
    ),
    "two `broadcast use` in a module": (
        "broadcast proof fn b(x: int) ensures #[trigger] s(x) {} mod m { use super::*; broadcast use b; broadcast use b; }",
        "rejected: a module can have one `broadcast use` only",
    ),
    "const functions are outside of the subset": ("const fn f() -> u8 { 3 }", "unsupported: const functions"),
    # Loops.
    "invariant_except_break without isolation": (
        "fn f() { let mut i = 0u8; #[verifier::loop_isolation(false)] loop invariant_except_break i < 9 decreases 9 - i "
        "{ i += 1; if i == 9 { break; } } }",
        "rejected: with loop_isolation(false)",
    ),
    "ensures without isolation, set around": (
        "#[verifier::loop_isolation(false)] fn f() { let mut i = 0u8; "
        "while i < 9 invariant i <= 9 ensures i == 9 decreases 9 - i { i += 1; } }",
        "rejected: with loop_isolation(false)",
    ),
    "ensures of a for loop": ("fn f() { for i in 0..9u8 ensures true { } }", "rejected"),
    "break in a for loop is outside of the subset": (
        "fn f() { for i in 0..9u8 { break; } }",
        "unsupported: `break` of a `for`",
    ),
    "break to a for loop from inside": (
        "fn f() { 'a: for i in 0..9u8 { loop decreases 0int { break 'a; } } }",
        "unsupported: `break` of a `for`",
    ),
    "continue to an outer loop with a measure": (
        "fn f() { 'a: loop decreases 1int { loop decreases 0int { continue 'a; } } }",
        "unsupported: `continue` of an outer loop",
    ),
    # Attributes.
    "an unknown attribute": (
        "#[verifier::surprise] fn f() {}",
        "unsupported: the attribute `verifier::surprise`",
    ),
    "an attribute in the wrong place": ("#[verifier::ext_equal] fn f() {}", "unsupported: the attribute"),
    "opaque exec code": ("#[verifier::opaque] fn f() {}", "rejected: opaque, inline and memoize"),
    "an argument that is no truth value": ("#[verifier::loop_isolation(maybe)] fn f() {}", "rejected"),
    "an unknown derive": ("#[derive(Surprise)] struct D { n: u8 }", ("rejected", "unsupported")),
    # What is public.
    "a public contract with a private function": (
        "pub fn f(x: u8) requires s(x as int) {}",
        "rejected: the contract of `f` is public",
    ),
    "a public lemma with a private function": (
        "pub proof fn f(x: int) ensures s(x) {}",
        "rejected: the contract of `f` is public",
    ),
    "an open body with a private function": (
        "pub open spec fn f(x: int) -> bool { s(x) }",
        "rejected: the body of the open function `f` is public",
    ),
    "a public contract with a private constant": (
        "pub fn f(x: u8) requires x < K {}",
        "rejected: the contract of `f` is public",
    ),
    "a public contract with a field next to a private one": (
        "pub fn f(m: Mixed) requires m.n > 0 {}",
        "rejected: the contract of `f` is public and cannot use private fields",
    ),
    "a public contract with fields of a private enum": (
        "pub open spec fn f(h: Hidden) -> bool { h matches Hidden::B(x) && x > 0 }",
        "rejected: the body of the open function `f` is public and cannot use private fields",
    ),
    # Proof statements.
    "a calc that turns around": (
        "proof fn f(x: int) { calc! { (<=) x; { } x + 1; (>) { } x; } }",
        "rejected: a step by `>`",
    ),
    "a proof for compute": (
        "proof fn f() { assert(1 + 1 == 2) by (compute) { } }",
        "rejected: `by (compute)` takes",
    ),
    "a proof about what its assert does not mention": (
        "proof fn f(x: int, y: int, z: int) requires y == 0, z == 0 "
        "{ assert(x + y == x) by (nonlinear_arith) requires y == 0 { assert(z == 0); } }",
        "rejected: the proof uses `z`",
    ),
}


@pytest.mark.parametrize("program", ACCEPTED.values(), ids=ACCEPTED)
def test_it_may_stand_there(program: str) -> None:
    assert verdict(SETUP + program) == "accepted"


@pytest.mark.parametrize(("program", "expected"), REFUSED.values(), ids=REFUSED)
def test_it_may_not_stand_there(program: str, expected: str | tuple[str, ...]) -> None:
    assert verdict(SETUP + program).startswith(expected)


@pytest.mark.parametrize(
    ("dialect", "expected"), [("classic", "accepted"), ("current", "rejected: in ensures, write")]
)
def test_a_bare_mutable_parameter_meant_its_last_value_until_2026(dialect: Dialect, expected: str) -> None:
    assert verdict("fn f(x: &mut u8) ensures *x == 3 { *x = 3; }", dialect).startswith(expected)


def test_final_is_no_word_of_the_older_dialect() -> None:
    assert verdict("fn f(x: &mut u8) ensures *final(x) == 3 { *x = 3; }", "classic").startswith(
        "unsupported: final()"
    )
