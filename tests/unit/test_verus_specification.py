"""Which contracts are tasks: each refused one for its own reason, worked out by hand."""

from __future__ import annotations

import pytest

from rlvr_gym.verifiers import verify
from rlvr_gym.verifiers.verus.limits import Limits
from rlvr_gym.verifiers.verus.report import Outcome
from rlvr_gym.verifiers.verus.specification import Rules, check_specification, endless, reaches_end

LIMITS = Limits(wall_s=20)


def program(contract: str, extra: str = "") -> str:
    return f"use vstd::prelude::*;\nverus! {{\n{extra}\n{contract}\n{{ unimplemented!() }}\n}}\n"


def found(contract: str, extra: str = "", rules: Rules | None = None) -> tuple[Outcome, str]:
    report = check_specification(program(contract, extra), "f", dialect="current", limits=LIMITS, rules=rules)
    return report.outcome, report.findings[0].message if report.findings else ""


@pytest.mark.parametrize(
    ("contract", "extra"),
    [
        ("fn f(a: u32) -> (r: u32) requires a < 10 ensures r == a + 1", ""),
        ("fn f(v: &mut Vec<u32>) requires old(v).len() > 0 ensures final(v)@ == old(v)@.push(1)", ""),
        ("fn f(v: &Vec<u32>) -> (r: bool) ensures r == exists|i: int| 0 <= i < v.len() && v[i] == 3", ""),
        ("fn f(a: u8) -> (r: u8) requires a < 100 ensures r == twice(a)", "spec fn twice(a: u8) -> int { 2 * a }"),
        # `v` is only borrowed: returning it is no program.
        ("fn f(v: &Vec<u32>) -> (r: Vec<u32>) ensures r@ =~= v@", ""),
        ("fn f(a: u32) -> (r: u32) requires a < 10 returns (a + 1) as u32", ""),
    ],
)  # fmt: skip
def test_a_contract_that_asks_for_something_is_a_task(contract: str, extra: str) -> None:
    assert found(contract, extra) == (Outcome.VERIFIED, "")


@pytest.mark.parametrize(
    ("contract", "why"),
    [
        ("fn f(a: u32) -> (r: u32) requires a < 10, a > 20 ensures r == a + 1", "`requires` holds of nothing"),
        ("fn f(a: u32) -> (r: u32) requires a < 10 ensures r >= 0, a < 10", "`ensures` holds of every result"),
        ("fn f(a: u32) -> (r: u32) ensures r == r, a == a", "`ensures` holds of every result"),
        ("fn f(a: u32) -> (r: u32) ensures r == a", "a body that returns `a` is enough"),
        ("fn f(a: u32) -> (r: u32) ensures r <= a", "a body that returns 0 is enough"),
        ("fn f(a: u32) -> (r: bool) ensures r || a > 3", "a body that returns `true` is enough"),
        ("fn f(v: &Vec<u32>) -> (r: Vec<u32>) ensures r.len() <= v.len()", "a body that returns an empty vector is enough"),
        ("fn f(v: &mut Vec<u32>) ensures final(v).len() == old(v).len()", "a body that returns at once is enough"),
        ("fn f(a: u32, b: u32) -> (r: u32) requires a < 9 ensures r == a + 1", "the contract does not mention `b`"),
        ("fn f(a: u32) -> (r: u32) requires a < 9 ensures a < 10", "`ensures` does not mention the result"),
        ("fn f(a: u32) -> (r: u32) requires a < 9", "there is no `ensures`"),
    ],
)  # fmt: skip
def test_a_contract_that_asks_for_nothing_says_why(contract: str, why: str) -> None:
    assert found(contract) == (Outcome.FAILED, why)


def test_what_idle_bodies_meet_may_be_allowed() -> None:
    contract = "fn f(a: u32) -> (r: u32) ensures r <= a"
    assert found(contract, rules=Rules(trivial_bodies=False))[0] is Outcome.VERIFIED


