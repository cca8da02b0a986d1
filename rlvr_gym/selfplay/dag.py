"""A growing graph of tasks: who was proposed from whom, how often each was tried, and what came of it."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from rlvr_gym.types import Json, Task

OPTIMISM = 1.0
"""Value of a root that was never a parent: the most that a reward can be, so that every root has its turn."""
FADING = 0.5
"""Weight of what a parent earns in the statistics of its own parents, and so on upwards."""
RECENT = 3
"""Visits that the solve rate of a task is taken from."""
_LEAST_WEIGHT = 1e-3
"""Ancestors that would get less are left out."""


@dataclass(slots=True)
class Node:
    """A task that proposals may start from."""

    task: Task
    form: str
    """Canonical form."""
    parents: list[str]
    """Ids of the tasks that it was proposed from; none for a root."""
    depth: int
    step: int
    """Of its admission."""
    distance: float = 0.0
    """1 - similarity to its first parent."""
    visits: float = 0.0
    """Discounted number of times that it was a parent, those of its descendants included, faded."""
    earned: float = 0.0
    """Discounted sum of what those visits earned."""
    recent: list[list[int]] = field(default_factory=list)
    """``[tried, solved]`` of the last visits of a solver."""
    tried: int = 0
    solved: int = 0
    copies: int = 1
    """How often it was proposed, the first time included."""
    retired: bool = False

    @property
    def root(self) -> bool:
        """Whether it was there from the start."""
        return not self.parents

    @property
    def rate(self) -> float | None:
        """Solve rate of the last visits, None if it was never attempted."""
        tried = sum(t for t, _ in self.recent)
        return sum(s for _, s in self.recent) / tried if tried else None

    def attempt(self, tried: int, solved: int) -> None:
        """Fold in a solver's visit; one without a decided attempt says nothing."""
        if tried:
            self.recent = [*self.recent, [tried, solved]][-RECENT:]
            self.tried += tried
            self.solved += solved


class Dag:
    """Tasks by id, in the order of their admission: an edge always leads from an older task to a younger one.

    Args:
        slack: How much the value of a child that was never a parent lies below its parent's, per unit of distance.
    """

    def __init__(self, slack: float) -> None:
        self._slack = slack
        self.nodes: dict[str, Node] = {}
        self.forms: dict[str, str] = {}
        """Canonical form -> id."""
        self._children: dict[str, list[str]] = {}

    def add(self, node: Node) -> None:
        """Add a task whose parents are here."""
        self.nodes[node.task.id] = node
        self.forms[node.form] = node.task.id
        for parent in node.parents:
            self._children.setdefault(parent, []).append(node.task.id)

    def adopt(self, child: str, parent: str) -> None:
        """Add an edge that leads from an older task to a younger one, which keeps the graph free of cycles."""
        node = self.nodes[child]
        if parent not in node.parents and self.nodes[parent].step < node.step:
            node.parents.append(parent)
            self._children.setdefault(parent, []).append(child)

    def remove(self, id: str) -> None:
        """Take a task without children out."""
        node = self.nodes.pop(id)
        del self.forms[node.form]
        for parent in node.parents:
            self._children[parent].remove(id)

    def children(self, id: str) -> Sequence[str]:
        """Return the ids of the tasks that were proposed from one, the oldest first."""
        return self._children.get(id, ())

    @property
    def roots(self) -> list[str]:
        """Ids of all roots."""
        return [id for id, node in self.nodes.items() if node.root]

    def value(self, id: str) -> float:
        """Return what a visit earns on average; of a task that was never a parent, what its parents suggest."""
        below, node = 0.0, self.nodes[id]
        while node.visits == 0.0 and not node.root:
            below += self._slack * node.distance
            node = self.nodes[node.parents[0]]
        return (OPTIMISM if node.visits == 0.0 else node.earned / node.visits) - below

    def visit(self, id: str, reward: float) -> None:
        """Count a visit of a parent with what it earned, and a faded one for each of its ancestors."""
        for ancestor, weight in self._above(id):
            node = self.nodes[ancestor]
            node.visits += weight
            node.earned += weight * reward

    def _above(self, id: str) -> Iterator[tuple[str, float]]:
        """Yield a task and its ancestors, each once, with the weight of the shortest way to it."""
        met, level, weight = {id}, [id], 1.0
        while level and weight >= _LEAST_WEIGHT:
            above: dict[str, None] = {}
            for each in level:
                yield each, weight
                above |= dict.fromkeys(p for p in self.nodes[each].parents if p not in met)
            met |= above.keys()
            level, weight = list(above), weight * FADING

    def discount(self, factor: float) -> None:
        """Let all visits fade."""
        for node in self.nodes.values():
            node.visits *= factor
            node.earned *= factor

    def open(self) -> set[str]:
        """Return the tasks that are not retired, and those above them."""
        found: set[str] = set()
        for id, node in reversed(self.nodes.items()):
            if not node.retired or any(child in found for child in self.children(id)):
                found.add(id)
        return found

    def state(self) -> Json:
        """Return all tasks as JSON values."""
        return [_row(node) for node in self.nodes.values()]

    def load(self, rows: Iterable[Any]) -> None:
        """Restore what ``state`` returned."""
        self.nodes, self.forms, self._children = {}, {}, {}
        for row in rows:
            self.add(Node(**{**row, "task": Task.from_dict(row["task"])}))


def _row(node: Node) -> dict[str, Json]:
    names = (name for name in Node.__slots__ if name != "task")
    row = {name: getattr(node, name) for name in names}
    # Copied, since what a caller keeps must not change with the run.
    return row | {
        "task": node.task.to_dict(),
        "parents": list(node.parents),
        "recent": [list(visit) for visit in node.recent],
    }


def score(value: float, visits: float, total: float, exploration: float) -> float:
    """Return value + c sqrt(ln(1 + total) / (1 + visits)): of equal values the one visited least is highest.

    Example:
        >>> score(0.5, 0.0, 8.0, 1.0) > score(0.5, 2.0, 8.0, 1.0)
        True
    """
    return value + exploration * math.sqrt(math.log1p(total) / (1.0 + visits))
