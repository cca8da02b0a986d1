"""The interpreter of programs does what Rust does, and evaluates specifications as they are meant."""

from __future__ import annotations

import ast
import random
from pathlib import Path
from typing import Any

import pytest

import rlvr_gym.verifiers.verus.interpreter
from rlvr_gym.verifiers.verus.inference.crate import Crate
from rlvr_gym.verifiers.verus.inference.program import infer
from rlvr_gym.verifiers.verus.interpreter import (
    Contradiction,
    Data,
    Interpreter,
    OutOfSteps,
    Panic,
    Reference,
    Unknown,
    violations,
)
from rlvr_gym.verifiers.verus.syntax.parser import parse


def crate(text: str) -> Crate:
    return infer(parse("use vstd::prelude::*;\nverus! {\n" + text + "\n}"))


def call(text: str, *arguments: Any, checking: bool = False, name: str = "f") -> Any:
    found = crate(text)
    return Interpreter(found).call(found.function(name), arguments, checking=checking)


def spec(text: str, *arguments: Any) -> Any:
    found = crate(text)
    return Interpreter(found).spec(found.function("f"), arguments)


def cell(value: Any) -> tuple[Reference, list[Any]]:
    held = [value]
    return Reference(lambda: held[0], lambda new: held.__setitem__(0, new)), held


@pytest.mark.parametrize(
    ("body", "arguments", "expected"),
    [
        # Compiled division rounds toward zero; the remainder has the sign of the dividend.
        ("a / b", (-7, 2), -3),
        ("a % b", (-7, 2), -1),
        ("a / b", (7, -2), -3),
        ("a % b", (7, -2), 1),
        # 200 = 0xC8, whose top bit is set: as i8 it is 200 - 256.
        ("(a as u8) as i8 as i32", (200, 0), -56),
        ("(a as u32) as i32", (-1, 0), -1),
        ("if a < b { a } else { b }", (3, 2), 2),
        ("a << 3", (5, 0), 40),
        ("a >> 1", (-5, 0), -3),
        ("a & b", (12, 10), 8),
        ("a ^ b", (12, 10), 6),
        ("!a", (0, 0), -1),
        ("{ let mut x = a; x += b; x *= 2; x }", (3, 4), 14),
    ],
)
def test_integers_are_rusts(body: str, arguments: tuple[int, int], expected: int) -> None:
    assert call(f"fn f(a: i32, b: i32) -> i32 {{ {body} }}", *arguments) == expected


@pytest.mark.parametrize(
    ("body", "arguments", "why"),
    [
        ("a + b", (2**31 - 1, 1), "arithmetic overflow"),
        ("a - b", (-(2**31), 1), "arithmetic overflow"),
        ("-a", (-(2**31), 0), "arithmetic overflow"),
        # 2^31 does not fit: the one division that overflows.
        ("a / b", (-(2**31), -1), "arithmetic overflow"),
        ("a / b", (1, 0), "division by zero"),
        ("a % b", (1, 0), "division by zero"),
        ("a << b", (1, 32), "shift by the width or more"),
        ("{ let v = vec![a, b]; v[2] }", (1, 2), "index out of bounds"),
        ("{ let v: Vec<i32> = Vec::new(); let mut w = v; w.pop().unwrap() }", (1, 2), "`unwrap` of `None`"),
    ],
)
def test_where_rust_stops_the_run_stops(body: str, arguments: tuple[int, int], why: str) -> None:
    stopped = call(f"fn f(a: i32, b: i32) -> i32 {{ {body} }}", *arguments)
    assert isinstance(stopped, Panic)
    assert stopped.message == why


def test_the_right_operand_of_a_connective_may_not_run() -> None:
    assert call("fn f(v: &Vec<u8>) -> bool { v.len() > 3 && v[3] == 0 }", (1,)) is False
    assert call("fn f(v: &Vec<u8>) -> bool { v.len() < 3 || v[3] == 0 }", (1,)) is True


def test_loops_break_continue_and_return() -> None:
    text = """fn f(n: u32) -> u32 {
        let mut total = 0;
        let mut i = 0;
        'outer: while i < n {
            i = i + 1;
            let mut j = 0;
            loop {
                j = j + 1;
                if j == 2 { continue; }
                if j > i { break; }
                if i == 5 { break 'outer; }
                if i == 9 { return 1000; }
                total = total + 1;
            }
        }
        total
    }"""
    # Row i counts the j up to i without 2: 1, 1, 2, 3; row 5 leaves both loops at j = 1.
    assert call(text, 9) == 7
    assert call(text, 3) == 4
    assert call("fn f(n: u32) -> u32 { let mut t = 0; for i in 2..n { t = t + i; } t }", 5) == 2 + 3 + 4


