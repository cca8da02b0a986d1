"""The short way for integers never says anything else than the whole way."""

from __future__ import annotations

import random

from rlvr_gym.types import Task
from rlvr_gym.verifiers import Verifier
from rlvr_gym.verifiers.answers import read_gold
from rlvr_gym.verifiers.math import MathConfig, _judged, _quick

BEFORE = (
    "the answer is ", "not ", "either ", "or ", "$", "5 ", "-", "\u2212 ", "= ", "so x", "(", "[", "**", "\\text{", "no ",
    "never ", "anything but ", "Therefore, ", "\n", ". ", "+ ", "1/", "^", "{", " ", "isn't ", "Nor ", "BUT ", "perhaps ",
    "maybe ", "we get ", "x = ", "<think>", "</think>", "&", "\u2260 ", "\u00ac", "8 or ", "8, or ", "\t", "unless ", "10^",
    "\\", "wait ", "otherwise ", "alternatively ", "vs ", "xor ",
)  # fmt: skip
AFTER = (
    "",
    ".",
    "$",
    "$.",
    "\n",
    "**",
    " ",
    "*)",
    ") .",
    "  ",
    "$$",
    "...",
    "\n\n",
    " or 7",
    ", 8",
    "\\pm 1",
    "?",
)
NUMERALS = (
    "42",
    "43",
    "-42",
    "+42",
    "042",
    "1,042",
    "42.",
    "42.0",
    "4,2",
    "42.50",
    "0",
    "-0",
    "00",
    "4 2",
    "",
)


def test_the_short_way_agrees_with_the_whole_way():
    rng, config, taken = random.Random(7), MathConfig(), 0
    for _ in range(8000):
        numeral = rng.choice(NUMERALS)
        boxed = numeral if rng.random() < 0.1 else f"\\boxed{{{numeral}}}"
        before = "".join(rng.choice(BEFORE) for _ in range(rng.randrange(5)))
        response = before + boxed + "".join(rng.choice(AFTER) for _ in range(rng.randrange(3)))
        gold = read_gold(rng.choice(("42", "-42", "1042", "0")))
        short = _quick(gold, response, config)
        if short is not None:
            taken += 1
            assert short.status is _judged(gold, "", response, config, slow=False).status, response
    assert taken > 1000


def test_prose_and_separators_take_the_short_way():
    gold = read_gold("1234567")
    for text in (
        "Putting the parts together, we obtain $\\boxed{1,234,567}$.",
        "Therefore, x = \\boxed{1234568}",
        "\\boxed{12}",
        "7",
    ):
        assert _quick(gold, text, MathConfig()) is not None


def test_a_verdict_of_the_short_way_is_signed_like_any_other():
    verdict = Verifier("math").check(Task(id="t", prompt="", reference="7"), "\\boxed{7}")
    assert verdict.passed
    assert verdict.verifier == "math@1"
    assert [check.name for check in verdict.checks] == ["extracted", "parsed", "equal"]
