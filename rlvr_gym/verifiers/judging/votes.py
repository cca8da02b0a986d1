"""From replies to votes, and from votes to a verdict."""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from rlvr_gym.types import Check, Status, Verdict
from rlvr_gym.verifiers.judging.reply import cut

Count: TypeAlias = Literal["majority", "mean"]
Scale: TypeAlias = tuple[int, int]
POSITION = "same in both orders"
"""Name of the check that a vote of a comparison carries."""

_STATUS = {"for": Status.PASSED, "against": Status.FAILED}


@dataclass(frozen=True, slots=True)
class Vote:
    """What one vote says; a tie and what is unreadable or inconsistent are for neither side."""

    says: Literal["for", "against", "tie", "unreadable", "inconsistent"]
    score: float | None
    """In [0, 1]; None where the vote does not count."""
    text: str
    checks: tuple[Check, ...] = ()

    def part(self) -> Verdict:
        """Return the vote as a part of the verdict."""
        status = _STATUS.get(self.says, Status.UNDECIDED)
        score = self.score if status is not Status.UNDECIDED else None
        reason = f"{self.says}: {cut(self.text)}" if self.text.strip() else f"{self.says}: an empty reply"
        return Verdict(status, score, reason, checks=self.checks, label="soft")


def rubric_vote(text: str, words: Mapping[str, str] | None, scale: Scale | None, threshold: float) -> Vote:
    """Return the vote of one reply.

    On a scale it is for the response from a mean of ``threshold`` on; without one, when every criterion passes.
    """
    if words is None:
        return Vote("unreadable", None, text)
    scores = {name: _score(word, scale) for name, word in words.items()}
    mean = statistics.fmean(scores.values())
    checks = tuple(
        Check(name, score >= threshold if scale else score == 1.0, words[name])
        for name, score in scores.items()
        if name
    )
    good = mean >= threshold if scale else mean == 1.0
    return Vote("for" if good else "against", mean, text, checks)


def comparison_vote(texts: tuple[str, str], words: tuple[str | None, str | None]) -> Vote:
    """Return the vote of two replies: the first saw the response as A, the second as B."""
    text = "\n".join(texts)
    if words[0] is None or words[1] is None:
        return Vote("unreadable", None, text)
    turned = {"A": "B", "B": "A", "tie": "tie"}
    same = words[0] == turned[words[1]]
    checks = (Check(POSITION, same, f"{words[0]}, swapped {words[1]}"),)
    if not same:
        return Vote("inconsistent", None, text, checks)
    if words[0] == "tie":
        return Vote("tie", 0.5, text, checks)
    return Vote("for", 1.0, text, checks) if words[0] == "A" else Vote("against", 0.0, text, checks)


def counted(votes: Sequence[Vote], count: Count, threshold: float) -> Verdict:
    """Return the verdict of all votes; undecided unless more than half of them count."""
    heard = [vote.score for vote in votes if vote.score is not None]
    parts = tuple(vote.part() for vote in votes)
    checks = _criteria(parts)
    if 2 * len(heard) <= len(votes):
        reason = f"only {len(heard)} of {len(votes)} votes can be counted"
        return Verdict.of(Status.UNDECIDED, reason, checks=checks, parts=parts, label="soft")
    ayes = sum(vote.says == "for" for vote in votes)
    noes = sum(vote.says == "against" for vote in votes)
    reason = f"votes: {ayes} for, {noes} against, {len(votes) - ayes - noes} neither"
    if count == "mean":
        mean = statistics.fmean(heard)
        status = Status.PASSED if mean >= threshold else Status.FAILED
        return Verdict(status, mean, f"mean {mean:.3g}, {reason}", checks=checks, parts=parts, label="soft")
    status = Status.PASSED if ayes > noes else Status.FAILED if ayes < noes else Status.UNDECIDED
    return Verdict.of(status, reason, checks=checks, parts=parts, label="soft")


def _score(word: str, scale: Scale | None) -> float:
    if scale is None:
        return float(word == "pass")
    low, high = scale
    return (int(word) - low) / (high - low)


def _criteria(parts: Sequence[Verdict]) -> tuple[Check, ...]:
    """Return one check per criterion, met when most votes that speak of it say so."""
    met: dict[str, list[bool]] = {}
    for part in parts:
        for check in part.checks:
            met.setdefault(check.name, []).append(check.passed)
    return tuple(
        Check(name, 2 * sum(each) > len(each), f"{sum(each)} of {len(each)} votes")
        for name, each in met.items()
    )