def test_what_is_lent_is_changed_in_place() -> None:
    text = """struct P { v: Vec<u8>, n: (u8, u8) }
    fn g(x: &mut u8) { *x = *x + 1; }
    fn f(p: &mut P) -> u8 { g(&mut p.n.1); p.v.push(9); p.v.set(0, p.n.1); let mut w = p.n.0; g(&mut w); w }"""
    place, held = cell(Data("P", "P", ((5,), (1, 2))))
    assert call(text, place) == 2
    assert held[0] == Data("P", "P", ((3, 9), (1, 3)))


def test_matches_take_the_first_arm_that_fits() -> None:
    text = """enum E { A, B(u8), C { x: u8, y: u8 } }
    fn f(e: E) -> u8 {
        match e { E::A => 0, E::B(n) if n > 5 => n, E::B(0 | 1) => 1, E::B(_) => 2, E::C { y, .. } => y }
    }"""
    values = [Data("E", "A"), *(Data("E", "B", (n,)) for n in (9, 1, 4)), Data("E", "C", (7, 8))]
    assert [call(text, value) for value in values] == [0, 9, 1, 2, 8]


def test_question_marks_return_early() -> None:
    text = "fn g(x: u8) -> Option<u8> { if x > 3 { None } else { Some(x) } }\nfn f(x: u8) -> Option<u8> { let y = g(x)?; Some(y + 1) }"
    assert call(text, 2) == Data("Option", "Some", (3,))
    assert call(text, 4) == Data("Option", "None")


# ---------------------------------------------------------------- specifications


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        # Ghost division is Euclidean: the remainder is never negative.
        ("-7int / 2", -4),
        ("-7int % 2", 1),
        ("7int / -2", -3),
        ("-7int / -2", 4),
        ("-7int % -2", 1),
        ("(255u8 + 1) as int", 256),
        ("(300int as u8) as int", 44),
        ("if forall|i: int| 0 <= i < 10 ==> i * i < 82 { 1 } else { 0int }", 1),
        ("if forall|i: int| 0 <= i < 10 ==> i * i < 81 { 1 } else { 0int }", 0),
        ("if exists|i: int, j: int| 0 <= i < j < 6 && i * j == 20 { 1 } else { 0int }", 1),
        ("if exists|i: int, j: int| 0 <= i < j < 6 && i * j == 30 { 1 } else { 0int }", 0),
        ("if forall|b: bool| b || !b { 1 } else { 0int }", 1),
        ("choose|i: int| 2 <= i <= 8 && i * i == 49", 7),
        ("seq![3int, 4, 5].map_values(|x: int| x * x).drop_first().last()", 25),
        ("seq![3int, 4, 5].fold_left(0int, |a: int, x: int| 10 * a + x)", 345),
        ("(seq![1int] + seq![2int, 3]).len() as int", 3),
        ("{ let x = 3int; let y = x + 1; x * y }", 12),
    ],
)
def test_specifications_have_their_values(body: str, expected: int) -> None:
    assert spec(f"spec fn f() -> int {{ {body} }}") == expected


@pytest.mark.parametrize(
    "body",
    [
        "1int / 0",
        "seq![1int][1]",
        "seq![1int][-1]",
        "Option::<int>::None->0",
        "-1int as nat as int",
        # Two values satisfy it, and which is taken is open.
        "choose|i: int| 0 <= i < 5 && i % 4 == 0",
        # True of all integers, which cannot all be looked at.
        "if forall|i: int| i * i >= 0 { 1 } else { 0int }",
        "f()",
    ],
)
def test_what_nobody_can_say_is_unknown(body: str) -> None:
    with pytest.raises(Unknown):
        spec(f"spec fn f() -> int {{ {body} }}")


def test_one_counterexample_decides_without_bounds() -> None:
    # -1 is among the numbers looked at.
    assert spec("spec fn f() -> bool { forall|i: int| i * i > i }") is False
    assert spec("spec fn f() -> bool { exists|i: int| i * i > 20 }") is True


def test_connectives_know_what_they_can_without_the_unknown_side() -> None:
    unknown = "1int / 0 == 0"
    assert spec(f"spec fn f() -> bool {{ {unknown} && false }}") is False
    assert spec(f"spec fn f() -> bool {{ {unknown} || true }}") is True
    assert spec(f"spec fn f() -> bool {{ {unknown} ==> true }}") is True
    with pytest.raises(Unknown):
        spec(f"spec fn f() -> bool {{ {unknown} && true }}")


