from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rlvr_gym.errors import ConfigError, TaskError
from rlvr_gym.types import Status
from rlvr_gym.verifiers import verify
from rlvr_gym.verifiers.number import read_number


def judged(response, reference="42", **settings):
    verdict = verify("number", response, reference=reference, **settings)
    return verdict.status, verdict.score


RIGHT, HALF = (Status.PASSED, 1.0), (Status.PASSED, 0.5)
WRONG, UNREAD = (Status.FAILED, 0.0), (Status.MALFORMED, 0.0)


@pytest.mark.parametrize(
    "response",
    [
        "42",
        " 42.\n",
        "+42",
        "042",
        "42.000",
        "84/2",
        "$42$",
        r"\boxed{42}",
        r"It is \boxed{ 42 }, so \boxed{84/2}.",
        r"\fbox{42} and some words after it, 7 of them",
        "<answer>42</answer>",
        "<think>41? no, 43?</think>42",
    ],
)
def test_the_number_alone_or_in_a_box_passes(response):
    assert judged(response) == RIGHT
    assert judged(response, lenient_score=0.5) == RIGHT


@pytest.mark.parametrize("response", ["1 + 41 = 42", "The answer is 42.", "**42**", "x=42, I think", "(42)"])
def test_a_right_last_number_earns_the_lenient_score_only(response):
    assert judged(response) == UNREAD
    assert judged(response, lenient_score=0.5) == HALF


@pytest.mark.parametrize("response", ["41 or 42 or 43", "42 43", "42, 43", "42/43", "[42, 43]"])
def test_several_candidates_never_pay_in_strict_mode(response):
    assert judged(response)[1] == 0.0
    assert judged(response, lenient_score=0.5) in (WRONG, UNREAD)


@pytest.mark.parametrize(
    "response",
    [
        r"\boxed{42} or \boxed{43}",
        r"\boxed{43}\boxed{42}",
        r"\boxed{42 or 43} \boxed{42}",
        "<answer>42</answer>\\boxed{1}",
    ],
)
def test_boxes_that_disagree_fail_in_both_modes(response):
    assert judged(response) == WRONG
    assert judged(response, lenient_score=0.5) == WRONG


def test_a_box_decides_whatever_follows_it():
    assert judged(r"\boxed{41}, that is, 42", lenient_score=0.5) == WRONG


@pytest.mark.parametrize(
    "response", ["", "no idea", "forty-two", "<think>42", "<think>1</think><think>42", r"\boxed{42"]
)
def test_without_a_readable_number_the_response_is_malformed(response):
    assert judged(response) == UNREAD


@pytest.mark.parametrize(
    "response", ["41 or 42", "Answer: 41 or Answer: 42", "either 41 or maybe 42", "neither 41 nor is it 42"]
)
def test_a_last_number_that_is_one_of_two_is_no_answer(response):
    assert judged(response, lenient_score=0.5) == UNREAD


def test_an_or_of_another_sentence_is_no_choice():
    assert judged("There are 2 apples or so. In all that makes 42", lenient_score=0.5) == HALF


@pytest.mark.parametrize(
    "response", ["٤٢", "４２", "४२", "4٢", "x42", "42nd", "1e42", "0x42", "4.2.42", "42\u0660"]
)
def test_digits_of_other_scripts_and_parts_of_words_are_no_numbers(response):
    assert judged(response) == UNREAD
    assert judged(response, lenient_score=0.5) == UNREAD


@pytest.mark.parametrize(
    ("response", "reference"),
    [
        ("-3/4", "-0.75"),
        ("0.5", "1/2"),
        ("1,234,567", 1234567),
        ("\N{MINUS SIGN}5", -5),
        ("-0", 0),
        ("0.0", "0/7"),
        ("7" * 5000, "7" * 5000),
        ("0" * 5000 + "7", 7),
    ],
)
def test_equal_rationals_are_equal_however_written(response, reference):
    assert judged(response, reference) == RIGHT


@pytest.mark.parametrize(
    ("response", "reference"),
    [
        ("0.3333333333333333333", "1/3"),
        ("9007199254740993", "9007199254740992"),
        ("0.1000000000000000055511151231257827", "0.1"),
        ("7" * 5000 + "8", "7" * 5000 + "7"),
        ("5", "-5"),
    ],
)
def test_nothing_is_rounded(response, reference):
    assert judged(response, reference) == WRONG


@pytest.mark.parametrize("response", ["12,34", "1/0", "1//2", ".5", "5.", "--5", "1 000"])
def test_odd_spellings(response):
    expected = {"5.": RIGHT, ".5": WRONG}.get(response, UNREAD)
    assert judged(response, "5") == expected


@pytest.mark.parametrize(
    ("response", "value"),
    [("8-3", 3), ("8 - 3", 3), ("= -3", -3), ("8--3", -3), ("(-3)", -3), ("x-3", 3), ("8 -3", -3)],
)
def test_a_minus_after_an_operand_is_no_sign(response, value):
    assert judged(response, value, lenient_score=0.5) == HALF


@pytest.mark.parametrize("reference", [4.2, True, None, "forty", "1/0", "", [4], "٤"])
def test_a_reference_that_is_no_exact_number_is_refused(reference):
    with pytest.raises(TaskError, match="reference must be"):
        judged("4", reference)


def test_a_wrong_setting_is_named():
    with pytest.raises(ConfigError, match="lenient_score"):
        judged("4", "4", lenient_score=1.5)
    with pytest.raises(ConfigError, match="Did you mean 'lenient_score'"):
        judged("4", "4", lenient_scor=1.0)


def test_the_last_number_of_a_long_response_is_found_without_reading_it_all():
    assert judged("1 " * 30_000 + "so 42", lenient_score=0.5) == HALF
    assert judged("4" * 30_000 + "2 apples", lenient_score=0.5) == UNREAD


def test_read_number_gives_what_would_be_judged():
    assert read_number("84/4 it is", lenient=True) == 21
    assert read_number("84/4 it is", lenient=False) is None
    assert read_number(r"\boxed{-1.5}", lenient=False) == Fraction(-3, 2)
    assert read_number(r"\boxed{1}\boxed{2}", lenient=True) is None
    assert read_number("7" * 5000, lenient=True) is None


@given(st.fractions(), st.sampled_from(["{}", r"so \boxed{{{}}}", "<answer>{}</answer>"]))
def test_every_rational_is_read_back(value, form):
    assert judged(form.format(value), str(value)) == RIGHT
    assert judged(form.format(value + 1), str(value)) == WRONG


@given(st.text(max_size=300), st.sampled_from([0.0, 0.5]))
def test_any_text_gets_a_decided_verdict(text, lenient_score):
    assert verify("number", text, reference="42", lenient_score=lenient_score).decided
