"""Exact arithmetic on polynomials and matrices; lists of integers or fractions, constants first."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import TypeAlias

Scalar: TypeAlias = int | Fraction
Poly: TypeAlias = list[Fraction]
Matrix: TypeAlias = list[list[Fraction]]


def times(left: Sequence[Scalar], right: Sequence[Scalar]) -> Poly:
    """Return the product of two polynomials."""
    product = [Fraction(0)] * (len(left) + len(right) - 1)
    for i, a in enumerate(left):
        for j, b in enumerate(right):
            product[i + j] += Fraction(a) * b
    return product


def raised(base: Sequence[Scalar], exponent: int) -> Poly:
    """Return a power of a polynomial."""
    result = [Fraction(1)]
    for _ in range(exponent):
        result = times(result, base)
    return result


def remainder(dividend: Sequence[Scalar], divisor: Sequence[Scalar]) -> Poly:
    """Return what long division leaves; the divisor's last coefficient is not 0."""
    rest = [Fraction(each) for each in dividend]
    while len(rest) >= len(divisor):
        factor = rest[-1] / divisor[-1]
        shift = len(rest) - len(divisor)
        for i, each in enumerate(divisor):
            rest[shift + i] -= factor * each
        rest.pop()
    return rest


def slope(coefficients: Sequence[Scalar]) -> Poly:
    """Return the derivative of a polynomial."""
    return [Fraction(each) * degree for degree, each in enumerate(coefficients)][1:] or [Fraction(0)]


def product(left: Sequence[Sequence[Scalar]], right: Sequence[Sequence[Scalar]]) -> Matrix:
    """Return the product of two matrices."""
    columns = list(zip(*right, strict=True))
    return [[_dot(row, column) for column in columns] for row in left]


def _dot(row: Sequence[Scalar], column: Sequence[Scalar]) -> Fraction:
    return sum((Fraction(a) * b for a, b in zip(row, column, strict=True)), Fraction(0))


def determinant(rows: Sequence[Sequence[Scalar]]) -> Fraction:
    """Return the determinant, by expansion along the first row."""
    if len(rows) == 1:
        return Fraction(rows[0][0])
    value = Fraction(0)
    for column, each in enumerate(rows[0]):
        minor = [[*row[:column], *row[column + 1 :]] for row in rows[1:]]
        value += (-1) ** column * Fraction(each) * determinant(minor)
    return value
