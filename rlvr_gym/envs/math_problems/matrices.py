"""Determinants, products and inverses of matrices."""

from __future__ import annotations

from rlvr_gym.envs.math_problems.base import Problem, Rng, between, math_problem
from rlvr_gym.envs.math_problems.exact import determinant, product
from rlvr_gym.envs.math_problems.latex import matrix, number


@math_problem("matrices")
def matrices(rng: Rng, level: int) -> Problem:
    """Determinant and product of order two, determinant of order three, inverse of a product, product of order three."""
    return (_small_determinant, _small_product, _large_determinant, _inverse, _large_product)[level - 1](rng)


def _drawn(rng: Rng, order: int, most: int) -> list[list[int]]:
    return [[between(rng, -most, most) for _ in range(order)] for _ in range(order)]


def _small_determinant(rng: Rng) -> Problem:
    a = _drawn(rng, 2, 9)
    return Problem(f"What is the determinant of $A = {matrix(a)}$?", number(determinant(a)), 3)


def _small_product(rng: Rng) -> Problem:
    a, b = _drawn(rng, 2, 9), _drawn(rng, 2, 9)
    return Problem(f"What is $AB$ for $A = {matrix(a)}$ and $B = {matrix(b)}$?", matrix(product(a, b)), 12)


def _large_determinant(rng: Rng) -> Problem:
    a = _drawn(rng, 3, 9)
    return Problem(f"What is the determinant of $A = {matrix(a)}$?", number(determinant(a)), 14)


def _inverse(rng: Rng) -> Problem:
    while True:
        a, b = _drawn(rng, 2, 6), _drawn(rng, 2, 6)
        (p, q), (r, s) = product(a, b)
        scale = p * s - q * r
        if scale:
            break
    inverse = [[s / scale, -q / scale], [-r / scale, p / scale]]
    return Problem(f"What is $(AB)^{{-1}}$ for $A = {matrix(a)}$ and $B = {matrix(b)}$?", matrix(inverse), 19)


def _large_product(rng: Rng) -> Problem:
    a, b = _drawn(rng, 3, 12), _drawn(rng, 3, 12)
    return Problem(f"What is $AB$ for $A = {matrix(a)}$ and $B = {matrix(b)}$?", matrix(product(a, b)), 45)
