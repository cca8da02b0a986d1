"""Keyed points at which functions are compared."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from flint import acb, fmpq

from rlvr_gym.verifiers.algebra.keys import Stream
from rlvr_gym.verifiers.algebra.tape import Op, Tape

_SCALES: Final = (1, 3, fmpq(1, 4), 12, fmpq(1, 40), 150, 2000)
_NUM_FAR: Final = 2
_MAX_LITERALS: Final = 6
_MAX_WHOLE: Final = 40
_FAR_WHOLE: Final = 2000
_NUM_COMPLEX: Final = 6

Point = list[Any]
"""An exact rational or complex rational number for each symbol."""


def points(tape: Tape, stream: Stream) -> Iterator[tuple[Point, bool]]:
    """Yield real points: the first positive, then with random signs, farther and nearer, and past written numbers.

    Coordinates are fractions over random denominators, at which no periodic function can be arranged to vanish.
    Each comes with whether it is far out, where much may have died away. A symbol of which a real part or conjugate is taken stands for a complex number, and then all do.
    """
    names = list(tape.symbols)
    if tape.complex_symbols:
        for _ in range(_NUM_COMPLEX):
            yield [acb(4 * stream.unit() - 2, 4 * stream.unit() - 2) for _ in names], False
        return
    scales = list(_SCALES)
    if tape.kinked or tape.branched:
        scales[3:3] = _written(tape)
    for index in range(2 * len(scales)):
        scale = scales[index // 2]
        signs = stream.word() if index else 0
        point = []
        for at, name in enumerate(names):
            if name in tape.whole:
                point.append(acb(1 + stream.word() % (_MAX_WHOLE if index < 4 else _FAR_WHOLE)))
                continue
            # From 1/8 of the scale to 9/8 of it.
            value = (fmpq(stream.word() >> 4, (stream.word() >> 4) | 1 << 60) + fmpq(1, 8)) * scale
            # The second point differs in every sign from the first, the following at random.
            negative = index == 1 or (signs >> at) & 1
            point.append(-value if negative else value)
        yield point, index // 2 >= len(scales) - _NUM_FAR


def _written(tape: Tape) -> list[Any]:
    """Return scales that reach past the numbers of the formula, so that both sides of a kink are seen."""
    found: list[Any] = []
    for op, _, _, value in tape.steps:
        if op == Op.NUM and value and value not in (1, -1) and len(found) < _MAX_LITERALS:
            found.append(2 * abs(value))
    return found
