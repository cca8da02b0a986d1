"""Keyed points at which functions are compared."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator
from typing import Any, Final

from flint import acb, fmpq

from rlvr_gym.verifiers.algebra.balls import evaluate
from rlvr_gym.verifiers.algebra.keys import Stream
from rlvr_gym.verifiers.algebra.tape import Tape
from rlvr_gym.verifiers.calculus.precision import ball_precision

_SCALES: Final = (1, 3, fmpq(1, 4), 12, fmpq(1, 40), 150, 2000)
_NUM_FAR: Final = 2
_MAX_LITERALS: Final = 6
_CONSTANT_BITS: Final = 64
_MAX_SIZE_BITS: Final = 100_000
_NUM_KINKS: Final = 24
_MAX_WHOLE: Final = 40
_FAR_WHOLE: Final = 2000
_NUM_COMPLEX: Final = 6
_NUM_MORE: Final = 60
_MORE_SCALES: Final = (1, 3, fmpq(1, 4))

Point = list[Any]
"""An exact rational or complex rational number for each symbol."""


def points(tape: Tape, stream: Stream) -> Iterator[tuple[Point, bool]]:
    """Yield real points: positive or with random signs, near and far, and past written numbers.

    Coordinates are fractions over random denominators, at which no periodic function can be arranged to vanish.
    Each comes with whether it is far out, where much may have died away. A symbol of which a real part or conjugate
    is taken stands for a complex number, and then all do.
    """
    names = list(tape.symbols)
    if tape.complex_symbols:
        for _ in range(_NUM_COMPLEX):
            yield [acb(4 * stream.unit() - 2, 4 * stream.unit() - 2) for _ in names], False
        return
    scales = list(_SCALES)
    sizes = _constants(tape)[:_MAX_LITERALS] if tape.kinked or tape.branched else []
    # On both sides of the numbers of the formula, so that both sides of a kink are seen.
    scales[3:3] = [size * factor for size in sizes for factor in (fmpq(3, 4), 16) if size != 1]
    for index in range(2 * len(scales)):
        yield _point(tape, stream, scales[index // 2], index), index // 2 >= len(scales) - _NUM_FAR


def more_points(tape: Tape, stream: Stream) -> Iterator[Point]:
    """Yield real points for functions that are real in narrow places only."""
    for index in range(2, _NUM_MORE):
        yield _point(tape, stream, _MORE_SCALES[index // 2 % len(_MORE_SCALES)], index)


def kinks(tape: Tape, stream: Stream) -> Iterator[Point]:
    """Yield points at likely kinks and between them: all for one symbol, some at random for several.

    They can tell two functions apart but prove nothing: at 0 the roots of ``x`` and ``-x`` agree.
    """
    if not tape.kinked or tape.complex_symbols or len(tape.whole) == len(tape.symbols):
        return
    places = _places(_constants(tape), stream)
    if len(tape.symbols) == 1:
        for value in places:
            yield [acb(value)]
            yield [acb(-value)]
        return
    for _ in range(_NUM_KINKS):
        point = []
        for name in tape.symbols:
            if name in tape.whole:
                point.append(acb(1 + stream.word() % _MAX_WHOLE))
                continue
            value = places[stream.word() % len(places)]
            point.append(acb(-value if stream.word() % 2 else value))
        yield point


def _point(tape: Tape, stream: Stream, scale: Any, index: int) -> Point:
    # Every other point is positive, where roots and logarithms are real; the rest have random signs, or the other one.
    signs = (stream.word() if len(tape.symbols) > 1 else 1) if index % 2 else 0
    point = []
    for at, name in enumerate(tape.symbols):
        if name in tape.whole:
            point.append(acb(1 + stream.word() % (_MAX_WHOLE if index < 4 else _FAR_WHOLE)))
            continue
        # From 1/8 of the scale to 9/8 of it.
        value = (fmpq(stream.word() >> 4, (stream.word() >> 4) | 1 << 60) + fmpq(1, 8)) * scale
        # The second point differs in every sign from the first.
        negative = index == 1 or (signs >> at) & 1
        point.append(-value if negative else value)
    return point


def _constants(tape: Tape) -> list[Any]:
    """Return the sizes of the constants of the formula, whatever they are made of."""
    with ball_precision(_CONSTANT_BITS):
        balls = evaluate(tape, [acb(1) for _ in tape.symbols])
    found: list[Any] = []
    for value, exact, varies in zip(balls, tape.values, tape.varies, strict=True):
        if varies or not value.is_finite() or value.contains(0):
            continue
        if exact is not None:
            found.append(abs(exact))
            continue
        mantissa, exponent = abs(value).mid().man_exp()
        if abs(exponent) < _MAX_SIZE_BITS:
            found.append(fmpq(mantissa) * fmpq(2) ** int(exponent))
    return list(dict.fromkeys(found))[: 4 * _MAX_LITERALS]


def _places(sizes: list[Any], stream: Stream) -> list[Any]:
    """Return the places where a kink is likely, and a number in every gap between them.

    These are the constants of the formula, their quotients, squares and roots: ``|x - 1| + |x - 2|`` and ``|2x - 3|``
    differ between 1 and 2 only.
    """
    usual = [size for size in sizes if fmpq(1, 10**6) < size < 10**6]
    few = usual[:_MAX_LITERALS]
    places = {*usual} | {a / b for a in few for b in few} | {size * size for size in few}
    places |= {fmpq(*_root(size).as_integer_ratio()) for size in few}
    ends = [fmpq(0), *sorted(places)]
    ends.append(2 * ends[-1] + 1)
    found = []
    for low, high in itertools.pairwise(ends):
        # Somewhere in the middle third.
        share = fmpq((stream.word() >> 4) + (1 << 60), 3 << 60)
        found += [low, low + share * (high - low)]
    return found


def _root(size: Any) -> float:
    return math.sqrt(int(size.p) / int(size.q))
