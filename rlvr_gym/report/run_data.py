"""What the page of a run shows, as plain data: the contract between loops that record and pages that read.

**Metrics.** A loop records one flat row of numbers per step, in groups by name. The page knows those of
``panels.py``: ``heldout/accuracy`` with its interval ``heldout/low`` and ``heldout/high``, the solver's and the
proposer's figures of ``selfplay/health.py``, and per role ``R/kl``, ``R/loss`` and ``R/zero_advantage_share``. What
is counted by a label of the tasks is ``LABEL/VALUE/FIGURE``, such as ``hops/3/solve_rate``. Any other number that
changes is charted too, under its own name.

**Events.** ``evaluated`` holds ``heldout`` and ``valid``, each ``{mean, low, high}`` or none; ``heldout`` may hold
``strata``, a list of ``{name, value, num_tasks, accuracy}``. ``proposed`` holds the step's proposals, rows as
``selfplay/pages.py`` makes them, each optionally with ``attempts``, a list of ``{text, status, reason}``, and with
``drawing``, the part of a knowledge graph as ``graphs/drawing.py`` makes it. ``judged`` is a verdict, with the keys of its trajectory and of its task, which ``posed``
holds. ``alarm`` holds ``detector`` and ``message``, ``rollback`` holds ``to`` and ``reason``.

**State.** A checkpoint's state may hold ``curriculum.nodes``, a list as ``selfplay/dag.py`` makes it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from rlvr_gym.types import Json


@dataclass(frozen=True, slots=True)
class Attempt:
    """One attempt at a proposed problem."""

    text: str
    status: str
    reason: str


@dataclass(frozen=True, slots=True)
class Drawing:
    """The part of a knowledge graph that a question is about."""

    nodes: tuple[tuple[str, str], ...]
    """Label and kind: ``start``, ``middle``, ``answer`` or ``other``."""
    edges: tuple[tuple[int, int, str, str], ...]
    """Places of two nodes, label, and kind: ``path`` or ``other``."""
    width: int | None = None
    """Characters of a node where answers are chains of codes; None where answers are words."""


@dataclass(frozen=True, slots=True)
class Sample:
    """One proposal with the gate's verdict and what solvers made of it."""

    step: int
    text: str
    status: str
    reason: str
    shelf: str = ""
    solved: int = 0
    tried: int = 0
    attempts: tuple[Attempt, ...] = ()
    drawing: Drawing | None = None


@dataclass(frozen=True, slots=True)
class Measured:
    """Held-out accuracy on the tasks that share one label, at one step."""

    step: int
    name: str
    """Of the label, such as ``hops``."""
    value: str
    mean: float
    low: float
    high: float
    tasks: int


@dataclass(frozen=True, slots=True)
class Alarm:
    """An alarm or an action on the time axis."""

    step: int
    kind: str
    name: str
    message: str


@dataclass(frozen=True, slots=True)
class GraphNode:
    """A task of a curriculum that grows."""

    text: str
    parent: int | None
    """Place of the task that it was proposed from first, None for a root."""
    depth: int
    visits: float
    """How often it was a parent, discounted."""
    rate: float | None
    """Solve rate of the last visits, None if it was never attempted."""
    retired: bool = False


@dataclass(frozen=True, slots=True)
class RunData:
    """Everything that one page shows."""

    title: str
    facts: Mapping[str, str] = field(default_factory=dict)
    """Short things about the run, such as its seed."""
    rows: Sequence[Mapping[str, Any]] = ()
    """Metrics with their ``step``, in the order of the steps."""
    strata: Sequence[Measured] = ()
    """Held-out accuracy by label, in the order of the steps."""
    samples: Sequence[Sample] = ()
    alarms: Sequence[Alarm] = ()
    statuses: Mapping[str, int] = field(default_factory=dict)
    """Verdict status -> how many."""
    reasons: Mapping[str, int] = field(default_factory=dict)
    """Why proposals were refused -> how many."""
    rates: Sequence[float] = ()
    """Solve rates of the proposals that were attempted."""
    accounting: Sequence[Mapping[str, Json]] = ()
    """One row per step range and role of the ledger's accounts."""
    graph: Sequence[GraphNode] = ()
    """The curriculum's tasks, parents before their children."""
    config: Mapping[str, Json] = field(default_factory=dict)

    def series(self, name: str) -> tuple[list[float], list[float]]:
        """Return steps and values of one metric, rows without a number left out."""
        points = [(row["step"], row[name]) for row in self.rows if _is_number(row.get(name))]
        return [float(step) for step, _ in points], [float(value) for _, value in points]

    def names(self) -> list[str]:
        """Return the names of all metrics that hold a number somewhere, in the order of appearance."""
        found = dict.fromkeys(name for row in self.rows for name, value in row.items() if _is_number(value))
        return [name for name in found if name != "step"]


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
