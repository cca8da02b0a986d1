"""Products, quotients and powers of complex numbers."""

from __future__ import annotations

from fractions import Fraction
from typing import TypeAlias

from rlvr_gym.envs.math_problems.base import Problem, Rng, between, math_problem, nonzero
from rlvr_gym.envs.math_problems.latex import total

Complex: TypeAlias = tuple[Fraction, Fraction]

_PRODUCT = 6
"""Operations of a product: four products and two sums."""
_QUOTIENT = 11
"""Operations of a quotient: a product with the conjugate, the size of the divisor, two quotients."""


@math_problem("complex_numbers")
def complex_numbers(rng: Rng, level: int) -> Problem:
    """A product, a quotient, a quotient of a product, a power, a quotient of powers."""
    return (_product, _quotient, _product_over, _power, _powers)[level - 1](rng)


def _asked(definitions: str, wanted: str, value: Complex, steps: int) -> Problem:
    question = f"Let {definitions}, where $i^2 = -1$. Write ${wanted}$ as $a + bi$ with real $a$ and $b$."
    return Problem(question, _told(value), steps)


def _told(value: Complex) -> str:
    return total([(value[0], ""), (value[1], "i")])


def _drawn(rng: Rng, most: int = 9) -> Complex:
    return Fraction(nonzero(rng, most)), Fraction(nonzero(rng, most))


def _named(*values: Complex) -> str:
    told = [f"${name} = {_told(value)}$" for name, value in zip("zwv", values, strict=False)]
    return told[0] if len(told) == 1 else f"{', '.join(told[:-1])} and {told[-1]}"


def _times(one: Complex, two: Complex) -> Complex:
    return one[0] * two[0] - one[1] * two[1], one[0] * two[1] + one[1] * two[0]


def _over(one: Complex, two: Complex) -> Complex:
    size = two[0] ** 2 + two[1] ** 2
    real, imaginary = _times(one, (two[0], -two[1]))
    return real / size, imaginary / size


def _raised(base: Complex, exponent: int) -> Complex:
    value: Complex = (Fraction(1), Fraction(0))
    for _ in range(exponent):
        value = _times(value, base)
    return value


def _product(rng: Rng) -> Problem:
    z, w = _drawn(rng), _drawn(rng)
    return _asked(_named(z, w), "zw", _times(z, w), _PRODUCT)


def _quotient(rng: Rng) -> Problem:
    z, w = _drawn(rng), _drawn(rng)
    return _asked(_named(z, w), "\\frac{z}{w}", _over(z, w), _QUOTIENT)


def _power(rng: Rng) -> Problem:
    z, n = _drawn(rng, 5), between(rng, 3, 6)
    return _asked(_named(z), f"z^{n}", _raised(z, n), _PRODUCT * (n - 1))


def _product_over(rng: Rng) -> Problem:
    z, w, v = _drawn(rng), _drawn(rng), _drawn(rng)
    return _asked(_named(z, w, v), "\\frac{zw}{v}", _over(_times(z, w), v), _PRODUCT + _QUOTIENT)


def _powers(rng: Rng) -> Problem:
    z, w, m, n = _drawn(rng, 6), _drawn(rng, 6), between(rng, 3, 5), between(rng, 2, 3)
    steps = _PRODUCT * (m + n - 2) + _QUOTIENT
    return _asked(_named(z, w), f"\\frac{{z^{m}}}{{w^{n}}}", _over(_raised(z, m), _raised(w, n)), steps)
