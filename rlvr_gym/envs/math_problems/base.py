"""What a family of problems is, and how one is registered."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from rlvr_gym.registry import Registry

Rng: TypeAlias = np.random.Generator

LEVELS = 5
"""Levels of every family: 1 is the easiest."""


@dataclass(frozen=True, slots=True)
class Problem:
    """A question in words and LaTeX, and its answer as the ``math`` verifier reads a reference."""

    question: str
    answer: str
    steps: int
    """Arithmetic operations that a solution by hand takes. They never fall from level to level."""


Draw: TypeAlias = Callable[[Rng, int], Problem]
"""``draw(rng, level)``: a problem of this level from ``rng`` and nothing else."""

MATH_PROBLEMS: Registry[Draw] = Registry("math_problem", "rlvr_gym.envs.math_problems")
"""Families of problems by name; a new family is a new file."""


def math_problem(name: str) -> Callable[[Draw], Draw]:
    """Register the decorated function as a family."""

    def decorate(draw: Draw) -> Draw:
        return MATH_PROBLEMS.add(name, draw)

    return decorate


def between(rng: Rng, low: int, high: int) -> int:
    """Return an integer from ``low`` to ``high``, both included."""
    return int(rng.integers(low, high + 1))


def nonzero(rng: Rng, most: int) -> int:
    """Return an integer of size 1 to ``most`` with either sign."""
    return between(rng, 1, most) * (1 if rng.random() < 0.5 else -1)


def distinct(rng: Rng, low: int, high: int, number: int) -> list[int]:
    """Return ``number`` different integers from ``low`` to ``high`` in ascending order."""
    return sorted(int(each) for each in rng.choice(np.arange(low, high + 1), size=number, replace=False))
