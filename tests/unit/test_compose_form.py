"""The form and the length of responses."""

import pytest

from rlvr_gym.errors import ConfigError
from rlvr_gym.types import Status, Task
from rlvr_gym.verifiers import Verifier, verify
from rlvr_gym.verifiers.ranges import PASS_OR_FAIL, ScoreRange


def broken(response: str, **settings: object) -> list[str]:
    """Return the terms that a response breaks."""
    verdict = verify("format", response, reference=None, **settings)
    assert verdict.passed == all(check.passed for check in verdict.checks)
    assert verdict.score == float(verdict.passed)
    return [check.name for check in verdict.checks if not check.passed]


GOOD = "<think>6 * 7 = 42</think>\n<answer>42</answer>"


@pytest.mark.parametrize(
    ("response", "terms"),
    [
        (GOOD, []),
        (f" {GOOD}\n", []),
        ("42", ["think", "answer", "order", "before", "after"]),
        (f"Well. {GOOD}", ["before"]),
        (GOOD.replace("\n", " so "), ["before"]),
        (f"{GOOD} or 43", ["after"]),
        ("<answer>42</answer><think>42</think>", ["order"]),
        ("<think>a <answer>42</answer></think>", ["order"]),
        (f"<think>{GOOD}", ["think", "order", "before", "after"]),
        (f"{GOOD}<answer>43</answer>", ["answer", "order", "before", "after"]),
        ("</think>hm<think><answer>42</answer>", ["think", "order", "before", "after"]),
        ("<think> </think><answer>42</answer>", ["think", "order", "before", "after"]),
        ("<think>\u200b\x00</think><answer>42</answer>", ["think", "order", "before", "after"]),
        (f"{GOOD}\u200b", ["after"]),
        ("<Think>a</Think><answer>42</answer>", ["think", "order", "before", "after"]),
    ],
)
def test_tags_stand_once_closed_and_in_order(response, terms):
    assert broken(response) == terms


def test_the_prompt_may_have_opened_the_first_tag():
    response = GOOD.removeprefix("<think>")
    assert broken(response) != []
    assert broken(response, opened=True) == []
    assert broken(GOOD, opened=True) != []


@pytest.mark.parametrize(
    ("response", "terms"),
    [
        ("<think>a</think> So it is $\\boxed{42}$.", []),
        ("<think>\\boxed{1}, no</think> \\[\\fbox {\\frac{1}{\\{2\\}}}\\]", []),
        ("<think>a</think> 42", ["box", "after"]),
        ("<think>a</think> \\boxed{42}, or 43", ["after"]),
        ("<think>a</think> \\boxed{42} \\boxed{42}", ["box", "after"]),
        ("<think>a</think> \\boxed{\\boxed{42}}", []),
        ("<think>a</think> \\boxed{42", ["box", "after"]),
        ("<think>a</think> \\boxed{ }", ["box", "after"]),
        ("<think>a \\boxed{42}</think>", ["box", "after"]),
        ("\\boxed{42}", ["think", "after"]),
    ],
)
def test_one_box_stands_after_the_thoughts(response, terms):
    assert broken(response, tags=["think"], box=True, text_before=True) == terms


def test_the_box_may_stand_inside_the_answer_tag():
    response = "<think>a</think><answer>It is \\boxed{42}.</answer>"
    assert broken(response, box=True) == []
    assert broken(f"{response}.", box=True) == ["after"]


def test_text_may_be_allowed_before_and_after():
    response = f"Well. {GOOD} Bye."
    assert broken(response) == ["before", "after"]
    assert broken(response, text_before=True) == ["after"]
    assert broken(response, text_before=True, text_after=True) == []


def test_some_texts_and_some_scripts_are_forbidden():
    assert broken("hello <tool>", tags=[], forbidden=["<tool>", "<end>"]) == ["forbidden"]
    assert broken("hello", tags=[], forbidden=["<tool>"]) == []
    assert broken("π = 3.14, é", tags=[], scripts=["LATIN", "GREEK"]) == []
    assert broken("so 答案", tags=[], scripts=["LATIN"]) == ["scripts"]
    reason = verify("format", "ж", reference=None, tags=[], scripts=["LATIN"]).reason
    assert reason == "scripts: CYRILLIC SMALL LETTER ZHE"


def test_every_term_earns_its_share_inside_a_pass_rate():
    rate = Verifier("pass_rate", {"verifier": "format", "mode": "rate"})
    task = Task("t", "")
    assert rate.check(task, f"Well. {GOOD}").score == 4 / 5
    assert rate.check(task, GOOD).score == 1.0


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"tags": []}, "no term is asked for"),
        ({"tags": ["a", "a"]}, "a tag is named twice"),
        ({"tags": ["<a>"]}, "tags"),
        ({"tags": [], "box": True, "opened": True}, "opened needs tags"),
    ],
)
def test_a_form_that_makes_no_sense_is_refused(settings, message):
    with pytest.raises(ConfigError, match=message):
        Verifier("format", settings)


def score(num_words: int, **settings: object) -> float | None:
    return verify("length", "word " * num_words, reference=None, **settings).score


def test_the_length_falls_in_a_line_beside_the_window():
    window = {"least": 10, "most": 20, "falloff": 4}
    scores = [score(num, **window) for num in (5, 6, 7, 9, 10, 20, 21, 23, 24, 25)]
    assert scores == [0.0, 0.0, 0.25, 0.75, 1.0, 1.0, 0.75, 0.25, 0.0, 0.0]
    assert Verifier("length", window).range == ScoreRange((0.25, 1.0), (0.0, 0.0))


def test_a_length_with_part_marks_passes_and_one_without_fails():
    assert verify("length", "a b", reference=None, most=1, falloff=2).status is Status.PASSED
    assert verify("length", "a b c", reference=None, most=1, falloff=2).status is Status.FAILED
    assert verify("length", "", reference=None, most=1).status is Status.FAILED


def test_a_window_without_falloff_is_sharp():
    assert [score(num, most=2) for num in range(4)] == [0.0, 1.0, 1.0, 0.0]
    assert Verifier("length", {"most": 2}).range == PASS_OR_FAIL


def test_characters_are_code_points():
    verdict = verify("length", "é 😀", reference=None, least=3, most=3, unit="characters")
    assert (verdict.passed, verdict.reason) == (True, "3 characters, within 3 to 3")


def test_a_window_must_hold_something():
    with pytest.raises(ConfigError, match="least must not exceed most"):
        Verifier("length", {"least": 2, "most": 1})


def test_a_gate_scales_a_right_answer_by_its_length():
    short = {"verifier": {"name": "length", "most": 2, "falloff": 4}}
    gate = Verifier("gate", {"parts": [short, {"verifier": {"name": "number", "lenient_score": 1.0}}]})
    verdict = gate.check(Task("t", "", reference=42), "it is surely 42")
    assert (verdict.status, verdict.score) == (Status.PASSED, 0.5)
