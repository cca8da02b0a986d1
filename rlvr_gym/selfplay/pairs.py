"""Verified pairs of a specification and a solution, kept to be imitated."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from rlvr_gym.agents import Demonstration, Domain
from rlvr_gym.selfplay.credit import Credit
from rlvr_gym.selfplay.loops.base import Plan
from rlvr_gym.selfplay.protocols import PROPOSER, SOLVER
from rlvr_gym.types import Estimate, Json, Task


@dataclass(frozen=True, slots=True)
class Pair:
    """A specification that the gate passed with a solution that the verifier passed."""

    task: Task
    solution: str
    parent: Task | None = None
    """What the specification was proposed from; None for one that nobody proposed."""
    written: str = ""
    """What its proposer wrote."""

    def to_dict(self) -> dict[str, Json]:
        """Return the pair as JSON values."""
        return {
            "task": self.task.to_dict(),
            "solution": self.solution,
            "parent": None if self.parent is None else self.parent.to_dict(),
            "written": self.written,
        }

    @classmethod
    def from_dict(cls, row: Any) -> Pair:
        """Read what ``to_dict`` wrote."""
        parent = None if row["parent"] is None else Task.from_dict(row["parent"])
        return cls(Task.from_dict(row["task"]), row["solution"], parent, row["written"])


@dataclass(slots=True)
class Pairs:
    """At most one pair for each specification, the youngest last.

    A policy that imitates whatever it solved drifts to easy specifications with one favourite answer, and drops what
    it was asked before. So specifications that every attempt solved are left out, and an answer is kept only so often.

    Args:
        capacity: How many pairs are kept; the oldest leave first.
        per_answer: How many of them may have the same solution; the oldest leave first.
        informative: Leave out specifications that all attempts solved, where there was more than one.
    """

    capacity: int = 512
    per_answer: int = 8
    informative: bool = True
    kept: dict[str, Pair] = field(default_factory=dict)
    """Canonical form -> pair."""

    def take(self, plan: Plan, credit: Credit, domain: Domain) -> None:
        """Take the verified pairs of a step, those of proposals and those of practice."""
        parents = {parent.id: parent for setup in plan.setups for parent in setup.parents}
        for judged in credit.proposals:
            solution = next((text for text, verdict in judged.attempts if verdict.passed), None)
            task, form = judged.proposal.task, judged.form
            if solution is None or task is None or form is None or not judged.proposal.valid:
                continue
            if self._wanted(judged.estimate):
                self.add(form, Pair(task, solution, parents[judged.parent], judged.text))
        practised = {setup.work: setup.task for setup in plan.setups if setup.task is not None}
        for group in credit.groups:
            posed = practised.get(group.key.key)
            passed = (t.text for t, r in zip(group.members, group.rewards, strict=True) if r == 1.0)
            text = next(passed, None)
            if posed is not None and text is not None and self._wanted(credit.estimates.get(posed.id)):
                self.add(domain.form(posed), Pair(posed, text))

    def _wanted(self, estimate: Estimate | None) -> bool:
        if estimate is None:
            return False
        return not self.informative or estimate.tried < 2 or estimate.solved < estimate.tried

    def add(self, form: str, pair: Pair) -> None:
        """Add a pair, in place of an older one of the same specification."""
        self.kept.pop(form, None)
        self.kept[form] = pair
        same = [f for f, other in self.kept.items() if other.solution.strip() == pair.solution.strip()]
        for old in same[: max(0, len(same) - self.per_answer)]:
            del self.kept[old]
        if len(self.kept) > self.capacity:
            del self.kept[next(iter(self.kept))]

    def demonstrations(self, domain: Domain) -> tuple[Demonstration, ...]:
        """Return what solver and proposer may imitate: the solutions, and the specifications behind their parents."""
        found = []
        for pair in self.kept.values():
            found.append(Demonstration(SOLVER, domain.solver_view(pair.task), pair.solution))
            if pair.parent is not None:
                found.append(Demonstration(PROPOSER, domain.proposer_view(pair.parent), pair.written))
        return tuple(found)

    def state(self) -> Json:
        """Return all pairs as JSON values, in order."""
        return [[form, pair.to_dict()] for form, pair in self.kept.items()]

    def load(self, state: Json) -> None:
        """Restore what ``state`` returned."""
        self.kept = {form: Pair.from_dict(row) for form, row in state}
