"""Percentages of amounts, and amounts that change by percentages one after the other."""

from __future__ import annotations

from fractions import Fraction

from rlvr_gym.envs.math_problems.base import Problem, Rng, between, math_problem
from rlvr_gym.envs.math_problems.latex import decimal

_ORDER = ("first", "then", "after that", "finally")


@math_problem("percentages")
def percentages(rng: Rng, level: int) -> Problem:
    """Percentages; from level 2 on, one change fewer than the level."""
    amount = 20 * between(rng, 2, 20 * level)
    if level == 1:
        share = 5 * between(rng, 1, 19)
        return Problem(f"What is {share}% of {amount}?", decimal(Fraction(share * amount, 100)), 1)
    value = Fraction(amount)
    changes = []
    for step in range(level - 1):
        share = 5 * between(rng, 1, 12)
        up = rng.random() < 0.5
        changes.append(f"{_ORDER[step]} {'rises' if up else 'falls'} by {share}%")
        value *= Fraction(100 + (share if up else -share), 100)
    told = " and ".join(changes) if len(changes) < 3 else ", ".join(changes)
    question = f"A price of {amount} {told}. What is the price now? Give it exactly, as a decimal number."
    if level == 2:
        question = question.replace(" first ", " ")
    return Problem(question, decimal(value), 2 * len(changes))
