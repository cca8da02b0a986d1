"""Times of day: ``3:30``, ``3:30 PM``, ``15:30``."""

from __future__ import annotations

import re
from dataclasses import dataclass

from rlvr_gym.verifiers.answers.normalise import plain_words

_TIME = re.compile(
    r"([0-9]{1,2})\s?:\s?([0-5][0-9])(?::([0-5][0-9]))?\s?([ap])?\.?\s?(?:m\.?)?(?:\s?o'clock)?",
    re.IGNORECASE,
)
_HOUR = re.compile(r"([0-9]{1,2})\s?(?:([ap])\.?\s?m\.?|o'?\s?clock)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Clock:
    """A time; ``half`` is ``"a"`` or ``"p"``, or empty where it is not said."""

    hour: int
    minute: int
    second: int
    half: str

    @property
    def looks_like_time(self) -> bool:
        """Whether it cannot be meant as a ratio, or is one not in lowest terms."""
        return bool(self.half) or self.minute < 10 or self.minute % 5 == 0

    def same(self, other: Clock) -> bool:
        """Return whether both may name one time; a half of the day that one leaves out is no difference."""
        if (self.minute, self.second) != (other.minute, other.second):
            return False
        if self.half and other.half:
            return self._hours() == other._hours()
        if self.half or other.half:
            named, bare = (self, other) if self.half else (other, self)
            return bare.hour in (named._hours(), named.hour)
        return self.hour == other.hour

    def _hours(self) -> int:
        return self.hour % 12 + (12 if self.half == "p" else 0)


def read_clock(text: str) -> Clock | None:
    """Return the time of day that ``text`` is, None for anything else."""
    plain = " ".join(plain_words(text).replace("\\", "").split())
    match = _TIME.fullmatch(plain)
    if match is not None:
        clock = Clock(int(match[1]), int(match[2]), int(match[3] or 0), (match[4] or "").lower())
    else:
        match = _HOUR.fullmatch(plain)
        if match is None:
            return None
        clock = Clock(int(match[1]), 0, 0, (match[2] or "").lower())
    return clock if clock.hour < (13 if clock.half else 25) else None
