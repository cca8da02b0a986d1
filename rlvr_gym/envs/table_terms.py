"""Sums of table entries: powers, 1/x, sine, cosine and exponential of a multiple of x, with their antiderivatives."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

import numpy as np

Kind = Literal["power", "reciprocal", "cos", "sin", "exp"]
# Powers come three times as often as each other kind.
_KINDS: tuple[Kind, ...] = ("power", "power", "power", "reciprocal", "cos", "sin", "exp")


@dataclass(frozen=True, slots=True)
class Term:
    """One signed table entry: ``a x^n``, ``a/x``, ``a cos(n x)``, ``a sin(n x)`` or ``a e^(n x)``."""

    kind: Kind
    a: int
    """Coefficient, not 0."""
    n: int
    """Exponent or inner factor; 0 for ``a/x``."""

    def integrand(self) -> str:
        """Return the term in plain notation."""
        sign, size = _sign(self.a)
        if self.kind == "power":
            return sign + _times(size, "x" if self.n == 1 else f"x^{self.n}")
        if self.kind == "reciprocal":
            return f"{sign}{size}/x"
        inner = "e^" if self.kind == "exp" else self.kind
        return sign + _times(size, f"{inner}({self.n}*x)")

    def antiderivative(self, *, careless: bool = False) -> str:
        """Return the term's antiderivative; a careless one forgets to divide."""
        if self.kind == "reciprocal":
            sign, size = _sign(self.a)
            return sign + _times(size, "ln|x|")
        divisor = self.n + 1 if self.kind == "power" else self.n
        value = Fraction(self.a, 1 if careless else divisor)
        if self.kind == "sin":
            value = -value
        sign, size = _sign(value.numerator)
        factor = {
            "power": f"x^{self.n + 1}",
            "cos": f"sin({self.n}*x)",
            "sin": f"cos({self.n}*x)",
            "exp": f"e^({self.n}*x)",
        }[self.kind]
        return sign + _times(size, factor) + (f"/{value.denominator}" if value.denominator > 1 else "")


def draw_terms(rng: np.random.Generator) -> tuple[Term, ...]:
    """Return one or two different terms, two twice as often; the first is positive three times of four."""
    terms: list[Term] = []
    for _ in range(int(rng.integers(3) > 0) + 1):
        terms.append(_other_than(terms, rng, positive=0.5 if terms else 0.75))
    return tuple(terms)


def vary(terms: tuple[Term, ...], rng: np.random.Generator) -> tuple[Term, ...]:
    """Return a neighbour with two terms: one of them kept, the other drawn anew."""
    kept = terms[int(rng.integers(len(terms)))]
    other = _other_than([kept], rng, positive=0.5)
    return (kept, other) if rng.random() < 0.5 else (other, kept)


def integrand(terms: tuple[Term, ...]) -> str:
    """Return the sum of the terms in plain notation."""
    return _joined([t.integrand() for t in terms])


def antiderivative(terms: tuple[Term, ...], *, careless: bool = False) -> str:
    """Return the sum of the terms' antiderivatives."""
    return _joined([t.antiderivative(careless=careless) for t in terms])


def compact(text: str) -> str:
    """Return plain notation without spaces and multiplication signs, as small models write it.

    Example:
        >>> compact("9*sin(5*x)/5 - 2*x^3")
        '9sin(5x)/5-2x^3'
    """
    return text.replace(" ", "").replace("*", "")


def _other_than(terms: list[Term], rng: np.random.Generator, *, positive: float) -> Term:
    while True:
        kind = _KINDS[int(rng.integers(len(_KINDS)))]
        a = int(rng.integers(1, 10)) * (1 if rng.random() < positive else -1)
        n = {"power": int(rng.integers(1, 7)), "reciprocal": 0}.get(kind, int(rng.integers(2, 10)))
        if all((t.kind, t.n) != (kind, n) for t in terms):
            return Term(kind, a, n)


def _sign(value: int) -> tuple[str, int]:
    return ("-", -value) if value < 0 else ("", value)


def _times(size: int, factor: str) -> str:
    return factor if size == 1 else f"{size}*{factor}"


def _joined(parts: list[str]) -> str:
    text = parts[0]
    for part in parts[1:]:
        text += f" - {part[1:]}" if part.startswith("-") else f" + {part}"
    return text
