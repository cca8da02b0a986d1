"""Judging a run's recorded texts again, by another verifier, another version of it or other settings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from rlvr_gym.agents import make_domain
from rlvr_gym.errors import TaskError, UsageError, did_you_mean
from rlvr_gym.selfplay.protocols import PROPOSER, SOLVER
from rlvr_gym.selfplay.records import JudgedText, read_judged
from rlvr_gym.store import RunStore
from rlvr_gym.types import Json, Verdict
from rlvr_gym.verifiers import Verifier
from rlvr_gym.verifiers.many import check_each

UNJUDGEABLE = "unjudgeable"
"""Stands in for a status where the new verifier says that the task cannot be judged."""


@dataclass(frozen=True, slots=True)
class Rescored:
    """One text with its old and its new verdict."""

    old: JudgedText
    new: Verdict | None
    """None where the task cannot be judged."""
    error: str = ""
    """Why not."""

    @property
    def changed(self) -> bool:
        """Whether status or score differ."""
        before, after = self.old.verdict, self.new
        return after is None or (before.status, before.score) != (after.status, after.score)

    @property
    def transition(self) -> str:
        """``old -> new``, both as statuses."""
        return f"{self.old.verdict.status} -> {UNJUDGEABLE if self.new is None else self.new.status}"

    def to_dict(self) -> dict[str, Json]:
        """Return the change as JSON values."""
        return {
            "step": self.old.step,
            "task": self.old.task.id,
            "attempt": self.old.attempt,
            "trajectory": self.old.trajectory,
            "role": self.old.role,
            "reference": self.old.task.reference,
            "text": self.old.text,
            "old": self.old.verdict.to_dict(),
            "new": None if self.new is None else self.new.to_dict(),
            "error": self.error,
        }


@dataclass(frozen=True, slots=True)
class RescoreReport:
    """All of a run's texts of one role, judged again."""

    run: str
    role: str
    verifier: str
    rows: Sequence[Rescored]

    @property
    def changes(self) -> list[Rescored]:
        """Those whose verdict is another one."""
        return [row for row in self.rows if row.changed]

    @property
    def errors(self) -> list[Rescored]:
        """Those whose task cannot be judged."""
        return [row for row in self.rows if row.new is None]

    def transitions(self) -> dict[str, int]:
        """Return how many verdicts went from where to where, the unchanged included, the most frequent first."""
        return dict(Counter(row.transition for row in self.rows).most_common())

    def to_dict(self) -> dict[str, Json]:
        """Return the report as JSON values; of the unchanged only their number."""
        return {
            "run": self.run,
            "role": self.role,
            "verifier": self.verifier,
            "judged": len(self.rows),
            "changed": len(self.changes),
            "unjudgeable": len(self.errors),
            "transitions": self.transitions(),
            "changes": [row.to_dict() for row in self.changes],
        }


def rescore(
    folder: Path,
    verifier: Verifier | None = None,
    *,
    role: str = SOLVER,
    watch: Callable[[int, int], None] = lambda done, total: None,
) -> RescoreReport:
    """Return the verdicts of ``verifier`` on what a run has recorded, beside those that it was trained on.

    The run is only read, and may be going on.

    Args:
        folder: The run.
        verifier: Who judges; the run's own verifier, as it is today, when left out.
        role: Whose texts.
        watch: Told how many are done, of how many.

    Raises:
        StoreError: no run there, a damaged one, or one of an older version.
        UsageError: a role that wrote nothing that was judged.
    """
    with RunStore.open(folder, readonly=True) as store:
        judged = read_judged(store)
        environment = store.config.get("environment")
    texts = [text for text in judged if text.role == role]
    if not texts:
        known = {text.role for text in judged}
        raise UsageError(f"{folder}: nothing of role '{role}' was judged.{did_you_mean(role, known)}")
    if verifier is None:
        domain = make_domain(environment, where=f"{folder}: environment")
        verifier = domain.gate if role == PROPOSER else domain.judge
    rows = []
    for row in _rescored(verifier, texts):
        rows.append(row)
        watch(len(rows), len(texts))
    return RescoreReport(folder.name, role, verifier.id, rows)


def _rescored(verifier: Verifier, texts: Sequence[JudgedText]) -> Iterator[Rescored]:
    cases = ((replace(text.task, verifier=verifier.name), text.text) for text in texts)
    for text, found in zip(texts, check_each(verifier, cases), strict=True):
        if isinstance(found, TaskError):
            yield Rescored(text, None, str(found))
        else:
            yield Rescored(text, found)
