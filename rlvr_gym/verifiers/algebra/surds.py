"""Numbers made of square roots, exactly.

The square roots of different squarefree numbers are linearly independent over the rational numbers (A. S. Besicovitch,
"On the linear independence of fractional powers of integers", 1940). A sum of their multiples so has one form only.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any, Final, TypeAlias

from flint import fmpq, fmpz

from rlvr_gym.verifiers.algebra.folding import Rational
from rlvr_gym.verifiers.algebra.kept import Kept
from rlvr_gym.verifiers.algebra.tree import Add, Expr, Mul, Num, Pow

Surd: TypeAlias = dict[int, Rational]
"""A real number: by squarefree number, what its root is multiplied by, which is not 0."""

_MAX_BITS: Final = 512
_MAX_RADICAND_BITS: Final = 48
_MAX_TERMS: Final = 8
_MAX_POWER: Final = 8


class _NoSurdError(ArithmeticError):
    """A number of another kind, or one that takes too long."""


def surd(expr: Expr) -> Surd | None:
    """Return the one form of a number made of square roots; None for any other, and for what is too long."""
    try:
        return _form(expr)
    except _NoSurdError:
        return None


kept_surd: Final = Kept(surd, lambda form: True)
"""The same, for references."""


def _form(expr: Expr) -> Surd:
    form = _FORMS.get(type(expr))
    if form is None:
        raise _NoSurdError
    return form(expr)  # type: ignore[no-any-return]  # a table of the functions below


def _num(expr: Num) -> Surd:
    top, bottom = expr.value.as_integer_ratio()
    if top.bit_length() > _MAX_BITS or bottom.bit_length() > _MAX_BITS:
        raise _NoSurdError
    return {1: fmpq(top, bottom)} if top else {}


def _sum(expr: Add) -> Surd:
    total: Surd = {}
    for term in expr.terms:
        for root, factor in _form(term).items():
            known = total.get(root)
            total[root] = factor if known is None else known + factor
        if len(total) > _MAX_TERMS:
            raise _NoSurdError
    return _checked(total)


def _product(expr: Mul) -> Surd:
    product: Surd | None = None
    for factor in expr.factors:
        product = _form(factor) if product is None else _times(product, _form(factor))
    assert product is not None, "a product has factors"
    return product


def _times(left: Surd, right: Surd) -> Surd:
    total: Surd = {}
    for root, factor in left.items():
        for other, times in right.items():
            inside, outside = root * other, factor * times
            if root > 1 and other > 1:
                common = math.gcd(root, other)
                inside, outside = inside // common**2, outside * common
            known = total.get(inside)
            total[inside] = outside if known is None else known + outside
    return _checked(total)


def _checked(form: Surd) -> Surd:
    """Return a form without terms that are 0."""
    zeros = False
    for root, factor in form.items():
        if factor.height_bits() > _MAX_BITS or root.bit_length() > _MAX_BITS:
            raise _NoSurdError
        zeros |= not factor
    if len(form) > _MAX_TERMS:
        raise _NoSurdError
    return {root: factor for root, factor in form.items() if factor} if zeros else form


def _power(expr: Pow) -> Surd:
    if type(expr.exponent) is not Num:
        raise _NoSurdError
    power, degree = expr.exponent.value.as_integer_ratio()
    if degree > 2 or power == 0 or abs(power) > _MAX_POWER:
        raise _NoSurdError
    base = _form(expr.base)
    if degree == 2:
        base = _root(base)
    if power < 0:
        base = _inverse(base)
    result = base
    for _ in range(abs(power) - 1):
        result = _times(result, base)
    return result


def _root(form: Surd) -> Surd:
    value = form.get(1)
    if value is None or len(form) > 1 or value.p < 0:
        raise _NoSurdError
    top, bottom = int(value.p), int(value.q)
    whole, inside = _square_part(top * bottom)
    return {inside: fmpq(whole, bottom)}


def _inverse(form: Surd) -> Surd:
    if len(form) != 1:
        raise _NoSurdError
    ((root, factor),) = form.items()
    return {root: 1 / (factor * root)}


@lru_cache(maxsize=4096)
def _square_part(number: int) -> tuple[int, int]:
    """Return ``a`` and ``b`` with ``number = a^2 b`` and ``b`` squarefree."""
    if number.bit_length() > _MAX_RADICAND_BITS:
        raise _NoSurdError
    whole = rest = 1
    for prime, exponent in fmpz(number).factor():
        whole *= int(prime) ** (exponent // 2)
        rest *= int(prime) ** (exponent % 2)
    return whole, rest


_FORMS: Final[dict[type, Any]] = {Num: _num, Add: _sum, Mul: _product, Pow: _power}
