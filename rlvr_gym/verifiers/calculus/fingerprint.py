"""A hash of what a formula computes: equal for scalings, renamed variables and every rewriting by identities."""

from __future__ import annotations

import hashlib
from fractions import Fraction
from typing import Final

from rlvr_gym.verifiers.calculus.points import Cell, Stream
from rlvr_gym.verifiers.calculus.precision import ball_precision
from rlvr_gym.verifiers.calculus.render import render
from rlvr_gym.verifiers.calculus.tape import Ball, compile_tape
from rlvr_gym.verifiers.calculus.tree import Expr

_POSITIVE: Final = Cell(Fraction(0), None)
_NEGATIVE: Final = Cell(None, Fraction(0))
_CANDIDATES: Final = 16
_VALUES: Final = 4
_BITS: Final = (192, 960)
_ACCURATE: Final = 96
_TINY: Final = 2.0**-400


def value_hash(expr: Expr, variable: str = "x") -> str:
    """Return 20 hexadecimal digits that depend on the values of ``expr`` up to a constant factor.

    The values are taken at the first four of a fixed list of points at which they are real, positive points first,
    so formulas that agree for positive arguments count as equal. With fewer such points the text is hashed.
    """
    tape = compile_tape(expr, variable)
    stream = Stream("value_hash")
    found: list[Ball] = []
    for cell in (_POSITIVE, _NEGATIVE):
        for index in range(_CANDIDATES):
            point = stream.point(cell, index % 4)
            for bits in _BITS:
                with ball_precision(bits):
                    value = tape.value(point.ball())
                if known := value.is_zero() or value.rel_accuracy_bits() >= _ACCURATE:
                    break
            else:
                # A sum that cancels has no digits but those of zero, however many are computed.
                if known := value.is_finite() and value.contains(0) and value.abs_upper() < _TINY:
                    value = type(value)(0)
            if known and value.is_finite() and value.imag.contains(0):
                found.append(value.real)
            if len(found) == _VALUES:
                return _digest(_ratios(found))
    return _digest(f"text {render(expr)}")


def _ratios(values: list[Ball]) -> str:
    scale = next((value for value in values if not value.is_zero()), None)
    if scale is None:
        return "zero"
    with ball_precision(_BITS[0]):
        # 15 digits of far more accurate ratios: two ways to compute one number round to the same text.
        return " ".join((value / scale).mid().str(15, radius=False) for value in values)


def _digest(text: str) -> str:
    return hashlib.blake2b(text.encode(), digest_size=10).hexdigest()
