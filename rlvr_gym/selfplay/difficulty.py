"""How hard a proposed task is worth asking: rules from a solve rate to [0, 1]."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeAlias

from rlvr_gym.registry import Registry

Rule: TypeAlias = Callable[[int, int], float]
"""``rule(solved, tried)`` with ``tried >= 1``; returns a value in [0, 1]."""


@dataclass(frozen=True, slots=True)
class Difficulty:
    """A rule with its declared values where nobody and where everybody solves the task."""

    rule: Rule
    at_zero: float
    """Value at a solve rate of 0, for 8 attempts."""
    at_one: float
    """Value at a solve rate of 1."""

    def __call__(self, solved: int, tried: int) -> float:
        """Return the value for ``solved`` of ``tried`` attempts."""
        if not 0 <= solved <= tried or tried == 0:
            raise ValueError(f"{solved} solved of {tried} tried")
        return self.rule(solved, tried)


DIFFICULTIES: Registry[Difficulty] = Registry("difficulty", "rlvr_gym.selfplay")


def difficulty(name: str, *, at_zero: float, at_one: float, paper: str = "") -> Callable[[Rule], Rule]:
    """Register the decorated rule with its declared end values."""

    def decorate(rule: Rule) -> Rule:
        DIFFICULTIES.add(
            name,
            Difficulty(rule, at_zero, at_one),
            paper=paper,
            summary=(rule.__doc__ or "").strip().partition("\n")[0],
        )
        return rule

    return decorate


@difficulty("one_minus_solved", at_zero=1.0, at_one=0.0, paper="arXiv:2605.06660")
def one_minus_solved(solved: int, tried: int) -> float:
    """1 - p: VHG's published rule; pays most for what nobody solves, so it can reward the unsolvable."""
    return 1.0 - solved / tried


@difficulty("solvable_hard", at_zero=0.0, at_one=0.0)
def solvable_hard(solved: int, tried: int) -> float:
    """(1 - p) if p > 0 else 0: hard, but solved at least once."""
    return 1.0 - solved / tried if solved else 0.0


@difficulty("learnability", at_zero=0.0, at_one=0.0)
def learnability(solved: int, tried: int) -> float:
    """4 p (1 - p): most where half of the attempts succeed."""
    p = solved / tried
    return 4.0 * p * (1.0 - p)


@difficulty("min_side", at_zero=0.0, at_one=0.0, paper="arXiv:2508.05004")
def min_side(solved: int, tried: int) -> float:
    """2 min(p, 1 - p): R-Zero's released rule, scaled to 1 at one half."""
    p = solved / tried
    return 2.0 * min(p, 1.0 - p)


@difficulty("band", at_zero=0.0, at_one=0.0, paper="arXiv:2604.27644")
def band(solved: int, tried: int) -> float:
    """1 if exactly one attempt succeeds: ANCORA's Band-1-of-K; a single attempt is no band."""
    return float(solved == 1 and tried > 1)


@difficulty("maximum_likelihood", at_zero=1.0 - math.exp(-8), at_one=0.0, paper="arXiv:2604.27644")
def maximum_likelihood(solved: int, tried: int) -> float:
    """e^(-K p) - e^(-K): largest at p = 0, so safe only behind an admission that wants one solve."""
    return math.exp(-solved) - math.exp(-tried)


@difficulty("gaussian", at_zero=math.exp(-2.0), at_one=math.exp(-2.0))
def gaussian(solved: int, tried: int) -> float:
    """exp(-(p - 1/2)^2 / (2 * 0.25^2)): a bell around one half (the width is our reconstruction)."""
    p = solved / tried
    return math.exp(-((p - 0.5) ** 2) / (2 * 0.25**2))
