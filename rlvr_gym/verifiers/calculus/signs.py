"""Slots whose sign is plain from their form, such as ``1 + u^2``: no search for zeros is needed there."""

from __future__ import annotations

import enum
from typing import Final

from rlvr_gym.verifiers.calculus.precision import ball_precision
from rlvr_gym.verifiers.calculus.tape import Ball, Op, Step, Tape


class Sign(enum.IntEnum):
    """What is known of a slot's value at every real point where it is defined; a larger one implies the smaller."""

    COMPLEX = 0
    REAL = 1
    NOT_NEGATIVE = 2
    POSITIVE = 3


_REAL: Final = frozenset(
    {Op.SIN, Op.COS, Op.TAN, Op.SINH, Op.TANH, Op.ATAN, Op.ASINH, Op.NEG, Op.ADD, Op.MUL, Op.DIV, Op.INT_POW}
)
_BITS: Final = 160


def signs(tape: Tape) -> dict[int, Sign]:
    """Return the sign of every slot."""
    with ball_precision(_BITS):
        constants = tape.constants()
    table = {step.out: _of_constant(constants[step.out]) for step in tape.constant}
    for step in tape.variable:
        table[step.out] = _of_step(step, table)
    return table


def _of_constant(value: Ball) -> Sign:
    if not value.is_finite() or not value.imag.is_zero():
        return Sign.COMPLEX
    if value.real > 0:
        return Sign.POSITIVE
    return Sign.NOT_NEGATIVE if value.is_zero() else Sign.REAL


def _of_step(step: Step, table: dict[int, Sign]) -> Sign:
    op = step.op
    if op is Op.VAR:
        return Sign.REAL
    a = table[step.a]
    b = table[step.b] if step.b >= 0 else a
    if op in (Op.EXP, Op.COSH):
        return Sign.POSITIVE if a >= Sign.REAL else Sign.COMPLEX
    if op is Op.ABS:
        return max(a, Sign.NOT_NEGATIVE)
    if op is Op.LOG_ABS:
        return Sign.REAL
    if op in (Op.SQRT, Op.RATIONAL_POW):
        return a if a >= Sign.NOT_NEGATIVE else Sign.COMPLEX
    if op is Op.LOG:
        return Sign.REAL if a >= Sign.NOT_NEGATIVE else Sign.COMPLEX
    if op is Op.POW:
        return Sign.POSITIVE if a is Sign.POSITIVE and b >= Sign.REAL else Sign.COMPLEX
    if op not in _REAL or min(a, b) is Sign.COMPLEX:
        return Sign.COMPLEX
    if op is Op.ADD and min(a, b) >= Sign.NOT_NEGATIVE:
        return max(a, b)
    if op is Op.INT_POW:
        return max(a, Sign.NOT_NEGATIVE) if step.number % 2 == 0 else a
    if op is Op.MUL and step.a == step.b:
        return max(a, Sign.NOT_NEGATIVE)
    if op in (Op.MUL, Op.DIV):
        return min(a, b) if min(a, b) >= Sign.NOT_NEGATIVE else Sign.REAL
    return Sign.REAL