def test_recursive_definitions_unfold() -> None:
    text = "spec fn f(n: nat) -> nat decreases n { if n == 0 { 1 } else { n * f((n - 1) as nat) } }"
    assert spec(text, 6) == 720


# ---------------------------------------------------------------- contracts and proofs


@pytest.mark.parametrize(
    ("text", "arguments", "kind"),
    [
        ("fn f(x: u8) -> (r: u8) ensures r > x { x }", (3,), "postcondition not satisfied"),
        ("fn f(x: u8) -> u8 returns x { 4 }", (3,), "postcondition not satisfied"),
        ("fn f(x: u8) { assert(x != 3); }", (3,), "assertion failed"),
        ("fn f(x: u8) { proof { if x > 2 { assert(x > 3); } } }", (3,), "assertion failed"),
        (
            "fn f(v: &Vec<u8>) { assert forall|i: int| 0 <= i < v.len() implies v[i] < 5 by {} }",
            ((1, 5),),
            "assertion failed",
        ),
        ("fn g(x: u8) requires x < 3 {} fn f(x: u8) { g(x); }", (3,), "precondition not satisfied"),
        (
            "proof fn g(x: u8) ensures x < 3 {} fn f(x: u8) { proof { g(x); } }",
            (3,),
            "postcondition not satisfied",
        ),
        (
            "fn f(n: u8) { let mut i = 0; while i < n invariant i < n decreases n - i { i = i + 1; } }",
            (3,),
            "invariant not satisfied",
        ),
        (
            "fn f(n: u8) { let mut i = 0; while i < n invariant i <= n decreases i { i = i + 1; } }",
            (3,),
            "decreases not satisfied",
        ),
        (
            "fn f(n: u8) -> u8 decreases n { if n == 0 { 0 } else { f(n) } }",
            (3,),
            "decreases not satisfied",
        ),
        (
            "fn f(x: &mut u8) ensures *final(x) == *old(x) { *x = 0; }",
            (cell(3)[0],),
            "postcondition not satisfied",
        ),
    ],
)
def test_false_claims_contradict(text: str, arguments: tuple[Any, ...], kind: str) -> None:
    with pytest.raises(Contradiction) as caught:
        call(text, *arguments, checking=True)
    assert caught.value.kind == kind


def test_true_claims_do_not() -> None:
    text = """fn f(n: u8) -> (r: u8)
        ensures r == n,
    {
        let mut i = 0;
        let ghost mut seen = Seq::<int>::empty();
        while i < n
            invariant i <= n, seen.len() == i, forall|k: int| 0 <= k < i ==> seen[k] == k,
            decreases n - i,
        {
            proof { seen = seen.push(i as int); }
            i = i + 1;
        }
        assert(seen.contains(0) || n == 0);
        i
    }"""
    assert call(text, 5, checking=True) == 5


def test_old_and_final_are_the_values_at_both_ends() -> None:
    text = """fn f(x: &mut u8, mut y: u8) -> (r: u8)
        requires *old(x) < 100, y < 100,
        ensures *final(x) == *old(x) + y, r == y + 1,
    { *x = *x + y; y = y + 1; assert(*old(x) + y == *x + 1); y }"""
    place, held = cell(30)
    assert call(text, place, 4, checking=True) == 5
    assert held == [34]


def test_endless_runs_end() -> None:
    with pytest.raises(OutOfSteps):
        call("fn f() { loop {} }")
    with pytest.raises(OutOfSteps):
        call("fn f(x: u8) -> u8 { f(x) }", 1)


def test_random_inputs_find_what_is_wrong_and_keep_to_the_precondition() -> None:
    wrong = crate(
        "fn f(a: u8, b: u8) -> (r: u8) requires a <= 100 ensures r >= b { if a > 1 { b / 2 } else { b } }"
    )
    found = violations(wrong, wrong.function("f"), random.Random(1), 100)
    assert found
    for each in found:
        a, b = each.arguments
        assert 1 < a <= 100
        assert b > 0
    right = crate("fn f(a: u8, b: u8) -> (r: u8) requires a <= 100, b <= 100 ensures r >= b { a + b }")
    tally = Interpreter(right).tally(right.function("f"), random.Random(1), 100)
    assert tally.runs > 90
    assert not tally.violations


def test_it_shares_nothing_with_the_logic() -> None:
    """A mistake in the lowering, the checks or the logic must not be made here again."""
    verifier = "rlvr_gym.verifiers.verus."
    allowed = {"inference", "interpreter", "report", "syntax"}
    for path in Path(rlvr_gym.verifiers.verus.interpreter.__path__[0]).glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith(verifier):
                assert (node.module or "").removeprefix(verifier).split(".")[0] in allowed, path.name
