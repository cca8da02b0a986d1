"""Remainders of polynomial division."""

from __future__ import annotations

from rlvr_gym.envs.math_problems.base import Problem, Rng, between, math_problem, nonzero
from rlvr_gym.envs.math_problems.exact import remainder
from rlvr_gym.envs.math_problems.latex import polynomial


@math_problem("polynomial_remainders")
def polynomial_remainders(rng: Rng, level: int) -> Problem:
    """Division by a linear divisor at level 1, by a quadratic one above; the degree grows."""
    divisor = [nonzero(rng, 4), 1] if level == 1 else [nonzero(rng, 2 + level), nonzero(rng, 4), 1]
    size = 4 + 2 * level
    dividend = [between(rng, -size, size) for _ in range(level + 1)] + [nonzero(rng, 1 + level)]
    # Long division: a product and a difference for every term of the quotient and of the divisor but its first.
    steps = 2 * (len(divisor) - 1) * (len(dividend) - len(divisor) + 1)
    question = f"What is the remainder when the polynomial ${polynomial(dividend)}$ is divided by ${polynomial(divisor)}$?"
    return Problem(question, polynomial(remainder(dividend, divisor)), steps)
