"""Equations with logarithms and powers."""

from __future__ import annotations

from fractions import Fraction

from rlvr_gym.envs.math_problems.base import Problem, Rng, between, distinct, math_problem, nonzero
from rlvr_gym.envs.math_problems.latex import number, polynomial

_BASES = (2, 3, 5, 7)


@math_problem("logarithms")
def logarithms(rng: Rng, level: int) -> Problem:
    """A logarithm, powers with an unknown exponent, powers on both sides, two bases, a sum of logarithms."""
    return (_logarithm, _exponent, _both_sides, _two_bases, _sum)[level - 1](rng)


def _asked(equation: str, answer: str, steps: int) -> Problem:
    return Problem(f"Solve ${equation}$ for the real number $x$.", answer, steps)


def _logarithm(rng: Rng) -> Problem:
    base, a, b, k = between(rng, 2, 6), between(rng, 2, 9), nonzero(rng, 20), between(rng, 2, 3)
    # A power, a difference, a quotient.
    return _asked(f"\\log_{{{base}}}({polynomial([b, a])}) = {k}", number(Fraction(base**k - b, a)), k + 1)


def _exponent(rng: Rng) -> Problem:
    base = _BASES[between(rng, 0, 3)]
    p, q = distinct(rng, 1, 7, 2)
    # Two powers to recognise, a quotient.
    return _asked(f"{base**p}^x = {base**q}", number(Fraction(q, p)), p + q - 1)


def _both_sides(rng: Rng) -> Problem:
    base = _BASES[between(rng, 0, 2)]
    while True:
        p, q = between(rng, 1, 3), between(rng, 1, 3)
        a, c = between(rng, 1, 5), between(rng, 1, 5)
        if p != q and p * a != q * c:
            break
    b, d = nonzero(rng, 9), nonzero(rng, 9)
    left, right = f"{base**p}^{{{polynomial([b, a])}}}", f"{base**q}^{{{polynomial([d, c])}}}"
    # Two powers to recognise, four products, a linear equation.
    return _asked(f"{left} = {right}", number(Fraction(q * d - p * b, p * a - q * c)), p + q + 6)


def _two_bases(rng: Rng) -> Problem:
    base, m, k = between(rng, 2, 4), between(rng, 2, 3), between(rng, 2, 3)
    a, b = between(rng, 2, 9), nonzero(rng, 30)
    inner = polynomial([b, a])
    equation = f"\\log_{{{base}}}({inner}) + \\log_{{{base**m}}}({inner}) = {k * (m + 1)}"
    # The second logarithm is 1/m of the first, which is k m therefore; then a power, a difference, a quotient.
    return _asked(equation, number(Fraction(base ** (k * m) - b, a)), m + 3 + k * m + 1)


def _sum(rng: Rng) -> Problem:
    base, k = between(rng, 2, 6), between(rng, 2, 4)
    # Both arguments are powers of the base, with the product base^k.
    low = between(rng, 0, (k - 1) // 2)
    x, other = base**low, base ** (k - low)
    shift = nonzero(rng, 30)
    one, two = polynomial([shift, 1]), polynomial([shift + other - x, 1])
    # A product to expand, a power, a quadratic equation, and a solution to refuse.
    return _asked(f"\\log_{{{base}}}({one}) + \\log_{{{base}}}({two}) = {k}", str(x - shift), k + 14)