@pytest.mark.parametrize(
    ("contract", "extra", "outcome"),
    [
        # An ill-founded definition proves anything.
        ("fn f(a: u32) -> (r: u32) ensures r == g(a)", "spec fn g(a: u32) -> int { g(a) + 1 }", Outcome.REJECTED),
        ("fn f(a: u32) -> (r: u32) ensures r == g(a)", "spec fn g(a: int) -> int decreases a { g(a) + 1 }", Outcome.REJECTED),
        ("fn f(a: u32) -> (r: u32) ensures r == g(a as int)", "spec fn g(a: int) -> int decreases a { g(a) + 1 }", Outcome.FAILED),
        ("fn f(a: u32) -> (r: u32) ensures r == missing(a)", "", Outcome.REJECTED),
        ("fn f(a: u32) -> (r: u32) ensures r == a + 1", "proof fn lie() ensures false { assume(false); }", Outcome.CHEAT),
        ("fn f(a: u32) -> (r: u32) ensures r == a + 1", "proof fn lie() ensures false { }", Outcome.FAILED),
        ("fn f(a: f64) -> (r: f64) ensures r == a", "", Outcome.UNSUPPORTED),
    ],
)  # fmt: skip
def test_what_the_contract_leans_on_is_checked_too(contract: str, extra: str, outcome: Outcome) -> None:
    assert found(contract, extra)[0] is outcome


def test_the_gate_finds_the_function_and_reads_a_fenced_block() -> None:
    text = (
        "My next task:\n```rust\n"
        + program("fn f(a: u32) -> (r: u32) requires a < 10 ensures r == a + 1")
        + "```"
    )
    assert verify("verus_spec", text, reference={}).passed
    verdict = verify(
        "verus_spec", program("fn f(a: u32) -> (r: u32) ensures r <= a"), reference={"function": "f"}
    )
    assert verdict.status == "failed"
    assert "returns 0 is enough" in verdict.reason
    assert verify("verus_spec", "no program", reference={}).status == "malformed"


@pytest.mark.parametrize(
    ("body", "ends"),
    [
        ("while x >= 0 {} 3", False),
        ("loop { } ", False),
        ("let mut i = x; while i > 0 { i = i - 1; } 3", True),
        ("if x > 3 { return 7; } while x >= 0 { } 3", True),
    ],
)
def test_a_body_that_never_ends_is_found_out(body: str, ends: bool) -> None:
    source = f"use vstd::prelude::*; verus! {{ fn f(x: u32) -> (r: u32) ensures r > 2 {{ {body} }} }}"
    assert reaches_end(source, "f", dialect="classic", limits=LIMITS) is ends


def test_in_the_classic_dialect_a_proof_of_a_body_that_never_ends_earns_nothing() -> None:
    source = "use vstd::prelude::*; verus! { fn f(x: u32) -> (r: u32) ensures r > x { while x >= 0 {} 0 } }"
    verdict = verify("verus", source, reference={"function": "f", "dialect": "classic"}, engine="embedded")
    assert not verdict.passed
    assert "never reached" in verdict.reason


@pytest.mark.parametrize(
    ("items", "name"),
    [
        ("fn g() -> (r: u8) ensures r == 4 { let mut i = 0u8; while i < 1 invariant i < 1 { } 3 }", "g"),
        # Each relies on the promise of the other, and neither ever returns.
        ("fn g() -> (r: u8) ensures r == 4 { h() } fn h() -> (r: u8) ensures r == 4 { g() }", "g"),
        ("fn g(x: u8) -> (r: u8) ensures r == 4 { if x > 3 { g(x) } else { g(x) } }", "g"),
        ("fn g(x: u8) -> (r: u8) ensures r == 4 decreases x { if x > 3 { g(x - 1) } else { 4 } }", ""),
        (
            "fn g() -> (r: u8) ensures r == 4 { let mut i = 0u8; while i < 4 invariant i <= 4 { i += 1; } i }",
            "",
        ),
    ],
)
def test_a_helper_that_never_ends_is_found_out(items: str, name: str) -> None:
    source = f"use vstd::prelude::*; verus! {{ {items} fn f() -> (r: u8) ensures r == 4 {{ 4 }} }}"
    assert endless(source, dialect="classic", limits=LIMITS) == name
