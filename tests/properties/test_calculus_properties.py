"""Claims about all formulas: any text gets a verdict, printing loses nothing, and independent oracles agree."""

from __future__ import annotations

import contextlib
import math

import mpmath
import pytest
import sympy
from flint import acb
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from rlvr_gym.types import Status, Task
from rlvr_gym.verifiers.calculus import (
    Expr,
    Outcome,
    ParseError,
    Stream,
    compile_tape,
    decide,
    derivative,
    is_trivial,
    parse,
    parse_answer,
    parse_integrand,
    render,
    size,
    value_hash,
)
from rlvr_gym.verifiers.calculus.dual import differentiate
from rlvr_gym.verifiers.calculus.precision import ball_precision
from rlvr_gym.verifiers.calculus.to_sympy import to_sympy
from rlvr_gym.verifiers.calculus.tree import (
    EULER,
    FUNCTIONS,
    PI,
    Num,
    Sym,
    add,
    call,
    div,
    mul,
    neg,
    num,
    power,
    root,
)
from rlvr_gym.verifiers.integral import IntegralConfig, integral
from rlvr_gym.verifiers.integral_setter import IntegralSetterConfig, integral_setter

X = Sym("x")
CONFIG, SETTER = IntegralConfig(), IntegralSetterConfig()

# Pieces of formulas, so that many texts get past the first character.
FRAGMENTS = st.sampled_from(
    [*"xxx12.+-*/^(){}[]|=,_eCd√²⁻−π∫٣$\\", "0", "10", "pi", "dx", "sin", "cos", "ln", "sqrt", "exp", "abs", "or", "\0",
     r"\frac", r"\sqrt", r"\left", r"\right", r"\sin", r"\int", r"\boxed", r"\boxed{", r"\text{", r"\(", r"\)",
     "<answer>", "</answer>", "<problem>", "</problem>", "<think>", "</think>", "answer:", "\ud800", "1e300", "9" * 10]
)  # fmt: skip
TEXTS = st.one_of(
    st.lists(FRAGMENTS, max_size=25).map("".join),
    st.lists(FRAGMENTS, max_size=25).map(" ".join),
    st.text(max_size=60),
)

numbers = st.fractions(min_value=-20, max_value=20, max_denominator=12).map(Num)
leaves = st.one_of(st.just(X), st.just(X), numbers, st.sampled_from([PI, EULER]))


def _branch(inner: st.SearchStrategy[Expr]) -> st.SearchStrategy[Expr]:
    small = st.integers(-4, 5).map(num)
    return st.one_of(
        st.lists(inner, min_size=2, max_size=3).map(lambda parts: add(*parts)),
        st.lists(inner, min_size=2, max_size=3).map(lambda parts: mul(*parts)),
        st.tuples(inner, inner).map(lambda pair: div(*pair)),
        st.tuples(inner, st.one_of(small, numbers, inner)).map(lambda pair: power(*pair)),
        inner.map(lambda part: root(part, 2)),
        st.tuples(st.sampled_from(sorted(FUNCTIONS)), inner).map(lambda pair: call(*pair)),
    )


TREES = st.recursive(leaves, _branch, max_leaves=8)

# Functions that are smooth and of moderate size on the whole line, so that every pair can be decided.
tame_leaves = st.one_of(st.just(X), st.integers(-3, 3).map(num))


def _tame(inner: st.SearchStrategy[Expr]) -> st.SearchStrategy[Expr]:
    return st.one_of(
        st.lists(inner, min_size=2, max_size=3).map(lambda parts: add(*parts)),
        st.lists(inner, min_size=2, max_size=2).map(lambda parts: mul(*parts)),
        st.tuples(st.sampled_from(["sin", "cos", "atan", "tanh", "asinh"]), inner).map(
            lambda pair: call(*pair)
        ),
        inner.map(lambda part: call("log", add(mul(part, part), num(1)))),
        inner.map(lambda part: div(num(1), add(mul(part, part), num(2)))),
        inner.map(lambda part: root(add(mul(part, part), num(3)), 2)),
    )


TAME = st.recursive(tame_leaves, _tame, max_leaves=6)
QUICK = settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@QUICK
@given(TEXTS, st.sampled_from(["x", "1/x", "sqrt(x) sin x"]))
def test_any_text_gets_a_verdict(text: str, integrand: str) -> None:
    task = Task(id="t", prompt="", reference=integrand)
    verdict = integral(task, text, CONFIG)
    assert verdict.status in (Status.PASSED, Status.FAILED, Status.MALFORMED, Status.UNDECIDED)
    assert verdict == integral(task, text, CONFIG)
    assert verdict.reason


