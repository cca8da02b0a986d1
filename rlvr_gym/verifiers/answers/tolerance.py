"""When a rounded number stands for an exact one.

An exact reference takes exact answers only. A decimal reference takes what rounds to its own printed digits, unless
it looks exact itself: ``0.5`` and ``2.25`` are taken as one half and nine quarters.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

_DECIMAL = re.compile(
    r"(?<![0-9.,])([0-9]{1,3}(?:,[0-9]{3})+|[0-9]*)\.([0-9]{1,60})(?![0-9.])(?:\s?(?:\\times|\\cdot|×|\*|·)\s?10\s?\^\s?\{?\s?(-?[0-9]{1,3})\s?\}?|[eE]([+-]?[0-9]{1,3})(?![0-9]))?"
)
_NICE: Final = 20
"""Decimals whose fraction has a denominator up to this look exact."""
_FLOAT_DIGITS: Final = 15
_FLOAT_STEP: Final = Fraction(1, 2**52)
MIN_DIGITS: Final = 6
"""Significant digits from which a decimal may stand for an exact reference, where the task allows decimals."""


@dataclass(frozen=True, slots=True)
class Rounded:
    """A printed decimal: its value, half a unit of its last digit, and how many digits count."""

    value: Fraction
    half: Fraction
    digits: int

    @property
    def exact(self) -> bool:
        """Whether the number looks like an exact one that happens to be written as a decimal."""
        return self.value.denominator <= _NICE

    def takes(self, value: Fraction) -> bool:
        """Return whether a rational ``value`` rounds to this number."""
        if value == self.value:
            return True
        if self.exact and (self.digits < 3 or _terminates(value)):
            return False
        # Half a unit above rounds up, to the next number.
        return self.digits >= 2 and -self.half <= value - self.value < self.half

    @property
    def takes_irrational(self) -> bool:
        """Whether an irrational number that rounds to this one is meant by it."""
        return self.digits >= (3 if self.exact else 2)


def decimals(text: str) -> dict[Fraction, Rounded]:
    """Return the decimals that are printed in a text, by their absolute value."""
    found = {}
    if "." in text:
        for match in _DECIMAL.finditer(text):
            whole, after = match[1].replace(",", ""), match[2]
            exponent = int(match[3] or match[4] or 0)
            unit = Fraction(10) ** (exponent - len(after))
            value = int(whole + after) * unit
            digits = len((whole + after).lstrip("0"))
            # Programs print 2/3 as 0.6666666666666666: right as a float, but not rounded to its last digit.
            half = max(unit / 2, value * _FLOAT_STEP) if digits >= _FLOAT_DIGITS else unit / 2
            found[value] = Rounded(value, half, digits)
    return found


def _terminates(value: Fraction) -> bool:
    """Return whether ``value`` is a finite decimal, for which a rounded reference would have been written out."""
    left = value.denominator
    for prime in (2, 5):
        while left % prime == 0:
            left //= prime
    return left == 1
