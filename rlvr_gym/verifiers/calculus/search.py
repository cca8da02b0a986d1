"""A numerical search for breaks that are no polynomial's: intervals on which they provably do not lie are dropped."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Final

from flint import acb, arb

from rlvr_gym.verifiers.calculus.breaks import UNIT, Breaks, middle
from rlvr_gym.verifiers.calculus.dual import differentiate
from rlvr_gym.verifiers.calculus.precision import ball_precision
from rlvr_gym.verifiers.calculus.tape import Ball, Op, Tape, rational_ball

_WINDOW: Final = 8.0
"""The window from -8 to 8 is searched evenly,"""
_DECADES: Final = [2.0**k for k in (*range(3, 63, 3), *range(63, 1024, 16))]
"""and outside it these intervals on either side: a switch may stand anywhere a float can."""
_WIDTH: Final = 2.0**-12
"""Width of a found place: absolute inside the window, relative outside."""
_BITS: Final = (64, 160)
"""Precision inside the window and outside it."""
_BUDGET: Final = 400
"""Evaluations spent inside the window,"""
_FAR_BUDGET: Final = 60
"""on each interval outside it,"""
_LADDER: Final = [
    *range(-1023, -8, 16),
    *range(-4, 3),
    *range(3, 12),
    *range(12, 63, 3),
    *range(63, 1024, 16),
]
"""Powers of 2 between which changes of sign are looked for,"""
_CROSSING_BITS: Final = 1200
"""at this precision,"""
_HALVINGS: Final = 14
"""each narrowed down by so many steps,"""
_MAX_CROSSINGS: Final = 8
"""but no more than this."""
_STEP_BUDGET: Final = 60_000
"""and steps of the tape for either search."""
_CROWD: Final = 6
"""An interval with more places than this, as of a sine, is looked at in a few of them."""
_FIRST: Final = 10
"""Factor by which both are larger below"""
_FIRST_END: Final = 64.0
"""this distance from 0."""
_CROWDED_DECADES: Final = 6
"""After so many of these the rest of the side is only sampled."""
_MAX_TURNS: Final = 12
"""Places at which a double zero is looked at closely."""
_TURN_BITS: Final = ((192, 9), (1440, 5))
"""Precisions and rounds of the secant method."""


@dataclass(frozen=True, slots=True)
class Places:
    """Where hidden slots may vanish, by how they were found."""

    lobes: list[Fraction]
    """Pairs of zeros closer than the search is fine."""
    near: list[Fraction]
    """Inside the window."""
    far: list[Fraction]
    """Outside it."""
    crowd: list[Fraction]
    """Samples of where the search outside it found too much, or could not tell."""


def numeric_zeros(tape: Tape, breaks: Breaks, low: Fraction | None, high: Fraction | None) -> Places:
    """Return places at which the hidden slots of ``tape`` may vanish, between ``low`` and ``high``."""
    if not breaks.hidden:
        return Places([], [], [], [])
    part = tape.part([slot for _, slot in breaks.hidden])
    start = -math.inf if low is None else _float(low)
    end = math.inf if high is None else _float(high)
    near = [Fraction(place) for place in _near(part, breaks.hidden, max(-_WINDOW, start), min(_WINDOW, end))]
    far, crowd = ([Fraction(p) for p in found] for found in _far(part, breaks.hidden, start, end))
    far += _crossings(part, breaks.hidden, start, end)
    lobes: list[Fraction] = []
    for place in [*near[:: max(1, len(near) // _MAX_TURNS)], *far[: _MAX_TURNS // 2]]:
        lobes += _lobes(part, breaks.hidden, place)
    return Places(lobes, near, far, crowd)


def _float(value: Fraction) -> float:
    try:
        return float(value)
    except OverflowError:
        return math.inf if value > 0 else -math.inf


def _near(part: Tape, hidden: list[tuple[Op, int]], start: float, end: float) -> list[float]:
    if start >= end:
        return []
    spent = 0
    found: list[float] = []
    with ball_precision(_BITS[0]):
        budget = min(_BUDGET, _STEP_BUDGET // len(part.variable))
        # Breadth first, so that a spent budget leaves the window evenly covered.
        level = list(_split(start, end, 8))
        while level and spent < budget:
            following: list[tuple[float, float]] = []
            for a, b in level:
                spent += 1
                if not _may_vanish(part, hidden, a, b):
                    continue
                if b - a < _WIDTH:
                    found.append((a + b) / 2)
                else:
                    following.extend(_split(a, b, 2))
            level = following
    found.extend((a + b) / 2 for a, b in level)
    return _thinned(sorted(found))


def _far(
    part: Tape, hidden: list[tuple[Op, int]], start: float, end: float
) -> tuple[list[float], list[float]]:
    found: list[float] = []
    crowd: list[float] = []
    steps = 0
    crowded = {1: 0, -1: 0}
    with ball_precision(_BITS[1]):
        for near, far in pairwise(_DECADES):
            for side in (1, -1):
                a, b = max(min(side * near, side * far), start), min(max(side * near, side * far), end)
                if a >= b or steps > _STEP_BUDGET:
                    continue
                if crowded[side] == _CROWDED_DECADES:
                    crowd.append(a / 2 + b / 2)
                    continue
                places, many, spent = _decade(part, hidden, a, b)
                found += places
                crowd += many
                steps += spent * len(part.variable)
                crowded[side] += bool(many)
    return found, crowd


def _crossings(part: Tape, hidden: list[tuple[Op, int]], start: float, end: float) -> list[Fraction]:
    """Return where a hidden slot changes sign between powers of 2, from the smallest to the largest floats.

    Intervals are too coarse for ``ln(x^2+1) - 1000`` and for ``tanh x - 1 + 10^-300``; points with many bits are not.
    """
    found: list[Fraction] = []
    with ball_precision(_CROSSING_BITS):
        for side in (1, -1):
            ladder = [Fraction(2) ** k * side for k in _LADDER if start < side * 2.0**k < end]
            signs = [_signs_at(part, hidden, x) for x in ladder]
            for i in range(len(ladder) - 1):
                for j in range(len(hidden)):
                    if signs[i][j] * signs[i + 1][j] < 0:
                        found.append(_crossing(part, hidden[j], ladder[i], ladder[i + 1]))
    return found[:_MAX_CROSSINGS]


def _signs_at(part: Tape, hidden: list[tuple[Op, int]], x: Fraction) -> list[int]:
    slots = part.values(acb(rational_ball(x)))
    return [_sign(_distance(op, slots[slot])) for op, slot in hidden]


def _sign(ball: Ball) -> int:
    if not ball.is_finite() or not ball.imag.contains(0):
        return 0
    return 1 if ball.real > 0 else -1 if ball.real < 0 else 0


def _crossing(part: Tape, hidden: tuple[Op, int], low: Fraction, high: Fraction) -> Fraction:
    sign = _signs_at(part, [hidden], low)[0]
    for _ in range(_HALVINGS):
        # Geometric while the ends are far apart, as they are at first.
        ratio = math.log2(abs(high / low)) / 2 if high / low < 2**20 and low / high < 2**20 else 8.0
        middle_ = low * Fraction(2.0**ratio)
        if _signs_at(part, [hidden], middle_)[0] == sign:
            low = middle_
        else:
            high = middle_
    return low


def _decade(
    part: Tape, hidden: list[tuple[Op, int]], a: float, b: float
) -> tuple[list[float], list[float], int]:
    """Return places in one interval outside the window, a few of those left over, and the evaluations spent."""
    found: list[float] = []
    spent = 0
    level = [(a, b)]
    # Exponentials need narrow intervals; most switches stand in the first decades.
    scale = _FIRST if min(abs(a), abs(b)) < _FIRST_END else 1
    while level and spent < scale * _FAR_BUDGET and len(level) + len(found) <= scale * _CROWD:
        following: list[tuple[float, float]] = []
        for a, b in level:
            spent += 1
            if not _may_vanish(part, hidden, a, b):
                continue
            if b - a < abs(a) * _WIDTH:
                found.append(a / 2 + b / 2)
            else:
                # In the geometric middle while the ends are far apart.
                centre = math.copysign(
                    math.sqrt(a) * math.sqrt(b) if a > 0 else math.sqrt(-a) * math.sqrt(-b), a
                )
                following += ((a, centre), (centre, b))
        level = following
    crowd = [a / 2 + b / 2 for a, b in level]
    return found, crowd[:: max(1, len(crowd) // 2)], spent


def _split(a: float, b: float, parts: int) -> Iterator[tuple[float, float]]:
    width = (b - a) / parts
    for i in range(parts):
        yield a + i * width, a + (i + 1) * width


def _may_vanish(tape: Tape, hidden: list[tuple[Op, int]], a: float, b: float) -> bool:
    # A little wider, against the rounding of the ends.
    slots = tape.values(acb(arb(a / 2 + b / 2, (b / 2 - a / 2) * 1.0000002)))
    for op, slot in hidden:
        ball = _distance(op, slots[slot])
        if not ball.is_finite() or ball.contains(0):
            return True
    return False


def _distance(op: Op, ball: Ball) -> Ball:
    """Return what vanishes where the branch can change."""
    return 1 - ball * ball if op in UNIT else ball


def _thinned(places: list[float]) -> list[float]:
    """Return ``places`` with neighbours that are closer than twice the search width joined."""
    kept: list[float] = []
    for place in places:
        if not kept or place - kept[-1] > 2 * _WIDTH:
            kept.append(place)
    return kept


def _lobes(part: Tape, hidden: list[tuple[Op, int]], place: Fraction) -> list[Fraction]:
    """Return the pairs of zeros of hidden slots between which they barely change sign near ``place``.

    ``0.9999999999 + sin x`` is negative on intervals far narrower than the search is wide. Between such zeros lies
    a turning point, which the secant method finds from the slope.
    """
    width = Fraction(max(1.0, abs(_float(place))) * _WIDTH)
    found: list[Fraction] = []
    for op, slot in hidden:
        previous, current = place - width, place + width
        for bits, rounds in _TURN_BITS:
            with ball_precision(bits):
                lobe, previous, current = _turn(part, op, slot, (previous, current), rounds)
            if abs(current - place) > 8 * width:
                break
            if lobe is not None:
                found += (current - lobe, current + lobe)
                break
    return found


def _turn(
    part: Tape, op: Op, slot: int, ends: tuple[Fraction, Fraction], rounds: int
) -> tuple[Fraction | None, Fraction, Fraction]:
    """Return half the width of the lobe, if there is one that shows, and the last two places of the secant method."""
    previous, current = ends
    _, slope_before = _height(part, op, slot, previous)
    for _ in range(rounds):
        height, slope = _height(part, op, slot, current)
        bend = (slope - slope_before) / rational_ball(current - previous)
        move = slope / bend
        if not move.is_finite() or not height.is_finite():
            return None, previous, current
        if not height.contains(0) and bool(abs(move) < abs(height / bend) ** 0.5 * 2.0**-10):
            half = (abs(height / bend) * 2) ** 0.5
            # Only where the sign on the lobe differs from the sign around it.
            return (middle(half.real) if bool(height.real * bend.real < 0) else None), previous, current
        target = current - middle(move.real)
        if target == current:
            break
        previous, current, slope_before = current, target, slope
    return None, previous, current


def _height(part: Tape, op: Op, slot: int, place: Fraction) -> tuple[Ball, Ball]:
    """Return the value and slope of what vanishes at a break."""
    values, slopes = differentiate(part, acb(rational_ball(place)))
    value, slope = values[slot], slopes[slot]
    if slope is None:
        slope = acb(0)
    return (1 - value * value, -2 * value * slope) if op in UNIT else (value, slope)
