"""Where to compare: cells of the real line between breaks, and keyed points inside them."""

from __future__ import annotations

import hashlib
import itertools
import math
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from flint import acb, arb, fmpq

from rlvr_gym.verifiers.calculus.tape import Ball

_KEY = b"rlvr_gym.calculus.points"


@dataclass(frozen=True, slots=True)
class Cell:
    """An open interval; None is an infinite end."""

    low: Fraction | None
    high: Fraction | None

    def __str__(self) -> str:
        low = "-inf" if self.low is None else f"{float(self.low):.6g}"
        high = "inf" if self.high is None else f"{float(self.high):.6g}"
        return f"({low}, {high})"


@dataclass(frozen=True, slots=True)
class Point:
    """A real number ``start + scale * t`` with ``t`` between 0.05 and 0.95.

    ``t`` mixes a rational with an exponential of another, so that no formula in one variable can vanish at all such
    points without vanishing everywhere: at plain fractions ``sin(2^64 pi x)^2`` would.
    """

    start: Fraction
    scale: Fraction
    rho: Fraction
    sigma: Fraction

    def ball(self) -> Ball:
        """Return the point at FLINT's current precision."""
        t = (_arb(self.rho) + (-_arb(self.sigma)).exp()) / 2
        return acb(_arb(self.start) + _arb(self.scale) * t)

    def __float__(self) -> float:
        t = (float(self.rho) + math.exp(-float(self.sigma))) / 2
        return float(self.start) + float(self.scale) * t


def _arb(value: Fraction) -> Ball:
    return arb(fmpq(value.numerator, value.denominator))


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

    def fraction(self) -> Fraction:
        """Return a number between 0.05 and 0.95 with 32 random bits."""
        return Fraction(next(self._words) * 9, 10 << 32) + Fraction(1, 20)

    def point(self, cell: Cell, index: int) -> Point:
        """Return a point of ``cell``; in an infinite cell, higher indices lie farther out."""
        # -log(0.05) is about 3: sigma in (0.05, 3) spreads exp(-sigma) over (0.05, 0.95).
        rho, sigma = self.fraction(), 3 * self.fraction()
        if cell.low is not None and cell.high is not None:
            return Point(cell.low, cell.high - cell.low, rho, sigma)
        reach = _REACH[index % len(_REACH)]
        if cell.low is not None:
            return Point(cell.low, reach * max(Fraction(1), abs(cell.low) / 4), rho, sigma)
        if cell.high is not None:
            return Point(cell.high, -reach * max(Fraction(1), abs(cell.high) / 4), rho, sigma)
        raise AssertionError("0 splits the whole line")


_REACH = (
    Fraction(2),
    Fraction(5),
    Fraction(1, 2),
    Fraction(12),
    Fraction(1, 50),
    Fraction(100),
    Fraction(2000),
)


def cells(low: Fraction | None, high: Fraction | None, breaks: list[Fraction]) -> list[Cell]:
    """Return the cells into which ``breaks`` and 0 cut the interval from ``low`` to ``high``."""
    inside = sorted(
        b for b in {*breaks, Fraction(0)} if (low is None or low < b) and (high is None or b < high)
    )
    edges: list[Fraction | None] = [low, *inside, high]
    return [Cell(a, b) for a, b in itertools.pairwise(edges)]
