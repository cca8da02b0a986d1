"""Sums, differences, products and quotients of fractions."""

from __future__ import annotations

from fractions import Fraction

from rlvr_gym.envs.math_problems.base import Problem, Rng, between, math_problem
from rlvr_gym.envs.math_problems.latex import number

_SIGNS = {"+": "+", "-": "-", "*": "\\times", "/": "\\div"}


@math_problem("fractions")
def fractions(rng: Rng, level: int) -> Problem:
    """Arithmetic with fractions; the level is the number of operations."""
    largest = 4 + 2 * level
    value = _fraction(rng, largest)
    text = number(value)
    for step in range(level):
        operator = "+-*/"[between(rng, 0, 1 if level == 1 else 3)]
        other = _fraction(rng, largest)
        if operator in "*/" and step:
            text = f"\\left({text}\\right)"
        text = f"{text} {_SIGNS[operator]} {number(other)}"
        value = _applied(operator, value, other)
    return Problem(f"Write ${text}$ as one fraction in lowest terms.", number(value), level)


def _fraction(rng: Rng, largest: int) -> Fraction:
    while True:
        value = Fraction(between(rng, 1, largest), between(rng, 2, largest))
        if value.denominator > 1:
            return value


def _applied(operator: str, left: Fraction, right: Fraction) -> Fraction:
    if operator == "+":
        return left + right
    if operator == "-":
        return left - right
    return left * right if operator == "*" else left / right