@QUICK
@given(TEXTS, TEXTS)
def test_any_proposal_gets_a_verdict(problem: str, answer: str) -> None:
    task = Task(id="t", prompt="")
    for response in (problem, f"<problem>{problem}</problem><answer>{answer}</answer>"):
        verdict = integral_setter(task, response, SETTER)
        assert verdict.status in (Status.PASSED, Status.FAILED, Status.MALFORMED, Status.UNDECIDED)


@QUICK
@given(TEXTS)
def test_any_text_parses_or_is_refused(text: str) -> None:
    for read in (parse, parse_integrand, parse_answer):
        with contextlib.suppress(ParseError):
            read(text)


@settings(max_examples=400, deadline=None)
@given(TREES)
def test_printing_and_reading_gives_the_same_tree(tree: Expr) -> None:
    assert parse(render(tree)) == tree


@QUICK
@given(TAME)
def test_a_derivative_by_the_rules_is_confirmed(tree: Expr) -> None:
    slope = derivative(tree)
    assume(size(slope) < 300)
    decision = decide(compile_tape(slope, "x"), compile_tape(tree, "x"), Stream(render(tree)))
    assert decision.outcome is Outcome.AGREE, (render(tree), decision)


@QUICK
@given(TREES)
def test_a_derivative_by_the_rules_is_never_proven_wrong(tree: Expr) -> None:
    # Branch cuts may leave a pair open, but no proof of the contrary may be found. Real powers of a variable
    # exponent, inverse secants and the absolute value of what is complex have other rules on the cuts.
    assume(not any(name in render(tree) for name in ("asec", "acsc", "asech", "acsch", "acosh", "abs")))
    slope = derivative(tree)
    assume(size(slope) < 300)
    decision = decide(compile_tape(slope, "x"), compile_tape(tree, "x"), Stream(render(tree)))
    # The derivative of what is complex everywhere may be defined nowhere here.
    assert decision.outcome is not Outcome.DIFFER or decision.reason.startswith(("jump", "undefined")), (
        render(tree),
        decision,
    )


MUTATIONS = [
    lambda tree: add(tree, X),
    lambda tree: add(tree, mul(parse("1e-15"), call("sin", X))),
    lambda tree: add(tree, mul(parse("1e-90"), X)),
    lambda tree: add(tree, call("abs", X)),
    lambda tree: add(tree, call("abs", add(X, num(-700))), neg(X)),
    lambda tree: mul(tree, add(num(1), mul(parse("1e-40"), X))),
]


@QUICK
@given(TAME, st.integers(0, len(MUTATIONS) - 1))
def test_a_mutated_antiderivative_never_passes(tree: Expr, which: int) -> None:
    slope = derivative(tree)
    assume(size(slope) < 300)
    # The last mutation multiplies, so zero stays right.
    assume(which != 5 or value_hash(tree) != value_hash(num(0)))
    mutant = MUTATIONS[which](tree)
    decision = decide(compile_tape(slope, "x"), compile_tape(mutant, "x"), Stream(render(tree)))
    assert decision.outcome is not Outcome.AGREE, (render(tree), render(mutant), decision)


BASES = [
    ("x", "x^2/2"), ("cos x", "sin x"), ("e^x", "e^x"), ("1/x", "ln|x|"), ("sqrt(x)", "2/3 x^(3/2)"),
    ("1/sqrt(1-x^2)", "asin x"), ("|x|", "x|x|/2"), ("ln x", "x ln x - x"), ("1/(x^2-1)", "ln|(x-1)/(x+1)|/2"),
]  # fmt: skip
CORNERS = ["{a}x+{b}", "x^2+{a}x+{b}", "x^3-7x+{b}", "sin({a}x)-{b}/10", "cos(x)+{b}/10", "e^x-{b}", "atan(x)-{b}/7",
           "ln(x^2+1)-{b}/3", "x-{a}pi/3", "sinh(x)-{b}"]  # fmt: skip
SWITCHES = ["|u|+u", "|u|-u", "sqrt((u)^2)+u", "((u)^2)^(3/2)-(u)^3", "sqrt((u)^2)/(u)", "acos(cos(u))-(u)",
            "|u|-2|u-1/50|+|u-1/25|"]  # fmt: skip


@settings(max_examples=150, deadline=None)
@given(st.sampled_from(BASES), st.sampled_from(CORNERS), st.sampled_from(SWITCHES), st.integers(-9, 9).filter(bool),
       st.integers(-9, 9))  # fmt: skip
