"""The setter gate: valid pairs, and every way of proposing a bad one."""

from __future__ import annotations

import math

import pytest

from rlvr_gym.errors import TaskError
from rlvr_gym.types import Json, Status, Task, Verdict
from rlvr_gym.verifiers.calculus import parse, value_hash
from rlvr_gym.verifiers.integral_setter import IntegralSetterConfig, integral_setter, read_proposal

DEFAULT = IntegralSetterConfig()


def judge(response: str, reference: Json = None, **settings: object) -> Verdict:
    config = IntegralSetterConfig.model_validate(settings) if settings else DEFAULT
    return integral_setter(Task(id="t", prompt="", reference=reference), response, config)


def pair(problem: str, answer: str) -> str:
    return f"<problem>{problem}</problem><answer>{answer}</answer>"


VALID = [
    ("x sin x", "sin x - x cos x", "parts"),
    (r"\int x e^{x} \, dx", "(x-1)e^x + C", "LaTeX with sign, differential and constant"),
    ("x^2 + x", "x^3/3 + x^2/2", "two powers"),
    ("1/(x^3+x)", r"\ln|x| - \frac12 \ln(x^2+1)", "partial fractions"),
    ("x ln x", "x^2 ln(x)/2 - x^2/4", "real for positive x only: half of the points"),
    ("sin(x)^2", "x/2 - sin(2x)/4", "half angles"),
    ("x sqrt(x+1)", "2/5 (x+1)^(5/2) - 2/3 (x+1)^(3/2)", "a domain that ends"),
    ("x/(1+x^4)", "arctan(x^2)/2", "a substitution"),
    ("e^x/(1+e^x)", "ln(1+e^x)", "another"),
    ("x|x-1|", "|x-1|(2x^2-x-1)/6", "an absolute value"),
    ("sqrt(1-x^2)", "(x sqrt(1-x^2) + asin x)/2", "real between -1 and 1 only"),
    ("x^x (1+ln x)", "x^x", "a variable exponent"),
    ("tan(x)^2", "tan x - x", "an identity"),
]


@pytest.mark.parametrize(("problem", "answer", "why"), VALID, ids=[why for *_, why in VALID])
def test_a_valid_pair_passes_every_gate(problem: str, answer: str, why: str) -> None:
    verdict = judge(pair(problem, answer))
    assert verdict.passed, verdict
    assert [check.name for check in verdict.checks] == [
        "format", "problem", "answer", "variable", "real", "varies", "new", "trivial", "derivative",
    ]  # fmt: skip
    assert all(check.passed for check in verdict.checks)


def test_thinking_and_space_around_the_tags_are_allowed() -> None:
    assert judge(
        "<think>what?</think>\n <problem> x sin x </problem>\n<answer>sin x - x cos x</answer>\n"
    ).passed


