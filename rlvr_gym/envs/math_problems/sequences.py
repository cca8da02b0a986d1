"""Sequences and their sums."""

from __future__ import annotations

from fractions import Fraction

from rlvr_gym.envs.math_problems.base import Problem, Rng, between, math_problem, nonzero
from rlvr_gym.envs.math_problems.latex import number, total


@math_problem("sequences")
def sequences(rng: Rng, level: int) -> Problem:
    """A term and a sum of an arithmetic sequence, a geometric sum, recurrences of order one and two."""
    return (_arithmetic_term, _arithmetic_sum, _geometric_sum, _first_order, _second_order)[level - 1](rng)


def _arithmetic_term(rng: Rng) -> Problem:
    start, step, n = nonzero(rng, 20), nonzero(rng, 9), between(rng, 8, 40)
    shown = ", ".join(str(start + step * k) for k in range(4))
    return Problem(
        f"What is term number {n} of the arithmetic sequence {shown}, ...?", str(start + step * (n - 1)), 4
    )


def _arithmetic_sum(rng: Rng) -> Problem:
    start, step, n = nonzero(rng, 20), nonzero(rng, 9), between(rng, 8, 40)
    shown = ", ".join(str(start + step * k) for k in range(4))
    value = n * start + step * n * (n - 1) // 2
    return Problem(
        f"What is the sum of the first {n} terms of the arithmetic sequence {shown}, ...?", str(value), 7
    )


def _geometric_sum(rng: Rng) -> Problem:
    start, ratio, n = nonzero(rng, 12), Fraction(nonzero(rng, 4), between(rng, 2, 4)), between(rng, 5, 6)
    if ratio.denominator == 1:
        ratio += Fraction(1, 2)
    terms = [start * ratio**k for k in range(n)]
    return Problem(
        f"What is the sum of the first {n} terms of the geometric sequence that starts with "
        f"${number(terms[0])}$ and has the ratio ${number(ratio)}$?",
        number(sum(terms, Fraction(0))),
        2 * (n - 1),
    )


def _first_order(rng: Rng) -> Problem:
    start, factor, added, n = nonzero(rng, 6), nonzero(rng, 4), nonzero(rng, 9), between(rng, 6, 8)
    value = start
    for _ in range(n - 1):
        value = factor * value + added
    rule = total([(factor, "a_n"), (added, "")])
    return Problem(
        f"A sequence has $a_1 = {start}$ and $a_{{n+1}} = {rule}$. What is $a_{n}$?", str(value), 2 * (n - 1)
    )


def _second_order(rng: Rng) -> Problem:
    first, second, p, q, added = (nonzero(rng, 4) for _ in range(5))
    n = between(rng, 7, 9)
    values = [first, second]
    while len(values) < n:
        values.append(p * values[-1] + q * values[-2] + added)
    rule = total([(p, "a_{n+1}"), (q, "a_n"), (added, "")])
    return Problem(
        f"A sequence has $a_1 = {first}$, $a_2 = {second}$ and $a_{{n+2}} = {rule}$. What is $a_{n}$?",
        str(values[-1]),
        4 * (n - 2),
    )
