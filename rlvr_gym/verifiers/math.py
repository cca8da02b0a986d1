"""Answers to mathematics problems, compared exactly; the reference fixes the type of the answer."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from pydantic import field_validator

from rlvr_gym.config import Config
from rlvr_gym.types import Check, Status, Task, Verdict
from rlvr_gym.verifiers.algebra import Outcome, ParseError
from rlvr_gym.verifiers.answers import (
    TAIL,
    Gold,
    Mode,
    Refusal,
    Terms,
    agrees,
    compare,
    contradicts,
    extract,
    has_marks,
    normalise,
    read_gold,
)
from rlvr_gym.verifiers.answers.numerals import integer_text
from rlvr_gym.verifiers.answers.second_opinion import INSTALL, is_installed, second_opinion
from rlvr_gym.verifiers.answers.words import HEDGES
from rlvr_gym.verifiers.base import verifier

__all__ = ["MathConfig", "math", "math_by_algebra", "read_gold"]


class MathConfig(Config):
    """Settings of the math verifier."""

    extract: Mode = "auto"
    """Where the answer stands: ``auto``, ``boxed``, ``answer`` (a tag), ``whole``, or ``lenient`` (wherever it may be)."""
    allow_decimals: bool = False
    """Whether an exact reference also takes a decimal of six significant digits or more."""
    second_opinion: bool = False
    """Whether to note what math-verify says of what stays undecided; it decides nothing."""

    @field_validator("second_opinion")
    @classmethod
    def _needs_math_verify(cls, value: bool) -> bool:
        if value and not is_installed():
            raise ValueError(f"math-verify is not installed: {INSTALL}")
        return value


def math_by_algebra(task: Task, response: str, config: MathConfig) -> Verdict:
    """Judge with sympy what the exact and ball arithmetic left open."""
    gold = read_gold(task.reference)
    verdict = _judged(gold, task.prompt, response, config, slow=True)
    if verdict.status is Status.UNDECIDED and config.second_opinion:
        answer = normalise(extract(response, config.extract).text)
        return replace(verdict, checks=(*verdict.checks, second_opinion(gold.text, answer)))
    return verdict


@verifier(
    "math", config=MathConfig, bounded=True, escalate=math_by_algebra, timeout_s=1.0, preload=("sympy",)
)
def math(task: Task, response: str, config: MathConfig) -> Verdict:
    r"""Pass when the answer of ``response`` is the task's reference.

    The reference is read by ``read_gold``: a number, an expression, a list, set, tuple, interval, relation, matrix,
    ratio, a number with a unit, a choice letter or plain words. The answer is read as the type of the reference.
    Wrong is what is proven wrong; what could not be settled is undecided and earns nothing.

    Each reason begins with a code: ``no_answer``, ``unclosed_think``, ``too_long`` and the parser's codes (see
    ``ParseError``) for malformed; ``hedge``, ``chain``, ``echo``, ``form``, ``type``, ``unit``, ``label`` and
    ``differs`` for failed; ``open`` for undecided; ``same`` for passed.

    Raises:
        TaskError: a reference that cannot be judged against.
    """
    gold = read_gold(task.reference)
    quick = _quick(gold, response, config)
    return quick if quick is not None else _judged(gold, task.prompt, response, config, slow=False)


_FOUND: Final = Check("extracted", True)
_PARSED: Final = Check("parsed", True)
_SAME_INTEGER: Final = Verdict.of(
    Status.PASSED, "same: the integer", checks=(_FOUND, _PARSED, Check("equal", True))
)
_OTHER_INTEGER: Final = Verdict.of(
    Status.FAILED, "differs: another integer", checks=(_FOUND, _PARSED, Check("equal", False))
)
_BOX: Final = "\\boxed{"
_AFTER_BOX: Final = 16
_BEFORE_BOX: Final = 40
_TURNING: Final = HEDGES | {"not", "never", "but"}
"""Words before a box that change what it says."""


def _quick(gold: Gold, response: str, config: MathConfig) -> Verdict | None:
    """Return the verdict where the whole response, or its only box, is a plain integer; None to look closer."""
    if gold.integer is None or gold.tolerance is not None:
        return None
    thought = response.rfind("</think>")
    if thought >= 0:
        response = response[thought + len("</think>") :]
    start = response.rfind(_BOX)
    if start >= 0:
        end = response.find("}", start)
        content = response[start + len(_BOX) : end]
        if len(response) - end > _AFTER_BOX or response[end + 1 :].strip(" .$\n*)"):
            return None
        if start and _may_change(response[max(0, start - _BEFORE_BOX) : start].lower()):
            return None
    else:
        content = response
    integer = integer_text(content) if len(response) <= TAIL else None
    if integer is None:
        return None
    if start < 0:
        if config.extract not in ("auto", "whole"):
            return None
    elif (
        config.extract in ("answer", "whole")
        or response.find("\\boxed") != start
        or "\\fbox" in response
        or has_marks(response)
    ):
        return None
    return _SAME_INTEGER if integer == gold.integer else _OTHER_INTEGER


def _may_change(before: str) -> bool:
    """Return whether what stands before a box, in lower case, has to be looked at more closely."""
    if "\\" in before or "{" in before or "ither" in before or not before.isascii():
        return True
    last = before.rstrip(" \t\n$([*:.,_=").rpartition(" ")[2]
    return last in _TURNING or not (last.isalpha() or last == "")


def _judged(gold: Gold, prompt: str, response: str, config: MathConfig, *, slow: bool) -> Verdict:
    try:
        found = extract(response, config.extract)
    except Refusal as refusal:
        return _refused(refusal, refusal.failed, (Check("extracted", False, str(refusal)),))
    answer = normalise(found.text)
    extracted = Check("extracted", True, found.source)
    try:
        decision = compare(gold, answer, Terms(prompt, config.allow_decimals, slow))
    except (Refusal, ParseError) as error:
        failed = isinstance(error, Refusal) and error.failed
        return _refused(error, failed, (extracted, Check("parsed", failed, str(error))))
    if decision.outcome is Outcome.SAME and (
        any(contradicts(gold, other, answer, prompt) for other in found.also)
        or not all(agrees(gold, other) for other in found.equal)
    ):
        hedge = Refusal("hedge", "another answer is given as well", failed=True)
        return _refused(hedge, True, (extracted, _PARSED))
    reason = f"{decision.reason} ({_shown(answer)} for {_shown(gold.text)})"
    equal = Check("equal", decision.outcome is Outcome.SAME, decision.reason)
    return Verdict.of(_STATUS[decision.outcome], reason, checks=(extracted, _PARSED, equal))


_STATUS: Final = {
    Outcome.SAME: Status.PASSED,
    Outcome.DIFFERENT: Status.FAILED,
    Outcome.OPEN: Status.UNDECIDED,
}


def _refused(error: Exception, failed: bool, checks: tuple[Check, ...]) -> Verdict:
    return Verdict.of(Status.FAILED if failed else Status.MALFORMED, str(error), checks=checks)


def _shown(text: str) -> str:
    return text if len(text) <= 60 else f"{text[:50]}... ({len(text)} characters)"
