"""Equations of the first degree in one unknown."""

from __future__ import annotations

from fractions import Fraction

from rlvr_gym.envs.math_problems.base import Problem, Rng, between, math_problem, nonzero
from rlvr_gym.envs.math_problems.latex import number, polynomial

_STEPS = (2, 3, 4, 9, 13)
"""Collecting both sides and dividing; reducing a fraction; opening two brackets; clearing three quotients."""


@math_problem("linear_equations")
def linear_equations(rng: Rng, level: int) -> Problem:
    """Linear equations: one side, both sides, any solution, brackets, fractions."""
    while True:
        left, right = (_whole_solution, _whole_solution, _any, _brackets, _quotients)[level - 1](rng, level)
        a, b = left[1][1] - right[1][1], right[1][0] - left[1][0]
        if a != 0:
            return Problem(f"Solve ${left[0]} = {right[0]}$ for $x$.", number(b / a), _STEPS[level - 1])


Side = tuple[str, tuple[Fraction, Fraction]]
"""One side as text, with its constant and its factor of x."""


def _plain(constant: int, factor: int) -> Side:
    return polynomial([constant, factor]), (Fraction(constant), Fraction(factor))


def _whole_solution(rng: Rng, level: int) -> tuple[Side, Side]:
    solution, a, b = nonzero(rng, 6 + 6 * level), nonzero(rng, 9), nonzero(rng, 20)
    c = nonzero(rng, 9) if level > 1 else 0
    return _plain(b, a), _plain(b + (a - c) * solution, c)


def _any(rng: Rng, level: int) -> tuple[Side, Side]:
    return _plain(nonzero(rng, 60), nonzero(rng, 19)), _plain(nonzero(rng, 60), nonzero(rng, 19))


def _brackets(rng: Rng, level: int) -> tuple[Side, Side]:
    return _bracket(rng), _bracket(rng)


def _bracket(rng: Rng) -> Side:
    outer, a, b, c = between(rng, 2, 9), nonzero(rng, 9), nonzero(rng, 20), nonzero(rng, 60)
    sign = "+" if c > 0 else "-"
    text = f"{outer}({polynomial([b, a])}) {sign} {abs(c)}"
    return text, (Fraction(outer * b + c), Fraction(outer * a))


def _quotients(rng: Rng, level: int) -> tuple[Side, Side]:
    first, second, third = _quotient(rng), _quotient(rng), _quotient(rng)
    joined = tuple(a + b for a, b in zip(first[1], second[1], strict=True))
    return (f"{first[0]} + {second[0]}", (joined[0], joined[1])), third


def _quotient(rng: Rng) -> Side:
    a, b, divisor = nonzero(rng, 9), nonzero(rng, 20), between(rng, 2, 12)
    text = f"\\frac{{{polynomial([b, a])}}}{{{divisor}}}"
    return text, (Fraction(b, divisor), Fraction(a, divisor))
