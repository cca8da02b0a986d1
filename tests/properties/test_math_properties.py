"""Claims about the math verifier that hold for any text and any number."""

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rlvr_gym import verify
from rlvr_gym.errors import TaskError
from rlvr_gym.types import Status, Task, Verdict
from rlvr_gym.verifiers import Verifier
from rlvr_gym.verifiers.answers import read_gold
from rlvr_gym.verifiers.math import MathConfig, math

GOLDS = [
    "42", "1/3", r"\sqrt{2}+1", "x^2+1", r"\{1,2\}", "1,2,3", "(1,2)", r"(-\infty,3]", "y=2x+1", r"\begin{pmatrix}1\\2\end{pmatrix}",
    "3:4", "50%", "10 cm", r"\$5", "east", "(B) 5", "Yes", "3:30", r"\emptyset", "52_8", r"\mathbb{R}", "3.14", "no solution",
]  # fmt: skip
MARKS = st.sampled_from(
    [
        *"0123456789+-*/^_=<>()[]{}|!,.:;%$& xyzabei", "\\frac", "\\sqrt", "\\pi", "\\boxed{", "}", "{", "\\text{", " or ", " and ", "\\pm",
        "\\cup", "\\in", "\\infty", "\\left(", "\\right)", "\\le", "\\\\", "cm", "°", "²", "½", "−", "∪", "\\begin{pmatrix}", "\\end{pmatrix}",
        "the answer is ", "<answer>", "</answer>", "<think>", "</think>", "\n", "\u200b", "\\circ", "sin", "\\binom", "\\overline{", "...",
    ]
)  # fmt: skip
SOUP = st.lists(MARKS, max_size=40).map("".join)
NUMBERS = st.fractions(min_value=-10_000, max_value=10_000, max_denominator=500)
CONFIG = MathConfig()


def judged(gold, response, mode="auto"):
    """Return the verdict of the part that runs in the caller's process."""
    task = Task(id="property", prompt="", reference=gold)
    return math(task, response, MathConfig(extract=mode))


@settings(max_examples=400, deadline=None)
@given(
    st.sampled_from(GOLDS), st.one_of(SOUP, SOUP.map(lambda text: f"\\boxed{{{text}}}"), st.text(max_size=60))
)
def test_any_text_gets_a_verdict(gold, response):
    for mode in ("auto", "lenient", "boxed", "whole"):
        verdict = judged(gold, response, mode)
        assert isinstance(verdict, Verdict)
        assert verdict.reason
        assert verdict.status in (Status.PASSED, Status.FAILED, Status.MALFORMED, Status.UNDECIDED)


@settings(max_examples=300, deadline=None)
@given(st.one_of(SOUP, st.text(max_size=40)))
def test_any_reference_is_read_or_refused_and_a_read_one_passes_against_itself(text):
    try:
        gold = read_gold(text)
    except TaskError:
        return
    if "boxed" not in text and "answer" not in text and "think" not in text:
        verdict = judged(text, gold.text, "whole")
        assert verdict.passed, verdict.reason


@settings(max_examples=200, deadline=None)
@given(NUMBERS, NUMBERS)
def test_a_number_passes_exactly_when_it_is_the_number(gold, answer):
    for text in (
        str(answer),
        rf"\frac{{{answer.numerator}}}{{{answer.denominator}}}",
        f"{2 * answer.numerator}/{2 * answer.denominator}",
    ):
        assert judged(str(gold), rf"\boxed{{{text}}}").passed is (gold == answer)


@settings(max_examples=100, deadline=None)
@given(NUMBERS, st.integers(1, 9), st.integers(0, 9))
def test_what_is_worked_out_passes_as_its_sum(number, base, more):
    written = rf"\frac{{{(number - more).numerator}}}{{{(number - more).denominator}}}+{more}\cdot {base}^0"
    assert judged(str(number), written).passed
    assert not judged(str(number + Fraction(1, 10**9)), written).passed


@settings(max_examples=150, deadline=None)
@given(
    st.sampled_from(
        [
            r"\frac{1}{2}",
            r"x^2+2x+1",
            r"(1,\frac{3}{2}]",
            r"\{1,2,\sqrt{3}\}",
            "y=2x+1",
            r"\frac{\sqrt{3}}{2}",
            "1, 2, 3",
        ]
    ),
    st.sampled_from([" ", "  ", "\n", "\\,", "\\ ", "\u2009"]),
    st.data(),
)
def test_blanks_beside_signs_change_nothing(gold, blank, data):
    places = [at for at, char in enumerate(gold) if char in "=+,]" or gold[at : at + 1] == ")"]
    for at in sorted(
        data.draw(st.lists(st.sampled_from(places), unique=True)) if places else [], reverse=True
    ):
        gold_with = gold[:at] + blank + gold[at:]
        assert judged(gold, rf"\boxed{{{gold_with}}}").passed


@pytest.mark.parametrize("gold", GOLDS)
def test_delimiters_boxes_and_thoughts_around_an_answer_change_nothing(gold):
    for text in (
        gold, f"${gold}$", f"$${gold}$$", rf"\({gold}\)", rf"\[{gold}\]", rf"\boxed{{{gold}}}", rf"$\boxed{{{gold}}}$.",
        f"<think>Is it \\boxed{{7}}?</think>{gold}", f"<answer>{gold}</answer>", f"The answer is {gold}.", rf"So \fbox{{${gold}$}}",
    ):  # fmt: skip
        verdict = judged(gold, text)
        assert verdict.passed, f"{text}: {verdict.reason}"


@pytest.mark.parametrize("one", GOLDS)
@pytest.mark.parametrize("other", ["0.5", "5", "10", "(1,2)", "1,2", "x", "B", "no", "42_8", r"\frac13"])
def test_whole_answers_of_one_kind_are_compared_alike_both_ways(one, other):
    # Only where neither side leaves out something that the other has: a unit, a letter, a name, digits, brackets.
    if one in ("(B) 5", r"\$5", "10 cm", "50%", "3.14", "y=2x+1", r"\begin{pmatrix}1\\2\end{pmatrix}"):
        return
    assert judged(one, rf"\boxed{{{other}}}").passed == judged(other, rf"\boxed{{{one}}}").passed


@settings(max_examples=60, deadline=None)
@given(st.lists(st.integers(-50, 50), min_size=1, max_size=6, unique=True), st.randoms())
def test_the_order_of_a_set_changes_nothing_and_a_missing_item_does(items, random):
    shuffled = random.sample(items, len(items))
    gold = rf"\{{{','.join(map(str, items))}\}}"
    assert judged(gold, rf"\boxed{{\{{{', '.join(map(str, shuffled))}\}}}}").passed
    assert not judged(gold, rf"\boxed{{\{{{', '.join(map(str, [*shuffled, 51]))}\}}}}").passed


@settings(max_examples=60, deadline=None)
@given(st.integers(1, 60), st.integers(1, 60), st.integers(1, 9))
def test_equations_are_the_same_up_to_a_factor(a, b, factor):
    gold = f"y = {a}x + {b}"
    assert judged(gold, rf"\boxed{{{factor}y - {a * factor}x = {b * factor}}}").passed
    assert not judged(gold, rf"\boxed{{{factor}y - {a * factor}x = {b * factor + 1}}}").passed


def test_the_public_call_agrees_with_the_judge():
    for gold in GOLDS:
        response = rf"\boxed{{{gold}}}"
        assert verify("math", response, reference=gold) == Verifier("math").check(
            Task(id="verify", prompt="", reference=gold), response
        )
