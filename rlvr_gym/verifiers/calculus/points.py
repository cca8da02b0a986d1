"""Where to compare: cells of the real line between breaks, and keyed points inside them."""

from __future__ import annotations

import hashlib
import itertools
import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Final

from flint import acb, arb

from rlvr_gym.verifiers.calculus.tape import Ball, rational_ball

_KEY = b"rlvr_gym.calculus.points"


@dataclass(frozen=True, slots=True, eq=False)
class Cell:
    """An open interval; None is an infinite end."""

    low: Fraction | None
    high: Fraction | None

    def __str__(self) -> str:
        low = "-inf" if self.low is None else shown(self.low)
        high = "inf" if self.high is None else shown(self.high)
        return f"({low}, {high})"


@dataclass(frozen=True, slots=True)
class Domain:
    """The real interval on which a pair is judged; None is an infinite end."""

    low: Fraction | None = None
    high: Fraction | None = None


def shown(value: Fraction) -> str:
    """Return ``value`` with six digits."""
    try:
        return f"{float(value):.6g}"
    except OverflowError:
        return "about 2^" + str(value.numerator.bit_length() - value.denominator.bit_length())


REAL_LINE: Final = Domain()


@dataclass(frozen=True, slots=True)
class Point:
    """A real number ``start + scale * t`` with ``t`` between 0.05 and 0.95.

    ``t`` mixes a rational with an exponential of another, so that no formula in one variable can vanish at all such
    points without vanishing everywhere: at plain fractions ``sin(2^64 pi x)^2`` would.
    """

    start: Fraction
    scale: float | Fraction
    rho: float
    sigma: float

    def ball(self) -> Ball:
        """Return the point at FLINT's current precision."""
        t = (arb(self.rho) + arb(-self.sigma).exp()) / 2
        scale = arb(self.scale) if isinstance(self.scale, float) else rational_ball(self.scale)
        step = scale * t
        return acb(rational_ball(self.start) + step if self.start else step)

    def moved(self, distance: float) -> Point:
        """Return the point ``distance`` farther to the right."""
        return replace(self, start=self.start + Fraction(distance))

    def __float__(self) -> float:
        t = (self.rho + math.exp(-self.sigma)) / 2
        return float(self.start) + float(self.scale) * t


class Stream:
    """Numbers fixed by a text: the same pair of formulas is always judged at the same points."""

    def __init__(self, *texts: str) -> None:
        digest = hashlib.blake2b(key=_KEY, digest_size=32)
        for text in texts:
            data = text.encode("utf-8", "surrogatepass")
            digest.update(len(data).to_bytes(8, "big"))
            digest.update(data)
        self._state = digest.digest()
        self._words = self._generate()

    def _generate(self) -> Iterator[int]:
        counter = 0
        while True:
            block = hashlib.blake2b(self._state + counter.to_bytes(8, "big")).digest()
            for at in range(0, 64, 4):
                yield int.from_bytes(block[at : at + 4], "big")
            counter += 1

    def unit(self) -> float:
        """Return a number between 0.05 and 0.95 with 32 random bits; floats are exact in balls."""
        return next(self._words) * (0.9 / 2**32) + 0.05

    def point(self, cell: Cell, index: int) -> Point:
        """Return a point of ``cell``; in an infinite cell ``index`` says how far out to look."""
        # -log(0.05) is about 3: sigma in (0.05, 3) spreads exp(-sigma) over (0.05, 0.95).
        rho, sigma = self.unit(), 3 * self.unit()
        if cell.low is not None and cell.high is not None:
            return Point(cell.low, cell.high - cell.low, rho, sigma)
        end = cell.high if cell.low is None else cell.low
        assert end is not None, "0 splits the whole line"
        reach: float | Fraction = _REACH[index % len(_REACH)]
        if abs(end) > 4:
            # Exact, since an end may lie beyond every float.
            reach = Fraction(reach) * abs(end) / 4
        return Point(end, -reach if cell.low is None else reach, rho, sigma)


_REACH: Final = (2.0, 5.0, 0.5, 12.0, 0.02, 100.0, 2000.0)
"""Distances from the end of an infinite cell, in the order of use."""


def cells(low: Fraction | None, high: Fraction | None, breaks: list[Fraction]) -> list[Cell]:
    """Return the cells into which ``breaks`` and 0 cut the interval from ``low`` to ``high``."""
    inside = sorted(
        b for b in {*breaks, Fraction(0)} if (low is None or low < b) and (high is None or b < high)
    )
    edges: list[Fraction | None] = [low, *inside, high]
    return [Cell(a, b) for a, b in itertools.pairwise(edges)]
