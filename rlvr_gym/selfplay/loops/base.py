"""What a self-play loop is to the coordinator."""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeAlias

import numpy as np

from rlvr_gym.agents import Demonstration, Domain
from rlvr_gym.registry import Registry
from rlvr_gym.selfplay.credit import Credit
from rlvr_gym.selfplay.table import Table
from rlvr_gym.types import Episode, Json, Setup

Play: TypeAlias = Callable[[Setup, Table], Coroutine[Any, Any, None]]


@dataclass(frozen=True, slots=True)
class Lesson:
    """Texts to imitate, with how long."""

    demonstrations: tuple[Demonstration, ...]
    epochs: int
    """Passes over them."""
    batch_size: int
    lr: float
    """Learning rate, with an optimizer state of its own."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What one step plays and which roles it trains."""

    setups: tuple[Setup, ...]
    train: frozenset[str]
    phase: str = "joint"
    freeze: bool = False
    """Whether the solver plays from the snapshot taken when the phase began."""
    lesson: Lesson | None = None
    """What the policies imitate before anything is played."""


class Loop(Protocol):
    """Decides which episodes exist and what they earn; holds no tensors and reads no clock."""

    @property
    def roles(self) -> tuple[str, ...]:
        """The roles that this loop's episodes have."""
        ...

    def plan(self, step: int, rng: np.random.Generator, work: Callable[[int], str]) -> Plan:
        """Return the plan of a step: a function of the folded state, the step and ``rng`` alone."""
        ...

    def play(self, setup: Setup) -> Play:
        """Return the protocol that plays ``setup``."""
        ...

    def credit(self, plan: Plan, episodes: Sequence[Episode]) -> Credit:
        """Return groups with rewards."""
        ...

    def fold(self, step: int, plan: Plan, credit: Credit) -> None:
        """Take a committed step into the state."""
        ...

    def health(self, plan: Plan, credit: Credit) -> Mapping[str, float]:
        """Return the figures that pages and detectors read."""
        ...

    def state(self) -> Json:
        """Return the folded state as JSON values."""
        ...

    def load(self, state: Json) -> None:
        """Restore what ``state`` returned."""
        ...


LOOPS: Registry[Callable[[Any, Domain], Loop]] = Registry("loop", "rlvr_gym.selfplay.loops")
"""Factories ``factory(config, domain) -> Loop``."""
