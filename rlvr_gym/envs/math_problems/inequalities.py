"""Inequalities whose solutions are intervals and unions of intervals."""

from __future__ import annotations

from fractions import Fraction

from rlvr_gym.envs.math_problems.base import Problem, Rng, between, distinct, math_problem, nonzero
from rlvr_gym.envs.math_problems.exact import times
from rlvr_gym.envs.math_problems.latex import number, polynomial

_LESS = {False: "<", True: "\\le"}
_MORE = {False: ">", True: "\\ge"}


@math_problem("inequalities")
def inequalities(rng: Rng, level: int) -> Problem:
    """Linear, linear on both sides, quadratic with whole roots, with a fraction, a quotient."""
    return (_linear, _both_sides, _whole, _fraction, _quotient)[level - 1](rng)


def _asked(inequality: str, answer: str, steps: int) -> Problem:
    return Problem(
        f"Solve ${inequality}$ for real $x$. Give the solution set in interval notation.", answer, steps
    )


def _below(end: int | Fraction, closed: bool) -> str:
    return f"(-\\infty, {number(end)}{']' if closed else ')'}"


def _above(end: int | Fraction, closed: bool) -> str:
    return f"{'[' if closed else '('}{number(end)}, \\infty)"


def _linear(rng: Rng) -> Problem:
    a, b, end, closed = between(rng, 2, 9), nonzero(rng, 20), nonzero(rng, 12), rng.random() < 0.5
    left, right = polynomial([b, a]), a * end + b
    if rng.random() < 0.5:
        return _asked(f"{left} {_LESS[closed]} {right}", _below(end, closed), 2)
    return _asked(f"{left} {_MORE[closed]} {right}", _above(end, closed), 2)


def _both_sides(rng: Rng) -> Problem:
    closed = rng.random() < 0.5
    a = c = nonzero(rng, 12)
    while a == c:
        c = nonzero(rng, 12)
    b, d = nonzero(rng, 40), nonzero(rng, 40)
    end = Fraction(d - b, a - c)
    answer = _below(end, closed) if a > c else _above(end, closed)
    return _asked(f"{polynomial([b, a])} {_LESS[closed]} {polynomial([d, c])}", answer, 4)


def _whole(rng: Rng) -> Problem:
    low, high = distinct(rng, -12, 12, 2)
    return _quadratic(rng, Fraction(low), Fraction(high), steps=8)


def _fraction(rng: Rng) -> Problem:
    while True:
        one, other = Fraction(nonzero(rng, 12), between(rng, 2, 4)), Fraction(nonzero(rng, 12))
        if one.denominator > 1:
            return _quadratic(rng, min(one, other), max(one, other), steps=11)


def _quadratic(rng: Rng, low: Fraction, high: Fraction, *, steps: int) -> Problem:
    """Return an inequality that holds between the roots, or one that holds outside them."""
    text = polynomial(times(*([-each.numerator, each.denominator] for each in (low, high))))
    closed = rng.random() < 0.5
    if rng.random() < 0.5:
        ends = "[]" if closed else "()"
        return _asked(f"{text} {_LESS[closed]} 0", f"{ends[0]}{number(low)}, {number(high)}{ends[1]}", steps)
    return _asked(f"{text} {_MORE[closed]} 0", f"{_below(low, closed)} \\cup {_above(high, closed)}", steps)


def _quotient(rng: Rng) -> Problem:
    """(x - a)(x - b) / (x - c): positive between its first two signs and above the last; c is never a solution."""
    points = distinct(rng, -12, 12, 3)
    pole = between(rng, 0, 2)
    top = times(*([-each, 1] for index, each in enumerate(points) if index != pole))
    closed = rng.random() < 0.5
    left, middle, right = (closed and index != pole for index in range(3))
    between_text = f"{'[' if left else '('}{points[0]}, {points[1]}{']' if middle else ')'}"
    fraction = f"\\frac{{{polynomial(top)}}}{{{polynomial([-points[pole], 1])}}}"
    return _asked(f"{fraction} {_MORE[closed]} 0", f"{between_text} \\cup {_above(points[2], right)}", 13)
