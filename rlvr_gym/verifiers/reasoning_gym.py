"""Answers to `reasoning-gym` problems: full marks or none, by a rule for every generator."""

from __future__ import annotations

from rlvr_gym.config import Config
from rlvr_gym.types import Status, Task, Verdict
from rlvr_gym.verifiers.base import verifier
from rlvr_gym.verifiers.reasoning_rules import Entry, Rule, Unreadable, answer_of, rule_for
from rlvr_gym.verifiers.reasoning_rules.extraction import Hedge
from rlvr_gym.verifiers.reasoning_rules.upstream import score


class ReasoningGym(Config):
    """Settings of the `reasoning-gym` verifier."""

    partial: bool = False
    """Give a failed answer upstream's part marks, where its scorer does not run the answer as code."""


@verifier("reasoning_gym", config=ReasoningGym, preload=("reasoning_gym",))
def reasoning_gym(task: Task, response: str, config: ReasoningGym) -> Verdict:
    """Pass when the answer of ``response`` solves the problem whose upstream entry is ``task.reference``.

    The answer stands in ``<answer></answer>``, else in a box, else it is the whole response; different answers are
    a hedge and fail. A generator that this library has no rule for takes upstream's own answer alone.
    """
    entry = Entry.of(task.reference)
    rule = rule_for(entry.dataset)
    try:
        answer = answer_of(response)
    except Hedge as error:
        return Verdict.of(Status.FAILED, str(error))
    except Unreadable as error:
        return Verdict.of(Status.MALFORMED, str(error))
    try:
        found = rule.compare(answer, entry)
    except Unreadable as error:
        return Verdict.of(Status.MALFORMED, str(error))
    if isinstance(found, Verdict):
        return found
    if found:
        return Verdict.of(Status.PASSED, f"right: {rule.what}")
    return _failed(answer, entry, rule, partial=config.partial)


def _failed(answer: str, entry: Entry, rule: Rule, *, partial: bool) -> Verdict:
    reason = f"wrong: wanted is {rule.what}"
    if not partial or rule.executes:
        return Verdict.of(Status.FAILED, reason)
    try:
        marks = score(answer, entry)
    except Unreadable as error:
        return Verdict.of(Status.FAILED, f"{reason}; {error}")
    # What upstream takes for right and we do not earns nothing.
    marks = marks if 0.0 < marks < 1.0 else 0.0
    return Verdict(status=Status.FAILED, score=marks, reason=f"{reason}; {marks:.3g} of upstream's marks")
