"""Derivatives of polynomials, products, powers and exponentials."""

from __future__ import annotations

from fractions import Fraction

from rlvr_gym.envs.math_problems.base import Problem, Rng, between, math_problem, nonzero
from rlvr_gym.envs.math_problems.exact import raised, slope, times
from rlvr_gym.envs.math_problems.latex import number, polynomial, power, total


@math_problem("derivatives")
def derivatives(rng: Rng, level: int) -> Problem:
    """Polynomials, one times a sine, one times an exponential, products, a second derivative at a point."""
    return (_polynomial, _sine, _exponential, _product, _second)[level - 1](rng)


def _asked(function: str, answer: str, steps: int) -> Problem:
    return Problem(f"Find $f'(x)$ for $f(x) = {function}$.", answer, steps)


def _expansion(m: int, n: int) -> int:
    """Return how many products it takes to expand m linear and n quadratic factors, one after the other."""
    sizes = [2] * m + [3] * n
    count, terms = 0, sizes[0]
    for size in sizes[1:]:
        count += terms * size
        terms += size - 1
    return count


def _drawn(rng: Rng, degree: int, most: int) -> list[int]:
    return [*(between(rng, -most, most) for _ in range(degree)), nonzero(rng, most)]


def _polynomial(rng: Rng) -> Problem:
    f = _drawn(rng, between(rng, 2, 4), 9)
    return _asked(polynomial(f), polynomial(slope(f)), len(f) - 1)


def _product(rng: Rng) -> Problem:
    f, g = [nonzero(rng, 9), nonzero(rng, 5)], [nonzero(rng, 9), between(rng, -5, 5), nonzero(rng, 5)]
    k = between(rng, 1, 2)
    text = f"{power(f'({polynomial(f)})', k)}({polynomial(g)})"
    return _asked(text, polynomial(slope(times(raised(f, k), g))), _expansion(k, 1) + k + 2)


def _exponential(rng: Rng) -> Problem:
    f, a = [nonzero(rng, 9), between(rng, -9, 9), nonzero(rng, 5)], nonzero(rng, 6)
    slopes = [*slope(f), Fraction(0)]
    outer = [a * each + inner for each, inner in zip(f, slopes, strict=True)]
    e = f"e^{{{total([(a, 'x')])}}}"
    return _asked(f"({polynomial(f)}){e}", f"({polynomial(outer)}){e}", 7)


def _sine(rng: Rng) -> Problem:
    f, a, b = [nonzero(rng, 9), between(rng, -9, 9), nonzero(rng, 5)], between(rng, 2, 7), nonzero(rng, 9)
    angle = polynomial([b, a])
    with_sine, with_cosine = polynomial(slope(f)), polynomial([a * each for each in f])
    return _asked(
        f"({polynomial(f)})\\sin({angle})", f"({with_sine})\\sin({angle}) + ({with_cosine})\\cos({angle})", 5
    )


def _second(rng: Rng) -> Problem:
    f, g = [nonzero(rng, 9), nonzero(rng, 4)], [nonzero(rng, 9), between(rng, -4, 4), nonzero(rng, 4)]
    m, n, at = between(rng, 2, 4), between(rng, 1, 2), nonzero(rng, 3)
    text = power(f"({polynomial(f)})", m) + power(f"({polynomial(g)})", n)
    degree = m + 2 * n
    # Expanded, derived twice, and evaluated by a product and a sum for every power.
    steps = _expansion(m, n) + 2 * degree - 1 + 2 * (degree - 2)
    found = slope(slope(times(raised(f, m), raised(g, n))))
    value = sum((each * Fraction(at) ** degree for degree, each in enumerate(found)), Fraction(0))
    return Problem(f"For $f(x) = {text}$, what is $f''({at})$?", number(value), steps)
