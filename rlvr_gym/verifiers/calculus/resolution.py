"""How many bits of precision it takes for every part of a formula to show in its result.

Two formulas that differ by ``10^-300`` agree to 200 digits, and ``tanh(10^6 x)`` is 1 to 400,000. Balls do not
tell: they are narrow and they overlap. So each step is asked how far its least visible part lies below its result,
in bits. Agreement counts only at a precision that is larger than that.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

from rlvr_gym.verifiers.calculus.tape import Ball, Op, Step, Tape

GUARD_BITS: Final = 64
"""Bits by which the precision must exceed the loss."""

_SHORT_BITS: Final = 32
"""A number up to this length shows within the guard."""
_UNRESOLVED: Final = math.nan
_ZERO: Final = -math.inf
_PASS: Final = frozenset({Op.NEG, Op.ABS})
_TRIGONOMETRIC: Final = frozenset({Op.SIN, Op.COS, Op.TAN, Op.ASIN, Op.ACOS})
_HYPERBOLIC: Final = frozenset({Op.SINH, Op.COSH, Op.TANH})
_TWO_SIDED: Final = frozenset({Op.ATAN, Op.ASINH, Op.ACOSH, Op.ATANH})


def magnitude(ball: Ball) -> float:
    """Return the binary logarithm of a ball's size: ``-inf`` for an exact 0, ``nan`` when 0 cannot be ruled out."""
    if ball.rel_accuracy_bits() < 2:
        return _ZERO if ball.is_zero() else _UNRESOLVED
    size = abs(complex(ball))
    if 0.0 < size < math.inf:
        return math.log2(size)
    mantissa, exponent = ball.abs_upper().mid().man_exp()
    # Exponents beyond every float only need to compare as huge.
    return float(max(-(10**300), min(10**300, int(exponent) + int(mantissa).bit_length())))


class Resolution:
    """The loss of every slot of a tape at one point, for values and for slopes.

    Args:
        tape: The code.
        values: Every slot's value.
        slopes: Every slot's derivative, or None for values alone.
        full: Loss assigned to a part that may be 0: the largest that the highest precision can bear.
    """

    def __init__(self, tape: Tape, values: list[Ball], slopes: list[Ball | None] | None, full: float) -> None:
        self._values = values
        self._slopes: Sequence[Ball | None] = slopes if slopes is not None else [None] * tape.length
        self._full = full
        self._value_loss = [0.0] * tape.length
        self._slope_loss = [0.0] * tape.length
        self._sizes: dict[int, float] = {}
        for step in tape.constant:
            self._visit(step)
        for step in tape.variable:
            self._visit(step)
        self.value = self._value_loss[tape.root]
        self.slope = self._slope_loss[tape.root]

    def _size(self, slot: int) -> float:
        size = self._sizes.get(slot)
        if size is None:
            size = self._sizes[slot] = magnitude(self._values[slot])
        return size

    def _visit(self, step: Step) -> None:
        op = step.op
        if op is Op.NUM:
            # A long number is a sum in disguise: 1.00000000000000000001 hides its last digit.
            bits = max(step.number.numerator.bit_length(), step.number.denominator.bit_length())
            self._value_loss[step.out] = max(0.0, float(bits - _SHORT_BITS))
        if op <= Op.VAR:
            return
        value, slope = self._value_loss, self._slope_loss
        a, b, out = step.a, step.b, step.out
        if op is Op.ADD:
            value[out] = self._sum(self._size(out), (self._size(a), value[a]), (self._size(b), value[b]))
            slope[out] = self._slope_sum(
                out, (self._slopes[a], 0.0, slope[a]), (self._slopes[b], 0.0, slope[b])
            )
        elif op is Op.MUL or op is Op.DIV:
            self._product(step)
        elif op is Op.POW:
            self._power(step)
        else:
            lost = 0.0 if op in _PASS else self._unary(step)
            # The logarithm hides a factor in its value, but its slope shows it again.
            shown = 0.0 if op is Op.LOG or op is Op.LOG_ABS else lost
            value[out] = value[a] + lost
            slope[out] = max(slope[a], value[a]) + shown

    def _unary(self, step: Step) -> float:
        """Return the bits by which a function hides its argument: near 0, or where it saturates."""
        op = step.op
        if op is Op.LOG or op is Op.LOG_ABS:
            size = self._size(step.out)
            return self._full if math.isnan(size) else max(0.0, size)
        if op in (Op.INT_POW, Op.SQRT, Op.RATIONAL_POW):
            return 1.0 if op is Op.SQRT else max(0.0, -math.log2(step.number))
        size = self._size(step.a)
        if math.isnan(size):
            return self._full
        if size == _ZERO:
            return 0.0
        if op is Op.EXP:
            return max(0.0, -size)
        if op in _TRIGONOMETRIC:
            return max(0.0, -2 * size)
        if op in _TWO_SIDED:
            return 2 * abs(size)
        if op in _HYPERBOLIC:
            return max(0.0, -2 * size, 2.9 * 2.0 ** min(size, 1000.0) if size > 0 else 0.0)
        raise AssertionError(f"no rule for {op}")

    def _product(self, step: Step) -> None:
        value, slope = self._value_loss, self._slope_loss
        a, b, out = step.a, step.b, step.out
        value[out] = max(value[a], value[b])
        da, db = self._slopes[a], self._slopes[b]
        if da is None or db is None:
            slope[out] = max(value[out], slope[a], slope[b])
            return
        size_a, size_b = self._size(a), self._size(b)
        scales = (size_b, size_a) if step.op is Op.MUL else (-size_b, size_a - 2 * size_b)
        slope[out] = self._slope_sum(
            out, (da, scales[0], max(slope[a], value[b])), (db, scales[1], max(value[a], slope[b]))
        )

    def _power(self, step: Step) -> None:
        value, slope = self._value_loss, self._slope_loss
        a, b, out = step.a, step.b, step.out
        log = self._values[a].log()
        size, inner = magnitude(log), magnitude(self._values[b] * log)
        if math.isnan(size) or math.isnan(inner):
            value[out] = slope[out] = self._full
            return
        hidden = 0.0 if inner == _ZERO else max(0.0, -inner)
        value[out] = max(value[a] + max(0.0, size), value[b]) + hidden
        total = (
            None if self._slopes[out] is None else magnitude(self._slopes[out]) - magnitude(self._values[out])
        )
        if total is None:
            return
        terms = []
        da, db = self._slopes[a], self._slopes[b]
        if db is not None:
            terms.append((magnitude(db) + size, max(slope[b], value[a] + max(0.0, size))))
        if da is not None:
            terms.append((self._size(b) + magnitude(da) - self._size(a), max(slope[a], value[a], value[b])))
        slope[out] = self._sum(total, *terms) + hidden

    def _slope_sum(self, out: int, *terms: tuple[Ball | None, float, float]) -> float:
        slope = self._slopes[out]
        if slope is None:
            return 0.0
        present = [(magnitude(ball) + scale, loss) for ball, scale, loss in terms if ball is not None]
        if len(present) == 1:
            return present[0][1]
        return self._sum(magnitude(slope), *present)

    def _sum(self, total: float, *terms: tuple[float, float]) -> float:
        """Return the loss of a sum of terms, each a size and its own loss."""
        worst = 0.0
        for size, loss in terms:
            if math.isnan(size):
                # Perhaps an identity that cancels, perhaps a difference too small to see.
                worst = max(worst, loss, self._full)
            elif size != _ZERO:
                worst = max(worst, loss if math.isnan(total) else loss + total - size)
        return worst
