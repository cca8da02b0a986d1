"""Exact values of functions of rational numbers, as far as they are rational and not too long."""

from __future__ import annotations

import math
from typing import Any, Final, TypeAlias

from flint import fmpq, fmpz

Rational: TypeAlias = Any
"""``flint.fmpq``."""

MAX_FOLD_BITS: Final = 40_000
"""Bits up to which rational constants are worked out."""
_MAX_FACTORIAL: Final = 3_000
_MAX_GCD_BITS: Final = 4096
_PERFECT_BITS: Final = 4096


class UndefinedError(ArithmeticError):
    """A constant that has no value: ``1/0``, ``0^0``, ``ln 0``, infinity inside a formula."""


def bits(value: Rational) -> int:
    """Return the length of the longer one of numerator and denominator."""
    return int(value.height_bits()) + 1


def perfect_root(value: Rational, degree: int) -> Rational | None:
    """Return the real root of a rational number if it is rational."""
    negative = value < 0
    if (negative and degree % 2 == 0) or degree > 64 or bits(value) > _PERFECT_BITS:
        return None
    top, bottom = abs(value.p), value.q
    above, below = top.root(degree), bottom.root(degree)
    if above**degree != top or below**degree != bottom:
        return None
    return fmpq(-above if negative else above, below)


def fold_call(name: str, values: list[Rational]) -> Rational | None:
    """Return the exact value of a function of rational numbers, or None when it is not rational or too long."""
    x = values[0]
    if name == "abs":
        return abs(x)
    if name == "floor":
        return fmpq(x.p // x.q)
    if name == "ceil":
        return fmpq(-(-x.p // x.q))
    if name == "sign":
        return fmpq((x > 0) - (x < 0))
    if name == "min" or name == "max":
        return min(values) if name == "min" else max(values)
    if name in ("re", "conj"):
        return x
    if name == "im":
        return fmpq(0)
    if name == "ln" or name == "log":
        return _fold_log(values)
    if any(value.q != 1 for value in values):
        return None
    whole = [int(value.p) for value in values]
    return _fold_whole(name, whole)


def _fold_log(values: list[Rational]) -> Rational | None:
    x = values[0]
    if x == 0:
        raise UndefinedError("the logarithm of 0")
    if x == 1:
        return fmpq(0)
    if len(values) != 2:
        return None
    base = values[1]
    if base <= 0 or base == 1:
        raise UndefinedError("a logarithm to a base that is not positive, or 1")
    if x < 0 or bits(x) > _PERFECT_BITS or bits(base) > _PERFECT_BITS:
        return None
    # The logarithm is k/1 if base^k is x; the estimate of k comes from the lengths.
    size = math.log2(abs(int(base.p))) - math.log2(int(base.q))
    k = round((math.log2(int(x.p)) - math.log2(int(x.q))) / size) if size else 0
    return fmpq(k) if abs(k) <= _PERFECT_BITS and base**k == x else None


def _fold_whole(name: str, whole: list[int]) -> Rational | None:
    n = whole[0]
    if name == "factorial" or name == "gamma":
        n -= name == "gamma"
        if n < 0:
            raise UndefinedError("the factorial of a negative number")
        return fmpq(fmpz.fac_ui(n)) if n <= _MAX_FACTORIAL else None
    if name == "double_factorial":
        if n < -1:
            raise UndefinedError("the double factorial of a negative number")
        return fmpq(math.prod(range(n, 0, -2))) if n <= _MAX_FACTORIAL else None
    if name == "binom":
        k = whole[1]
        if k < 0 or (0 <= n < k):
            return fmpq(0)
        if n < 0:
            return None
        k = min(k, n - k)
        return fmpq(fmpz.bin_uiui(n, k)) if k * n.bit_length() <= MAX_FOLD_BITS and n < 1 << 63 else None
    if max(value.bit_length() for value in whole) > _MAX_GCD_BITS:
        return None
    if name == "gcd":
        return fmpq(math.gcd(*whole))
    if name == "lcm":
        return fmpq(math.lcm(*whole)) if len(whole) <= 8 else None
    if name == "mod":
        if whole[1] == 0:
            raise UndefinedError("a remainder of a division by 0")
        return fmpq(whole[0] % whole[1])
    return None
