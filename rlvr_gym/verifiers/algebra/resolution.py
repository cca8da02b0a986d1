"""How far below a value its least part may lie, in bits: how much precision it takes to see all of a formula.

Two numbers that differ by ``10^-300`` agree to 200 digits, and ``tanh(10^6)`` is 1 to 800,000. Balls do not tell:
they are narrow and they overlap. So each step is asked how far its least visible part lies below its result.
Agreement counts only at a precision that is larger than that, and larger than what chance could reproduce, which is
what has been written. Products add the depths of their factors, since the parts of two factors can cancel and leave
the product of both, as in ``(1 + t)(1 - t)``.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Final

from rlvr_gym.verifiers.algebra.balls import Ball
from rlvr_gym.verifiers.algebra.folding import Rational
from rlvr_gym.verifiers.algebra.tape import Op, Tape

GUARD_BITS: Final = 80
_SHORT_BITS: Final = 32
"""A number up to this length shows within the guard."""
_ZERO: Final = -math.inf
_HUGE: Final = 1e15
_OUT_OF_SIGHT: Final = 1e5
"""No precision used here shows what lies so deep."""


class UnresolvedError(ArithmeticError):
    """At this precision a part of the formula cannot be told from 0, and not because it is 0."""


def magnitude(ball: Ball) -> float:
    """Return the binary logarithm of the largest absolute value in a ball, ``-inf`` for an exact 0.

    Raises:
        UnresolvedError: the ball is not finite.
    """
    size = abs(complex(ball))
    # Far from the ends of the floats the middle of the ball is good enough.
    if 1e-200 < size < 1e200 and ball.rel_accuracy_bits() > 8:
        return math.log2(size)
    if ball.is_zero():
        return _ZERO
    if not ball.is_finite():
        raise UnresolvedError
    mantissa, exponent = ball.abs_upper().man_exp()
    # Clamped as an integer: an exponent may be too long for a float.
    return float(min(_HUGE, max(-_HUGE, int(mantissa).bit_length() + int(exponent))))


def _length(number: Rational) -> float:
    """Return how many bits of a number do not show within the guard."""
    return max(0.0, float(int(number.p).bit_length() + int(number.q).bit_length() - _SHORT_BITS))


def depth(tape: Tape, values: list[Ball], roots: tuple[int, int]) -> tuple[float, float]:
    """Return the depth of two slots; ``-inf`` for one that is 0.

    Raises:
        UnresolvedError: the precision does not show all of the formula.
    """
    need = tape.info_bits + GUARD_BITS
    sizes: list[float] = []
    depths: list[float] = []
    for slot, (op, a, b, extra) in enumerate(tape.steps):
        value = values[slot]
        size = magnitude(value)
        sizes.append(size)
        if size == _ZERO:
            depths.append(_ZERO)
            continue
        if op < Op.ADD:
            # No longer than twice the longer one of numerator and denominator.
            short = op != Op.NUM or 2 * extra.height_bits() <= _SHORT_BITS
            depths.append(0.0 if short else _length(extra))
            continue
        # The first question is the cheaper one.
        if value.rel_accuracy_bits() <= 8 and value.contains(0):
            name = extra if op == Op.FUNCTION else op
            _accept_zero(name, size, [(sizes[at], depths[at]) for at in (a, b) if at >= 0], need)
            depths.append(_ZERO)
            sizes[slot] = _ZERO
            continue
        if op == Op.ADD:
            worst = 0.0
            for at in (a, b):
                if sizes[at] != _ZERO:
                    worst = max(worst, depths[at] + size - sizes[at])
            depths.append(worst)
        elif op == Op.MUL or op == Op.DIV:
            depths.append(depths[a] + depths[b])
        elif op == Op.INT_POW:
            depths.append(min(_HUGE, depths[a] * abs(float(min(abs(extra), 1 << 60)))))
        elif op == Op.ROOT_POW:
            top, degree = extra
            depths.append(
                min(_HUGE, float(degree.bit_length() + min(abs(top), 1 << 60) * max(0.0, depths[a])))
            )
        elif op == Op.POW:
            depths.append(_power_depth(values, depths, a, b))
        else:
            hides = _HIDDEN.get(extra if op == Op.FUNCTION else op)
            deepest = hidden = 0.0
            for at in (a, b):
                if at >= 0 and depths[at] != _ZERO:
                    deepest = max(deepest, depths[at])
                    hidden = hidden if hides is None else max(hidden, hides(sizes[at], size))
            depths.append(2 * deepest + hidden)
        # A saturated function can be narrower than any depth: 1 is tanh(10^100) to more bits than there are.
        if depths[-1] > _OUT_OF_SIGHT:
            raise UnresolvedError
    return depths[roots[0]], depths[roots[1]]


def _accept_zero(name: int | str, size: float, parts: list[tuple[float, float]], need: float) -> None:
    """Accept a ball around 0 as 0 if it is small enough beside everything that went into it."""
    if name not in _CANCELLING:
        # Only what is 0 makes a product or an odd function 0; else the ball is too wide, or the value tiny.
        if name not in _KEEPS_ZERO or all(part != _ZERO for part, _ in parts):
            raise UnresolvedError
        return
    for part, below in parts:
        if part != _ZERO and size > (part if name == Op.ADD else min(0.0, part)) - below - need:
            raise UnresolvedError


def _power_depth(values: list[Ball], depths: list[float], a: int, b: int) -> float:
    log = values[a].log()
    size, inner = magnitude(log), magnitude(values[b] * log)
    if size == _ZERO or inner == _ZERO:
        return 0.0
    if log.contains(0):
        raise UnresolvedError
    below = max(max(0.0, depths[a]) + max(0.0, size), max(0.0, depths[b]))
    return min(_HUGE, 2 * below + max(0.0, -inner))


_CANCELLING: Final = frozenset([Op.ADD, Op.LN, "sin", "cos", "acos", "acosh", "re", "im", "arg", "mod"])
"""What can make 0 of something that is not 0."""
_KEEPS_ZERO: Final = frozenset(
    [
        Op.MUL,
        Op.DIV,
        Op.INT_POW,
        Op.ROOT_POW,
        "asin",
        "atan",
        "sinh",
        "tanh",
        "asinh",
        "atanh",
        "abs",
        "min",
        "max",
    ]
)
_HIDDEN: Final[dict[int | str, Callable[[float, float], float]]] = {
    # What a function hides of its argument: near 0, or where it saturates.
    Op.EXP: lambda a, r: max(0.0, -a),
    Op.LN: lambda a, r: max(0.0, r),
    "floor": lambda a, r: max(0.0, r - _SHORT_BITS),
    "ceil": lambda a, r: max(0.0, r - _SHORT_BITS),
    "re": lambda a, r: max(0.0, a - r),
    "im": lambda a, r: max(0.0, a - r),
    "factorial": lambda a, r: 2 * max(0.0, -a),
    "gamma": lambda a, r: 2 * max(0.0, -a),
    "double_factorial": lambda a, r: 2 * max(0.0, -a),
    "binom": lambda a, r: 2 * abs(a),
} | dict.fromkeys(("sin", "cos", "asin", "acos"), lambda a, r: max(0.0, -2 * a)) | dict.fromkeys(
    ("atan", "acot", "asinh", "acosh", "atanh"), lambda a, r: 2 * abs(a)
) | dict.fromkeys(
    ("sinh", "cosh", "tanh"), lambda a, r: max(0.0, -2 * a, 2.9 * 2.0 ** min(a, 60.0) if a > 0 else 0.0)
)  # fmt: skip
