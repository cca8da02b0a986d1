"""Expression trees: immutable, in one light normal form, made only by the constructors of this file.

The normal form flattens sums and products, joins rational numbers, and writes a quotient as a product with a
negative power, a root as a rational power and a power of Euler's number as ``exp``. It never removes a part that
could be undefined: ``0*(1/0)`` stays what it is.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Final, Literal, TypeAlias

FUNCTIONS: Final = frozenset(
    [
        "exp",
        "log",
        "abs",
        "sin",
        "cos",
        "tan",
        "cot",
        "sec",
        "csc",
        "asin",
        "acos",
        "atan",
        "acot",
        "asec",
        "acsc",
        "sinh",
        "cosh",
        "tanh",
        "coth",
        "sech",
        "csch",
        "asinh",
        "acosh",
        "atanh",
        "acoth",
        "asech",
        "acsch",
    ]
)
"""Names a ``Call`` may carry; roots and logarithms to a base are powers and quotients."""


@dataclass(frozen=True, slots=True)
class Num:
    """A rational number; decimals are exact."""

    value: Fraction


@dataclass(frozen=True, slots=True)
class Const:
    """One of the two named constants."""

    name: Literal["pi", "e"]


@dataclass(frozen=True, slots=True)
class Sym:
    """A variable or an arbitrary constant."""

    name: str


@dataclass(frozen=True, slots=True)
class Add:
    """A sum of at least two terms."""

    terms: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Mul:
    """A product of at least two factors; a number, if any, comes first."""

    factors: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Pow:
    """``base`` to the power of ``exponent``, principal value."""

    base: Expr
    exponent: Expr


@dataclass(frozen=True, slots=True)
class Call:
    """An elementary function of one argument."""

    name: str
    arg: Expr


Expr: TypeAlias = Num | Const | Sym | Add | Mul | Pow | Call

ZERO: Final = Num(Fraction(0))
ONE: Final = Num(Fraction(1))
MINUS_ONE: Final = Num(Fraction(-1))
HALF: Final = Num(Fraction(1, 2))
PI: Final = Const("pi")
EULER: Final = Const("e")

# Numbers to a numeric power are joined only while the result stays short; the rest is left to ball arithmetic.
_FOLD_EXPONENT = 64
_FOLD_BITS = 512


def num(value: int | Fraction) -> Num:
    """Return the number ``value``."""
    return Num(Fraction(value))


def add(*terms: Expr) -> Expr:
    """Return the sum of ``terms``; its rational number, if not 0, comes last."""
    kept: list[Expr] = []
    total = ZERO
    for term in terms:
        for part in term.terms if isinstance(term, Add) else (term,):
            if isinstance(part, Num):
                total = part if total is ZERO else Num(total.value + part.value)
            else:
                kept.append(part)
    if total.value or not kept:
        kept.append(total)
    return kept[0] if len(kept) == 1 else Add(tuple(kept))


def mul(*factors: Expr) -> Expr:
    """Return the product of ``factors``; its rational number, if not 1, comes first."""
    kept: list[Expr] = []
    total = ONE
    for factor in factors:
        for part in factor.factors if isinstance(factor, Mul) else (factor,):
            if isinstance(part, Num):
                total = part if total is ONE else Num(total.value * part.value)
            else:
                kept.append(part)
    if total.value != 1 or not kept:
        kept.insert(0, total)
    return kept[0] if len(kept) == 1 else Mul(tuple(kept))


def neg(term: Expr) -> Expr:
    """Return ``-term``."""
    return mul(MINUS_ONE, term)


def power(base: Expr, exponent: Expr) -> Expr:
    """Return ``base ** exponent``."""
    if exponent == ONE:
        return base
    if base == EULER:
        return call("exp", exponent)
    if isinstance(base, Num) and isinstance(exponent, Num) and exponent.value.denominator == 1:
        n = exponent.value.numerator
        bits = max(base.value.numerator.bit_length(), base.value.denominator.bit_length())
        if base.value and abs(n) <= _FOLD_EXPONENT and bits * abs(n) <= _FOLD_BITS:
            return Num(base.value**n)
    return Pow(base, exponent)


def div(top: Expr, bottom: Expr) -> Expr:
    """Return ``top / bottom``."""
    if isinstance(bottom, Num) and bottom.value:
        return mul(Num(1 / bottom.value), top)
    if isinstance(bottom, Pow) and isinstance(bottom.exponent, Num) and bottom.exponent.value != -1:
        return mul(top, Pow(bottom.base, Num(-bottom.exponent.value)))
    return mul(top, Pow(bottom, MINUS_ONE))


def root(base: Expr, degree: int) -> Expr:
    """Return the principal root of ``base``.

    Raises:
        ZeroDivisionError: degree 0.
    """
    return power(base, Num(Fraction(1, degree)))


def call(name: str, arg: Expr) -> Expr:
    """Return the function ``name`` of ``arg``."""
    if name not in FUNCTIONS:
        raise ValueError(f"{name} is no elementary function")
    return Call(name, arg)


def children(expr: Expr) -> tuple[Expr, ...]:
    """Return the direct parts of ``expr``."""
    if isinstance(expr, Add):
        return expr.terms
    if isinstance(expr, Mul):
        return expr.factors
    if isinstance(expr, Pow):
        return (expr.base, expr.exponent)
    if isinstance(expr, Call):
        return (expr.arg,)
    return ()


def walk(expr: Expr) -> Iterator[Expr]:
    """Yield ``expr`` and all its parts, without recursion."""
    stack = [expr]
    while stack:
        node = stack.pop()
        yield node
        stack.extend(children(node))


def size(expr: Expr) -> int:
    """Return the number of nodes."""
    return sum(1 for _ in walk(expr))


def depth(expr: Expr) -> int:
    """Return the number of nodes on the longest path from the root."""
    deepest = 0
    stack = [(expr, 1)]
    while stack:
        node, level = stack.pop()
        deepest = max(deepest, level)
        stack.extend((child, level + 1) for child in children(node))
    return deepest


def symbols(expr: Expr) -> frozenset[str]:
    """Return the names of all variables and arbitrary constants."""
    return frozenset(node.name for node in walk(expr) if isinstance(node, Sym))
