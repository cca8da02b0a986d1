"""The bench: judges texts in the judging process and tells a verdict from a hang and a crash."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from rlvr_gym.testing.audit.outcome import ERROR, LOST, Outcome
from rlvr_gym.testing.audit.process import Judging, Lost
from rlvr_gym.testing.audit.report import Fault
from rlvr_gym.types import Json, Status

_TRIES = 3
"""A busy machine can make a fast verdict late, but not so often in a row."""
_MOST_LOST = 2
"""Hung or dead processes that one family may cost."""
_MOST_LOST_OF_ALL = 8
_SHORT = 1_000


class Bench:
    """One target in its process.

    Args:
        judging: The process.
        limit_s: Longest time a verdict may take.
    """

    def __init__(self, judging: Judging, limit_s: float) -> None:
        self.judging = judging
        self.limit_s = limit_s
        self._lost: Counter[str] = Counter()

    def spent(self, family: str) -> bool:
        """Return whether a family has cost so many processes that it is left alone."""
        return self._lost[family] >= _MOST_LOST or self._lost.total() >= _MOST_LOST_OF_ALL

    def judge(self, family: str, call: Json) -> tuple[Outcome, Fault | None]:
        """Return what became of a text, with ``hung`` or ``crashed`` where there was no verdict."""
        outcome = Outcome(LOST)
        for _ in range(_TRIES):
            try:
                row = self.judging.ask("judge", call=call, limit_s=self.limit_s)
            except Lost as lost:
                self._lost[family] += 1
                return Outcome(LOST, reason=str(lost)), "hung" if lost.hung else "crashed"
            outcome = Outcome.from_dict(row)
            if outcome.seconds <= self.limit_s:
                return outcome, _fault(outcome)
        self._lost[family] += 1
        reason = f"a verdict took {outcome.seconds:.1f} s, {outcome.shown()}"
        return replace(outcome, reason=reason), "hung"

    def together(self, family: str, how: str, calls: Sequence[Json], **more: Json) -> Json | Lost:
        """Return the answer to a request on several calls, or how the process was lost."""
        if self.spent(family):
            return Lost("left out: too many processes were lost before", hung=True)
        try:
            limit_s = self.limit_s * max(10, len(calls))
            return self.judging.ask(how, calls=list(calls), limit_s=limit_s, **more)
        except Lost as lost:
            self._lost[family] += 1
            return lost


def _fault(outcome: Outcome) -> Fault | None:
    if outcome.status in (ERROR, Status.INFRASTRUCTURE):
        return "crashed"
    return "other" if outcome.problem else None


def stalled(outcome: Outcome, text: str) -> bool:
    """Return whether a verifier ran into its own limit on a short text."""
    return outcome.status == Status.TIMEOUT and len(text) < _SHORT
