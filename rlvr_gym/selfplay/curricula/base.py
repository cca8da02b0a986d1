"""What a curriculum is: which tasks a step starts from, as a fold over committed steps."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, Protocol

import numpy as np

from rlvr_gym.agents import Domain
from rlvr_gym.registry import Registry
from rlvr_gym.selfplay.credit import Credit
from rlvr_gym.types import Json, Task


class Curriculum(Protocol):
    """Chooses tasks. Its state is a fold of committed steps; it reads no clock and no global random state."""

    def parents(self, rng: np.random.Generator, number: int, step: int) -> Sequence[Task]:
        """Return the tasks that proposals of this step start from."""
        ...

    def practice(self, rng: np.random.Generator, number: int, step: int) -> Sequence[Task]:
        """Return tasks for the solver to train on; fewer than ``number`` when there are no more."""
        ...

    def copies(self, form: str) -> int:
        """Return how often a canonical form was proposed in committed steps."""
        ...

    def forms(self) -> Collection[str]:
        """Return the canonical forms that a new proposal must not be too much like."""
        ...

    def figures(self) -> Mapping[str, float]:
        """Return what pages show of the state, by metric names."""
        ...

    def fold(self, step: int, credit: Credit) -> None:
        """Take a committed step into the state; masked attempts change masked counts only."""
        ...

    def state(self) -> Json:
        """Return the state as JSON values."""
        ...

    def load(self, state: Json) -> None:
        """Restore what ``state`` returned."""
        ...


CURRICULA: Registry[Callable[[Any, Domain], Curriculum]] = Registry(
    "curriculum", "rlvr_gym.selfplay.curricula"
)
"""Factories ``factory(config, domain) -> Curriculum``."""
