"""Every task ever proposed, by what it asks rather than by how it is written."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np

from rlvr_gym.types import Estimate, Json, Task


@dataclass(slots=True)
class Kept:
    """An admitted task with what is known of it."""

    task: Task
    copies: int = 1
    """How often it was proposed, the first time included."""
    tried: int = 0
    solved: int = 0
    masked: int = 0
    seen: int = 0
    """Step of the last visit."""
    trained: int = 0
    """How many updates used it."""

    @property
    def rate(self) -> float | None:
        """Solve rate of the last visit's attempts and those before, None if never decided."""
        return self.solved / self.tried if self.tried else None


@dataclass(slots=True)
class Archive:
    """Admitted tasks by their canonical form, and the pool that solver phases draw from.

    Args:
        capacity: How many tasks the pool keeps; past it the least useful leaves. Canonical forms are never
            forgotten, so a dropped task cannot come back as new.
        discount: Factor on old counts at each visit, so that the rate follows the policy.
    """

    capacity: int = 4096
    discount: float = 0.5
    kept: dict[str, Kept] = field(default_factory=dict)
    """Canonical form -> task, in the order of admission."""
    forms: dict[str, int] = field(default_factory=dict)
    """Canonical form -> how often it was proposed."""

    def copies(self, form: str) -> int:
        """Return how often ``form`` was proposed before."""
        return self.forms.get(form, 0)

    def propose(self, form: str) -> None:
        """Count one more proposal of ``form``."""
        self.forms[form] = self.forms.get(form, 0) + 1

    def admit(self, form: str, task: Task, estimate: Estimate, step: int) -> None:
        """Add a task, or fold a new visit into what is known of it."""
        if form in self.kept:
            self.visit(form, estimate, step)
            return
        self.kept[form] = Kept(
            task, tried=estimate.tried, solved=estimate.solved, masked=estimate.masked, seen=step
        )
        if len(self.kept) > self.capacity:
            # The least informative leaves; ties leave in the order of admission.
            worst = min(self.kept, key=lambda f: (self._use(self.kept[f]), self.kept[f].seen))
            del self.kept[worst]

    def visit(self, form: str, estimate: Estimate, step: int) -> None:
        """Fold new attempts at a kept task; old counts fade, masked attempts only add to their own count."""
        item = self.kept[form]
        if estimate.tried:
            item.tried = round(self.discount * item.tried) + estimate.tried
            item.solved = min(item.tried, round(self.discount * item.solved) + estimate.solved)
        item.masked += estimate.masked
        item.seen = step

    @staticmethod
    def _use(item: Kept) -> float:
        p = item.rate
        return 0.0 if p is None else p * (1.0 - p)

    def draw(self, rng: np.random.Generator, number: int, step: int) -> list[tuple[str, Task]]:
        """Return up to ``number`` distinct tasks with 0 < p < 1, those near one half and long unseen first.

        Weights are p(1-p) plus a tenth of the relative staleness; drawing is without replacement.
        """
        forms = [f for f, item in self.kept.items() if self._use(item) > 0.0]
        if not forms:
            return []
        use = np.array([self._use(self.kept[f]) for f in forms])
        age = np.array([step - self.kept[f].seen for f in forms], dtype=float)
        weight = use / use.sum() + 0.1 * (age + 1.0) / (age + 1.0).sum()
        picks = rng.choice(len(forms), size=min(number, len(forms)), replace=False, p=weight / weight.sum())
        return [(forms[i], self.kept[forms[i]].task) for i in picks]

    def state(self) -> Json:
        """Return everything as JSON values."""
        return {
            "forms": self.forms,
            "kept": {
                form: {**{k: v for k, v in asdict(item).items() if k != "task"}, "task": item.task.to_dict()}
                for form, item in self.kept.items()
            },
        }

    def load(self, state: Json) -> None:
        """Restore what ``state`` returned."""
        self.forms = dict(state["forms"])
        self.kept = {form: _kept(row) for form, row in state["kept"].items()}


def _kept(row: dict[str, Any]) -> Kept:
    return Kept(**{**row, "task": Task.from_dict(row["task"])})
