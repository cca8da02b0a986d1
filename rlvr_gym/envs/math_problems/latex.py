"""Exact numbers, polynomials and surds in LaTeX."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction


def number(value: int | Fraction) -> str:
    r"""Return an integer or a fraction in lowest terms.

    Example:
        >>> number(Fraction(-6, 4))
        '-\\frac{3}{2}'
    """
    value = Fraction(value)
    if value.denominator == 1:
        return str(value.numerator)
    sign = "-" if value < 0 else ""
    return f"{sign}\\frac{{{abs(value.numerator)}}}{{{value.denominator}}}"


def decimal(value: Fraction) -> str:
    """Return a number whose decimals end, in full.

    Example:
        >>> decimal(Fraction(-5, 8))
        '-0.625'
    """
    digits = 0
    while (value * 10**digits).denominator != 1:
        digits += 1
    text = str(abs(int(value * 10**digits))).rjust(digits + 1, "0")
    sign = "-" if value < 0 else ""
    return f"{sign}{text[:-digits]}.{text[-digits:]}" if digits else f"{sign}{text}"


def total(terms: Iterable[tuple[int | Fraction, str]]) -> str:
    r"""Return a sum: a coefficient and what it multiplies for each summand, ``""`` for a constant.

    Example:
        >>> total([(Fraction(3, 2), "x^2"), (-1, r"\sqrt{5}"), (4, "")])
        '\\frac{3}{2}x^2 - \\sqrt{5} + 4'
    """
    text = ""
    for coefficient, factor in terms:
        value = Fraction(coefficient)
        if value == 0:
            continue
        size = abs(value)
        part = factor if factor and size == 1 else number(size) + factor
        if text:
            text += f" - {part}" if value < 0 else f" + {part}"
        else:
            text = f"-{part}" if value < 0 else part
    return text or "0"


def power(base: str, exponent: int) -> str:
    """Return ``base`` to a power; the empty text for exponent 0, so that ``total`` makes a constant of it."""
    if exponent == 0:
        return ""
    if exponent == 1:
        return base
    return f"{base}^{exponent}" if 0 <= exponent <= 9 else f"{base}^{{{exponent}}}"


def polynomial(coefficients: Sequence[int | Fraction], variable: str = "x") -> str:
    """Return a polynomial from its coefficients, the constant first.

    Example:
        >>> polynomial([5, 0, -1, 2])
        '2x^3 - x^2 + 5'
    """
    terms = [(each, power(variable, degree)) for degree, each in enumerate(coefficients)]
    return total(reversed(terms))


def simplified_root(value: int) -> tuple[int, int]:
    """Return ``(a, b)`` with ``sqrt(value) = a sqrt(b)`` and no square in ``b``.

    Example:
        >>> simplified_root(72)
        (6, 2)
    """
    outer, inner, divisor = 1, value, 2
    while divisor * divisor <= inner:
        if inner % (divisor * divisor) == 0:
            inner //= divisor * divisor
            outer *= divisor
        else:
            divisor += 1
    return outer, inner


def root(coefficient: int | Fraction, value: int) -> tuple[Fraction, str]:
    """Return ``coefficient sqrt(value)`` as a summand of ``total``."""
    outer, inner = simplified_root(value)
    return Fraction(coefficient) * outer, "" if inner == 1 else f"\\sqrt{{{inner}}}"


def listed(values: Iterable[str]) -> str:
    r"""Return a set, such as ``\{1, 2\}``."""
    return "\\{" + ", ".join(values) + "\\}"


def matrix(rows: Sequence[Sequence[int | Fraction]]) -> str:
    """Return a matrix in round brackets."""
    body = " \\\\ ".join(" & ".join(number(each) for each in row) for row in rows)
    return f"\\begin{{pmatrix}} {body} \\end{{pmatrix}}"
