"""Recursion: who calls whom in a circle, where measures must stand, and how long the circles are."""

from __future__ import annotations

import pytest

from rlvr_gym.verifiers.verus.checks import cycles
from rlvr_gym.verifiers.verus.report import Dialect
from tests.verus_checking import checked, verdict

EVEN = """
spec fn even(n: nat) -> bool decreases n { if n == 0 { true } else { odd((n - 1) as nat) } }
spec fn odd(n: nat) -> bool decreases n { if n == 0 { false } else { even((n - 1) as nat) } }
"""
SUM = "spec fn sum(n: nat) -> nat decreases n { if n == 0 { 0 } else { n + sum((n - 1) as nat) } }"

DOWN = "spec fn f(n: int) -> int decreases n when n >= 0 via p { if n == 0 { 0 } else { f(n - 1) } } "

ACCEPTED = {
    "a helper of the measure": DOWN + "#[via_fn] proof fn p(n: int) {}",
    "a helper by its other name": DOWN + "#[verifier::decreases_by] proof fn p(n: int) {}",
    "a measured spec function": SUM,
    "two that call each other": EVEN,
    "a measured lemma": "proof fn p(n: nat) decreases n { if n > 0 { p((n - 1) as nat); } }",
    "a measured exec function": "fn f(n: u8) decreases n { if n > 0 { f(n - 1); } }",
    "a measured loop": "fn f() { let mut i = 0u8; while i < 9 decreases 9 - i { i += 1; } }",
    "a range measures itself": "fn f() { for i in 0..9u8 { } }",
    "no recursion, no measure": "spec fn f(n: nat) -> nat { n }",
    "a measure that nothing needs": "spec fn f(n: nat) -> nat decreases n { n }",
    "allowed by attribute": (
        "#[verifier::exec_allows_no_decreases_clause] fn f() { let mut i = 0u8; while i < 9 { i += 1; } f(); }"
    ),
    "fuel for a recursive function": SUM + "proof fn p() { reveal_with_fuel(sum, 3); }",
}

REFUSED = {
    "a spec function": ("spec fn f(n: nat) -> nat { f(n) }", "rejected: recursive function `f` must have"),
    "one of two": (
        "spec fn f(n: nat) -> nat decreases n { g(n) } spec fn g(n: nat) -> nat { f(n) }",
        "rejected: recursive function `g` must have",
    ),
    "a lemma": ("proof fn p(n: nat) { p(n); }", "rejected: recursive function `p` must have"),
    "an exec function": ("fn f(n: u8) { f(n); }", "rejected: recursive function `f` must have"),
    "a while loop": (
        "fn f() { let mut i = 0u8; while i < 9 { i += 1; } }",
        "rejected: loop must have a decreases",
    ),
    "a loop": ("fn f() { loop { } }", "rejected: loop must have a decreases"),
    "through a contract": (
        "spec fn f(n: nat) -> nat recommends f(n) > 0 { n }",
        "rejected: recursive function `f` must have",
    ),
    "in a closure": (
        "spec fn f(n: nat) -> nat decreases n { let g = |m: nat| f(m); 0 }",
        "unsupported: a recursive call of `f` in a closure",
    ),
    "a truth value as a measure": (
        "spec fn f(b: bool) -> bool decreases b { f(b) }",
        "unsupported: a measure of type bool",
    ),
    "fuel for a function that needs none": (
        "spec fn f() -> bool { true } proof fn p() { reveal_with_fuel(f, 3); }",
        "rejected: reveal_with_fuel needs",
    ),
    "a helper without its mark": (
        DOWN + "proof fn p(n: int) {}",
        "rejected: `p` must be a proof function marked",
    ),
    "a helper of another mode": (DOWN + "#[via_fn] spec fn p(n: int) {}", "rejected: `p` must be a proof"),
    "a helper of nothing": ("#[via_fn] proof fn p(n: int) {}", "rejected: `p` is marked"),
    "a helper that asks for more": (
        DOWN + "#[via_fn] proof fn p(n: int) requires n > 0 {}",
        "rejected: the dec",
    ),
    "a helper that promises": (DOWN + "#[via_fn] proof fn p(n: int) ensures n > 0 {}", "rejected: the dec"),
    "a helper with a measure": (DOWN + "#[via_fn] proof fn p(n: int) decreases n {}", "rejected: the dec"),
    "a helper over another type": (
        DOWN + "#[via_fn] proof fn p(n: nat) {}",
        "rejected: `p` must have the par",
    ),
    "a helper over other names": (
        DOWN + "#[via_fn] proof fn p(m: int) {}",
        "rejected: `p` must have the par",
    ),
    "a helper that is called": (
        DOWN + "#[via_fn] proof fn p(n: int) {} proof fn q() { p(0); }",
        "rejected: cannot call the decreases_by function `p`",
    ),
    "a helper that leaves early": (
        DOWN + "#[via_fn] proof fn p(n: int) { return; }",
        "unsupported: `return`",
    ),
    "a helper elsewhere": (
        DOWN.replace("via p", "via m::p") + "mod m { #[via_fn] pub proof fn p(n: int) {} }",
        "unsupported: decreases via `m::p`",
    ),
    "a constant that needs itself": ("const A: u8 = B; const B: u8 = A;", "rejected"),
}


@pytest.mark.parametrize("program", ACCEPTED.values(), ids=ACCEPTED)
def test_every_measure_is_there(program: str) -> None:
    assert verdict(program) == "accepted"


@pytest.mark.parametrize(("program", "expected"), REFUSED.values(), ids=REFUSED)
def test_a_measure_is_missing(program: str, expected: str) -> None:
    assert verdict(program).startswith(expected)


@pytest.mark.parametrize(
    ("dialect", "expected"), [("classic", "accepted"), ("current", "rejected: loop must have")]
)
def test_compiled_code_needs_measures_since_2025(dialect: Dialect, expected: str) -> None:
    assert verdict("fn f() { let mut i = 0u8; while i < 9 { i += 1; } }", dialect).startswith(expected)


def test_specifications_always_needed_measures() -> None:
    assert verdict("spec fn f(n: nat) -> nat { f(n) }", "classic").startswith("rejected: recursive function")


def test_groups_hold_those_that_reach_each_other() -> None:
    crate = checked(EVEN + SUM + "spec fn user(n: nat) -> bool { even(n) && sum(n) > 0 }")
    groups = {function.name: function.group for function in crate.functions}
    assert groups["even"] == groups["odd"] is not None
    assert groups["sum"] is not None
    assert groups["sum"] != groups["even"]
    assert groups["user"] is None


def test_a_cycle_is_as_long_as_its_shortest_way_back() -> None:
    # a -> b -> c -> a takes three calls, and b also calls itself.
    program = """
        spec fn a(n: nat) -> nat decreases n { if n == 0 { 0 } else { b((n - 1) as nat) } }
        spec fn b(n: nat) -> nat decreases n { if n == 0 { 0 } else if n == 1 { b(0) } else { c((n - 1) as nat) } }
        spec fn c(n: nat) -> nat decreases n { if n == 0 { 0 } else { a((n - 1) as nat) } }
    """
    assert cycles(checked(program)) == {"a": 3, "b": 1, "c": 3}