def test_a_switch_that_passes_is_right_on_a_dense_grid(
    base: tuple[str, str], corner: str, switch: str, a: int, b: int
) -> None:
    """Terms that vanish in one place and not in another are how an answer is right where one happens to look."""
    integrand, answer = base[0], f"{base[1]} + {switch.replace('u', corner.format(a=a, b=b))}"
    wanted, given_tape = compile_tape(parse(integrand), "x"), compile_tape(parse(answer), "x")
    if decide(wanted, given_tape, Stream(integrand, answer)).outcome is not Outcome.AGREE:
        return
    with ball_precision(300):
        for step in range(-1500, 1500):
            x = acb(step / 50 + 0.0137)
            right = wanted.value(x)
            if right.is_finite() and right.imag.contains(0):
                slope = differentiate(given_tape, x)[1][given_tape.root]
                assert slope is None or not slope.is_finite() or slope.overlaps(right), (answer, step)


@settings(max_examples=60, deadline=None)
@given(TAME, st.floats(-3, 3))
def test_values_and_derivatives_agree_with_mpmath(tree: Expr, at: float) -> None:
    function = sympy.lambdify(sympy.Symbol("x", real=True), to_sympy(tree, "x"), "mpmath")
    with mpmath.workdps(40):
        value = mpmath.mpf(function(mpmath.mpf(at)))
        slope = mpmath.diff(function, mpmath.mpf(at))
    tape = compile_tape(tree, "x")
    with ball_precision(160):
        values, slopes = differentiate(tape, acb(at))
        ours = complex(values[tape.root])
        ours_slope = complex(slopes[tape.root]) if slopes[tape.root] is not None else 0j
    assert math.isclose(ours.real, float(value), rel_tol=1e-12, abs_tol=1e-12)
    assert math.isclose(ours_slope.real, float(slope), rel_tol=1e-9, abs_tol=1e-9)


@settings(max_examples=25, deadline=None)
@given(TAME, TAME)
def test_a_pass_is_confirmed_by_mpmath(first: Expr, second: Expr) -> None:
    """Whatever pair passes, right or drawn at random, an independent numeric derivative agrees."""
    for answer, integrand in ((first, derivative(first)), (first, second), (second, derivative(first))):
        decision = decide(compile_tape(integrand, "x"), compile_tape(answer, "x"), Stream(render(answer)))
        symbol = sympy.Symbol("x", real=True)
        big, small = (sympy.lambdify(symbol, to_sympy(tree, "x"), "mpmath") for tree in (answer, integrand))
        with mpmath.workdps(30):
            equal = all(
                mpmath.almosteq(
                    mpmath.diff(big, mpmath.mpf(at)), mpmath.mpf(small(mpmath.mpf(at))), 1e-9, 1e-9
                )
                for at in (-2.3, -0.7, 0.4, 1.9)
            )
        assert equal is (decision.outcome is Outcome.AGREE)


@QUICK
@given(
    TAME, st.integers(2, 9), st.sampled_from(["+ 0", "* (sin(x)^2 + cos(x)^2)", "/ (cosh(x)^2 - sinh(x)^2)"])
)
def test_the_value_hash_survives_rewriting(tree: Expr, factor: int, extra: str) -> None:
    rewritten = parse(f"({factor})*({render(tree)}) {extra}")
    assert value_hash(rewritten) == value_hash(tree)
    renamed = parse(render(tree).replace("x", "t").replace("etp", "exp"), variable="t")
    assert value_hash(renamed, "t") == value_hash(tree)


@settings(max_examples=80, deadline=None)
@given(
    st.sampled_from(["sin(u)", "cos(u)", "exp(u)", "1/u", "u^5", "ln(u)", "tan(u)", "1/cos(u)", "1/sin(u)^2", "sinh(u)",
                     "tanh(u)", "1/cosh(u)", "1/cosh(u)^2", "1/(1+u^2)", "1/sqrt(1+u^2)", "u^(1/2)", "u^-3", "3^u"]),
    st.integers(-5, 5).filter(bool), st.integers(-4, 4), st.integers(1, 9),
)  # fmt: skip
def test_every_linear_substitution_of_a_table_entry_is_trivial(form: str, a: int, b: int, c: int) -> None:
    assert is_trivial(parse(f"{c}*({form.replace('u', f'({a}*x+{b})')})"))


@pytest.mark.parametrize(
    "text",
    ["x sin x", "x e^x", "x ln x", "x^2+x", "sin(x)^2", "sin(x^2)", "1/(x^3+1)", "sqrt(1+x^2)", "atan x", "e^x sin x",
     "1/(x ln x)", "x/(1+x^4)", "sin(x)+x", "e^x+x", "x^3 - x", "sin(x)/x", "tan(x)^2", "sqrt(x)+x"],
)  # fmt: skip
def test_what_needs_a_method_is_not_trivial(text: str) -> None:
    assert not is_trivial(parse(text))