REFUSED = [
    # Form.
    ("", "format", "nothing"),
    ("x sin x", "format", "no tags"),
    ("<problem>x sin x</problem>", "format", "no answer"),
    ("<answer>sin x - x cos x</answer>", "format", "no problem"),
    ("<answer>sin x - x cos x</answer><problem>x sin x</problem>", "format", "the wrong order"),
    (pair("x sin x", "sin x - x cos x") + " Easy!", "format", "words after"),
    ("Here: " + pair("x sin x", "sin x - x cos x"), "format", "words before"),
    (pair("x sin x", "sin x - x cos x") * 2, "format", "two proposals"),
    ("<problem>x</problem>" + pair("x sin x", "sin x - x cos x"), "format", "two problems"),
    (pair("x sin x</problem><problem>x", "sin x - x cos x"), "format", "a tag inside"),
    ("<think>" + pair("x sin x", "sin x - x cos x"), "unclosed_think", "never stops thinking"),
    ("<problem>x sin x</problem><answer>sin x - x cos x", "format", "no end"),
    # Texts.
    (pair("", "x"), "problem_empty", "an empty problem"),
    (pair("x sin x", ""), "answer_empty", "an empty answer"),
    (pair("x sin x (the answer is sin x - x cos x)", "sin x - x cos x"), "problem_symbol", "tells the answer"),
    (pair(r"x \sin x \text{ hint: parts}", "sin x - x cos x"), "problem_word", "a hint"),
    (pair("Integrate x sin x", "sin x - x cos x"), "problem_symbol", "words in the problem"),
    (pair("x sin x", "sin x - x cos x or x"), "answer_symbol", "a hedge"),
    (pair("x sin x = 0", "sin x - x cos x"), "problem_equation", "an equation"),
    (pair("x sin x", "F(x) = x = sin x - x cos x"), "answer_equation", "a chain"),
    (pair("x sin x", r"\int x sin x dx"), "answer_integral_sign", "the problem as the answer"),
    (pair("x sin x", r"\int x sin x dx = sin x - x cos x"), "answer_equation", "the problem repeated"),
    (pair(r"\int_0^1 x sin x dx", "sin x - x cos x"), "problem_syntax", "a definite integral"),
    (pair("a x sin x", "a sin x - a x cos x"), "problem_symbol", "a parameter"),
    (pair("t sin t", "sin t - t cos t"), "problem_symbol", "another variable"),
    (pair("erf(x)", "x"), "problem_symbol", "no elementary function"),
    (pair("x sin x", "C x"), "answer_symbol", "the constant multiplied"),
    (pair("x\0", "x"), "problem_character", "a NUL"),
    (pair("x٣", "x"), "problem_character", "digits of another script"),
    # Sizes.
    (pair("1234567 x sin x", "1234567(sin x - x cos x)"), "problem_digits", "an ugly coefficient"),
    (pair("x^99 + x", "x^100/100 + x^2/2"), "exponent", "a large exponent"),
    (pair("x^(1/97) + x", "97/98 x^(98/97) + x^2/2"), "exponent", "an ugly root"),
    (pair("+".join(["x sin x"] * 60), "60(sin x - x cos x)"), "problem_too_long", "a long problem"),
    (pair("+".join(["x^3"] * 80), "20x^4"), "problem_too_large", "many terms"),
    (pair("(" * 40 + "x" + ")" * 40 + "sin x", "sin x - x cos x"), "problem_too_deep", "nested brackets"),
    (pair("sin(" * 35 + "x" + ")" * 35, "x"), "problem_too_deep", "nested functions"),
    (pair("9^9^9^9 x sin x", "9^9^9^9 (sin x - x cos x)"), "exponent", "a tower"),
    (pair("x sin x + 1/0", "sin x - x cos x"), "constant", "a division by zero"),
    # No problem at all.
    (pair("7", "7x"), "no_variable", "a constant"),
    (pair("pi^2", "pi^2 x"), "no_variable", "another"),
    (pair("0 x", "5"), "constant_problem", "zero in disguise"),
    (pair("x - x", "5"), "constant_problem", "the same"),
    (pair("x/x", "x"), "constant_problem", "one in disguise"),
    (pair("sin(x)^2 + cos(x)^2", "x"), "constant_problem", "one by an identity"),
    (pair("ln(e^x) - x + 3", "3x"), "constant_problem", "three by another"),
    (pair("1/(x-x)", "x"), "not_real", "defined nowhere"),
    (pair("sqrt(-1-x^2)", "x"), "not_real", "real nowhere"),
    (pair("ln(-x^2)", "x ln(-x^2) - 2x"), "not_real", "the same"),
    (pair("asin(x^2+2)", "x"), "not_real", "outside the domain of arcsin"),
    (pair("x + 0/(x-x)", "x^2/2"), "not_real", "a hidden division by zero"),
    (pair("sqrt(x-3.9)", "2/3 (x-3.9)^(3/2)"), "not_real", "real almost nowhere near 0"),
    # Entries of the table.
    (pair("x^5", "x^6/6"), "trivial", "a power"),
    (pair("3x - 1", "3x^2/2 - x"), "trivial", "a linear function"),
    (pair("sin(2x+1)", "-cos(2x+1)/2"), "trivial", "a sine"),
    (pair("sin x cos x", "sin(x)^2/2"), "trivial", "a sine in disguise"),
    (pair("e^x e^x", "e^(2x)/2"), "trivial", "an exponential in disguise"),
    (pair("1/(2x-3)", "ln|2x-3|/2"), "trivial", "a reciprocal"),
    (pair("1 + tan(x)^2", "tan x"), "trivial", "a secant in disguise"),
    (pair("1/(x^2+2x+5)", "arctan((x+1)/2)/2"), "trivial", "an arctangent"),
    (pair("ln(5x)", "x ln(5x) - x"), "trivial", "a logarithm"),
    # Wrong answers.
    (pair("x sin x", "sin x + x cos x"), "differs", "a sign"),
    (pair("x sin x", "0"), "differs", "nothing"),
    (pair("x sin x", "sin x - x cos x + 10^-20 x"), "differs", "a small error"),
    (pair("x|x-1|", "x^3/3 - x^2/2"), "differs", "right beyond 1"),
    (pair("x + x sqrt(x^2)", "x^2/2 + x^3/3"), "differs", "the same in disguise"),
    (pair("x^2 + x", "x^3/3 + x^2/2 + |x|/x"), "jump", "a jump at 0"),
    (pair("x^2 + x", "x^3/3 + x^2/2 + |x-9| + x - 9"), "differs", "wrong beyond 9"),
    (pair("x^2 + x", "x^3/3 + x^2/2 + 1/(x-x)"), "undefined", "defined nowhere"),
]  # fmt: skip


