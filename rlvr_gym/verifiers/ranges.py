"""The range of scores that a verifier states for its settings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from rlvr_gym.types import Verdict

Interval: TypeAlias = tuple[float, float]
"""Least and most, both included."""


@dataclass(frozen=True, slots=True)
class ScoreRange:
    """Where the scores of decided verdicts lie: of those that passed, and of all others.

    The two may overlap; a response that fails can then earn more than one that passes.
    """

    passed: Interval = (0.0, 1.0)
    failed: Interval = (0.0, 1.0)

    @property
    def low(self) -> float:
        """Least score of any decided verdict."""
        return min(self.passed[0], self.failed[0])

    @property
    def high(self) -> float:
        """Most score of any decided verdict."""
        return max(self.passed[1], self.failed[1])

    def holds(self, verdict: Verdict) -> bool:
        """True when the score of ``verdict`` lies where this range says; masked verdicts have none."""
        if verdict.score is None:
            return True
        low, high = self.passed if verdict.passed else self.failed
        return low <= verdict.score <= high

    def __str__(self) -> str:
        return f"{_text(self.passed)} when passed, {_text(self.failed)} otherwise"


PASS_OR_FAIL = ScoreRange(passed=(1.0, 1.0), failed=(0.0, 0.0))
"""1 for a success and 0 for everything else that is decided."""


def any_score(config: Any) -> ScoreRange:
    """Return the range of a verifier that states none."""
    return ScoreRange()


def pass_or_fail(config: Any) -> ScoreRange:
    """Return the range of a verifier without part marks."""
    return PASS_OR_FAIL


def hull(intervals: Sequence[Interval]) -> Interval:
    """Return the least interval that holds all of them."""
    return min(low for low, _ in intervals), max(high for _, high in intervals)


def _text(interval: Interval) -> str:
    low, high = interval
    return f"{low:.4g}" if low == high else f"{low:.4g} to {high:.4g}"
