"""Days of the year: ``May 13``, ``13th of May``, ``July 4, 1776``."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from rlvr_gym.verifiers.answers.normalise import plain_words

_MONTHS: Final = (
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
    "december",
)  # fmt: skip
_NUMBERS: Final = {name: at for at, name in enumerate(_MONTHS, 1)} | {
    name[:3]: at for at, name in enumerate(_MONTHS, 1)
}
_MONTH: Final = f"({'|'.join(_MONTHS)}|{'|'.join(name[:3] for name in _MONTHS)})\\.?"
_DAY: Final = r"([0-9]{1,2})(?:st|nd|rd|th)?"
_YEAR: Final = r"(?:,?\s([0-9]{4}))?"
_DATE = re.compile(rf"(?:on\s)?{_MONTH}\s{_DAY}{_YEAR}")
_DAY_FIRST = re.compile(rf"(?:on\s)?(?:the\s)?{_DAY}\s(?:of\s)?{_MONTH}{_YEAR}")
_LAST_DAY: Final = 31


@dataclass(frozen=True, slots=True)
class Date:
    """A day; ``year`` is 0 where it is not said."""

    month: int
    day: int
    year: int

    def takes(self, other: Date) -> bool:
        """Return whether ``other`` names this day; a year may be added, not left out."""
        return (self.month, self.day) == (other.month, other.day) and self.year in (0, other.year)


def read_date(text: str) -> Date | None:
    """Return the day that ``text`` is, None for anything else."""
    if len(text) > 60:
        return None
    plain = " ".join(re.sub(r"\\[,;: ]|[~^{}]", " ", plain_words(text)).lower().split())
    plain = re.sub(r"(?<=[0-9]) (?=(?:st|nd|rd|th)(?![a-z]))", "", plain)
    match = _DATE.fullmatch(plain)
    if match is not None:
        month, day, year = match.groups()
    else:
        match = _DAY_FIRST.fullmatch(plain)
        if match is None:
            return None
        day, month, year = match.groups()
    return Date(_NUMBERS[month], int(day), int(year or 0)) if 0 < int(day) <= _LAST_DAY else None