@pytest.mark.parametrize(("response", "code", "why"), REFUSED, ids=[f"{c}-{w}" for _, c, w in REFUSED])
def test_a_bad_proposal_is_refused_with_its_code(response: str, code: str, why: str) -> None:
    verdict = judge(response)
    assert verdict.status in (Status.FAILED, Status.MALFORMED), verdict
    assert verdict.reason.partition(":")[0] == code
    assert verdict.checks[-1].passed is False
    assert all(check.passed for check in verdict.checks[:-1])


@pytest.mark.parametrize(
    ("problem", "answer", "code"),
    [
        ("x^2 + x", "x^3/3 + x^2/2 + 0 asin(x)", "undefined"),
        ("x^2 + x", "x^3/3 + x^2/2 + x(1 - tanh(10^6 (x^2+1)))", "precision"),
    ],
)
def test_an_undecided_proposal_earns_nothing(problem: str, answer: str, code: str) -> None:
    verdict = judge(pair(problem, answer))
    assert verdict.status is Status.UNDECIDED
    assert verdict.score is None
    assert verdict.reason.startswith(f"{code}:")


@pytest.mark.parametrize(
    "copy",
    ["x sin x", "sin(x) x", "-7 x sin x", "x sin(x) (sin(x)^2 + cos(x)^2)", "x cos(x - pi/2)", r"\frac{x \sin x}{3} dx",
     "2x sin(x/2) cos(x/2)"],
)  # fmt: skip
def test_a_known_problem_is_refused_however_it_is_written(copy: str) -> None:
    known = {"known": [value_hash(parse("x sin x"))]}
    # The answer does not matter: a copy is refused before.
    assert judge(pair(copy, "x"), known).reason.startswith("known:")
    hidden = Task(id="t", prompt="", hidden=known)
    assert integral_setter(hidden, pair(copy, "x"), DEFAULT).reason.startswith("known:")


def test_a_new_problem_is_not_taken_for_a_known_one() -> None:
    known = {"known": [value_hash(parse(text)) for text in ("x sin x", "x cos x", "x^2 sin x", "x + sin x")]}
    assert judge(pair("x sin(2x)", "sin(2x)/4 - x cos(2x)/2"), known).passed


def test_a_hash_ignores_names_and_factors_only() -> None:
    assert value_hash(parse("t e^t", variable="t"), "t") == value_hash(parse("x e^x"))
    assert value_hash(parse("3x+3")) == value_hash(parse("x+1"))
    assert value_hash(parse("x+1")) != value_hash(parse("x+2"))
    assert value_hash(parse("sin x")) != value_hash(parse("sin(2x)"))
    assert value_hash(parse("0")) != value_hash(parse("1"))


@pytest.mark.parametrize("reference", [[], True, math.nan, "x", 5, {"knwon": []}])
def test_a_reference_that_would_switch_the_check_off_is_refused(reference: object) -> None:
    with pytest.raises(TaskError, match="integral_setter reference: "):
        judge(pair("x sin(2x)", "sin(2x)/4 - x cos(2x)/2"), reference)


def test_known_must_be_a_list_of_hashes() -> None:
    for known in ("abc", [1, 2]):
        with pytest.raises(TaskError, match="known"):
            judge(pair("x sin x", "sin x - x cos x"), {"known": known})


def test_settings_open_and_close_gates() -> None:
    assert judge(pair("x^5", "x^6/6"), allow_trivial=True).passed
    assert judge(pair("t sin t", "sin t - t cos t"), variable="t").passed
    assert judge(pair("x sin x", "sin x - x cos x"), max_nodes=3).reason.startswith("problem_too_large")
    assert judge(pair("x ln x", "x^2 ln(x)/2 - x^2/4"), min_real=0.6).reason.startswith("not_real")
    jumping = pair("1/(2+cos x)", "2 arctan(tan(x/2)/sqrt(3))/sqrt(3)")
    assert judge(jumping).passed
    assert judge(jumping, level="continuous").reason.startswith("jump")


def test_a_proposal_can_be_read_without_being_judged() -> None:
    proposal = read_proposal(pair("x sin x", "sin x - x cos x + C"), DEFAULT)
    assert proposal.problem == parse("x sin x")
    assert proposal.answer == parse("sin x - x cos x")
