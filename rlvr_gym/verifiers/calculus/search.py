"""A numerical search for breaks that are no polynomial's: intervals on which they provably do not lie are dropped."""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction
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
_FAR_BUDGET: Final = 40
"""on each interval outside it,"""
_STEP_BUDGET: Final = 60_000
"""and steps of the tape for either search."""
_CROWD: Final = 6
"""An interval with more places than this, as of a sine, is looked at in a few of them."""
_MAX_TURNS: Final = 12
"""Places at which a double zero is looked at closely."""
_TURN_BITS: Final = ((192, 9), (1440, 5))
"""Precisions and rounds of the secant method."""


def numeric_zeros(tape: Tape, breaks: Breaks, low: Fraction | None, high: Fraction | None) -> list[Fraction]:
    """Return places at which the hidden slots of ``tape`` may vanish, between ``low`` and ``high``."""
    if not breaks.hidden:
        return []
    part = tape.part([slot for _, slot in breaks.hidden])
    start = -math.inf if low is None else _float(low)
    end = math.inf if high is None else _float(high)
    near = _near(part, breaks.hidden, max(-_WINDOW, start), min(_WINDOW, end))
    far = _far(part, breaks.hidden, start, end)
    places = [Fraction(place) for place in (*near, *far)]
    step = max(1, len(places) // _MAX_TURNS)
    for place in places[::step]:
        places += _lobe(part, breaks.hidden, place)
    return places


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


def _far(part: Tape, hidden: list[tuple[Op, int]], start: float, end: float) -> list[float]:
    found: list[float] = []
    steps = 0
    with ball_precision(_BITS[1]):
        for near, far in zip(_DECADES, _DECADES[1:], strict=False):
            for a, b in ((near, far), (-far, -near)):
                a, b = max(a, start), min(b, end)
                if a >= b or steps > _STEP_BUDGET:
                    continue
                places, spent = _decade(part, hidden, a, b)
                found += places
                steps += spent * len(part.variable)
    return found


def _decade(part: Tape, hidden: list[tuple[Op, int]], a: float, b: float) -> tuple[list[float], int]:
    """Return places in one interval outside the window, and the evaluations spent."""
    found: list[float] = []
    spent = 0
    level = [(a, b)]
    while level and spent < _FAR_BUDGET and len(level) + len(found) <= _CROWD:
        following: list[tuple[float, float]] = []
        for a, b in level:
            spent += 1
            if not _may_vanish(part, hidden, a, b):
                continue
            if b - a < abs(a) * _WIDTH:
                found.append(a / 2 + b / 2)
            else:
                # In the geometric middle while the ends are far apart.
                centre = math.copysign(math.sqrt(a) * math.sqrt(b) if a > 0 else math.sqrt(-a) * math.sqrt(-b), a)
                following += ((a, centre), (centre, b))
        level = following
    crowd = [a / 2 + b / 2 for a, b in level]
    return found + crowd[:: max(1, len(crowd) // 2)], spent


def _split(a: float, b: float, parts: int) -> Iterator[tuple[float, float]]:
    width = (b - a) / parts
    for i in range(parts):
        yield a + i * width, a + (i + 1) * width


def _may_vanish(tape: Tape, hidden: list[tuple[Op, int]], a: float, b: float) -> bool:
    # A little wider, against the rounding of the ends.
    slots = tape.values(acb(arb(a / 2 + b / 2, (b / 2 - a / 2) * 1.0002)))
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


def _lobe(part: Tape, hidden: list[tuple[Op, int]], place: Fraction) -> list[Fraction]:
    """Return the two zeros of a hidden slot between which it barely changes sign near ``place``.

    ``0.9999999999 + sin x`` is negative on intervals far narrower than the search is wide. Between such zeros lies
    a turning point, which the secant method finds from the slope.
    """
    width = Fraction(max(1.0, abs(_float(place))) * _WIDTH)
    for op, slot in hidden:
        previous, current = place - width, place + width
        for bits, rounds in _TURN_BITS:
            with ball_precision(bits):
                lobe, previous, current = _turn(part, op, slot, (previous, current), rounds)
            if abs(current - place) > 8 * width:
                break
            if lobe is not None:
                return [current - lobe, current + lobe]
    return []


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
