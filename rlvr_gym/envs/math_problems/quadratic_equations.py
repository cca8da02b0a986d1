"""Quadratic equations with two real solutions."""

from __future__ import annotations

from fractions import Fraction
from math import isqrt

from rlvr_gym.envs.math_problems.base import Problem, Rng, between, distinct, math_problem, nonzero
from rlvr_gym.envs.math_problems.exact import times
from rlvr_gym.envs.math_problems.latex import listed, number, polynomial, root, total

_STEPS = (8, 11, 12, 14, 14)
"""The formula; dividing by the factor first; the factor and reduced fractions; simplifying the root as well."""


@math_problem("quadratic_equations")
def quadratic_equations(rng: Rng, level: int) -> Problem:
    """Whole solutions, a factor in front, fractions, surds, surds of larger numbers."""
    coefficients, roots = _rational(rng, level) if level <= 3 else _surds(rng, level)
    question = f"Find all real solutions of ${polynomial(coefficients)} = 0$. Give them as a set."
    return Problem(question, listed(roots), _STEPS[level - 1])


def _rational(rng: Rng, level: int) -> tuple[list[Fraction], list[str]]:
    low, high = distinct(rng, -4 - 3 * level, 4 + 3 * level, 2)
    if level == 3:
        roots = sorted({Fraction(low, between(rng, 2, 5)), Fraction(high, between(rng, 2, 5))})
        if len(roots) == 1:
            return _rational(rng, level)
    else:
        roots = [Fraction(low), Fraction(high)]
    factors = [[Fraction(-each.numerator), Fraction(each.denominator)] for each in roots]
    scale = between(rng, 2, 6) if level == 2 else 1
    return [scale * each for each in times(*factors)], [number(each) for each in roots]


def _surds(rng: Rng, level: int) -> tuple[list[Fraction], list[str]]:
    most = 8 if level == 4 else 14
    while True:
        a = between(rng, 2, most // 2)
        b, c = nonzero(rng, most), nonzero(rng, most)
        square = b * b - 4 * a * c
        if square > 0 and isqrt(square) ** 2 != square:
            break
    middle = Fraction(-b, 2 * a)
    roots = [total([(middle, ""), root(Fraction(sign, 2 * a), square)]) for sign in (-1, 1)]
    return [Fraction(c), Fraction(b), Fraction(a)], roots
