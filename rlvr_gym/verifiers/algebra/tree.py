"""Scalar expressions: immutable trees that stay close to the text, made by the constructors of this file.

Only three things are simplified: sums in sums and products in products are flattened, the sign of a number or of
a product's leading number is taken into it, and a quotient of two numbers is one number. Nothing that could be
undefined is removed: ``0*(1/0)`` stays what it is. A quotient is a product with a power -1, a root a rational
power, and ``exp(x)`` a power of ``e``.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Final, Literal, TypeAlias

FUNCTIONS: Final = frozenset(
    [
        "sin", "cos", "tan", "cot", "sec", "csc", "asin", "acos", "atan", "acot", "asec", "acsc", "sinh",
        "cosh", "tanh", "coth", "sech", "csch", "asinh", "acosh", "atanh", "acoth", "asech", "acsch", "ln",
        "log", "abs", "floor", "ceil", "sign", "factorial", "double_factorial", "binom", "gcd", "lcm", "min",
        "max", "mod", "gamma", "re", "im", "conj", "arg",
    ]
)  # fmt: skip
"""Names that a ``Call`` may carry."""


@dataclass(frozen=True, slots=True)
class Num:
    """A rational number; decimals are exact."""

    value: Fraction


@dataclass(frozen=True, slots=True)
class Const:
    """A named constant; ``i`` is the imaginary unit."""

    name: Literal["pi", "e", "i", "inf"]


@dataclass(frozen=True, slots=True)
class Sym:
    """A variable: a letter, with its subscript if any: ``x``, ``theta``, ``a_1``."""

    name: str


@dataclass(frozen=True, slots=True)
class Based:
    """A numeral in another base: ``Based("52", 8)`` is forty-two."""

    digits: str
    base: int


@dataclass(frozen=True, slots=True)
class Add:
    """A sum of at least two terms."""

    terms: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Mul:
    """A product of at least two factors, in the order of the text."""

    factors: tuple[Expr, ...]


@dataclass(frozen=True, slots=True)
class Pow:
    """``base`` to the power of ``exponent``."""

    base: Expr
    exponent: Expr


@dataclass(frozen=True, slots=True)
class Call:
    """A function of its arguments; ``log`` may have a base as its second."""

    name: str
    args: tuple[Expr, ...]


Expr: TypeAlias = Num | Const | Sym | Based | Add | Mul | Pow | Call
"""A scalar."""

ZERO: Final = Num(Fraction(0))
ONE: Final = Num(Fraction(1))
MINUS_ONE: Final = Num(Fraction(-1))
HALF: Final = Num(Fraction(1, 2))
PI: Final = Const("pi")
EULER: Final = Const("e")
IMAGINARY: Final = Const("i")
INFINITY: Final = Const("inf")

_FOLD_BITS = 4096
"""Quotients of longer numbers stay quotients."""


def num(value: int | Fraction) -> Num:
    """Return the number ``value``."""
    return Num(Fraction(value))


def add(terms: list[Expr]) -> Expr:
    """Return the sum of ``terms``."""
    if len(terms) == 1:
        return terms[0]
    flat: list[Expr] = []
    for term in terms:
        if type(term) is Add:
            flat += term.terms
        else:
            flat.append(term)
    return Add(tuple(flat))


def mul(left: Expr, right: Expr) -> Expr:
    """Return ``left * right``."""
    a = left.factors if type(left) is Mul else (left,)
    b = right.factors if type(right) is Mul else (right,)
    return Mul((*a, *b))


def neg(term: Expr) -> Expr:
    """Return ``-term``."""
    if type(term) is Num:
        return Num(-term.value)
    if type(term) is Mul:
        first = term.factors[0]
        if type(first) is Num and first.value.numerator > 0:
            return Mul((Num(-first.value), *term.factors[1:]))
        return Mul((MINUS_ONE, *term.factors))
    return Mul((MINUS_ONE, term))


def div(top: Expr, bottom: Expr) -> Expr:
    """Return ``top / bottom``."""
    if type(bottom) is Num:
        below = bottom.value
        if below:
            if type(top) is not Num:
                return mul(top, Num(Fraction(below.denominator, below.numerator)))
            above = top.value
            bits = above.numerator.bit_length() + above.denominator.bit_length()
            if bits + below.numerator.bit_length() + below.denominator.bit_length() < _FOLD_BITS:
                return Num(above / below)
    if type(top) is Num and top.value == 1:
        return Pow(bottom, MINUS_ONE)
    return mul(top, Pow(bottom, MINUS_ONE))


def sqrt(base: Expr) -> Expr:
    """Return the square root of ``base``."""
    return Pow(base, HALF)


def children(expr: Expr) -> tuple[Expr, ...]:
    """Return the direct parts of ``expr``."""
    if type(expr) is Num or type(expr) is Sym:
        return ()
    if type(expr) is Add:
        return expr.terms
    if type(expr) is Mul:
        return expr.factors
    if type(expr) is Pow:
        return (expr.base, expr.exponent)
    return expr.args if type(expr) is Call else ()


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


def symbols(expr: Expr) -> frozenset[str]:
    """Return the names of all variables."""
    found: set[str] = set()
    stack = [expr]
    while stack:
        node = stack.pop()
        # Not by `children`: this is asked of every answer, several times.
        if type(node) is Num:
            continue
        if type(node) is Sym:
            found.add(node.name)
        elif type(node) is Mul:
            stack += node.factors
        elif type(node) is Add:
            stack += node.terms
        elif type(node) is Pow:
            stack += (node.base, node.exponent)
        elif type(node) is Call:
            stack += node.args
    return frozenset(found)
