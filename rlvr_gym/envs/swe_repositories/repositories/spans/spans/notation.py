"""The notation of page ranges: "1-3,7" is 1, 2, 3 and 7."""

from __future__ import annotations

from spans.sets import SpanSet


class SpanError(ValueError):
    """A text that is no list of ranges."""


def parse(text: str, *, last: int | None = None) -> SpanSet:
    """Return the set that ``text`` names.

    Args:
        text: Numbers and ranges with commas; both ends of a range belong to it. Blanks do not matter.
        last: The number that an open range, such as "5-", goes up to.

    Raises:
        SpanError: a part that is no number and no range, or a range that runs backwards.
    """
    spans = []
    for part in text.split(","):
        part = part.strip()
        if not part:
            continue
        first, dash, second = part.partition("-")
        start = _number(first, part)
        if not dash:
            stop = start
        elif second.strip():
            stop = _number(second, part)
        elif last is not None:
            stop = last
        else:
            raise SpanError(f"{part!r} is open, and there is no last number")
        if stop < start:
            raise SpanError(f"{part!r} runs backwards")
        spans.append((start, stop + 1))
    return SpanSet(spans)


def _number(text: str, part: str) -> int:
    text = text.strip()
    if not text.isdecimal():
        raise SpanError(f"{part!r} is no number and no range")
    return int(text)


def format_spans(numbers: SpanSet, *, separator: str = ",") -> str:
    """Return the notation of a set, such that ``parse`` reads it: ranges of one number are written as that number."""
    parts = []
    for start, stop in numbers.spans:
        last = stop - 1
        parts.append(str(start) if last == start else f"{start}-{last}")
    return separator.join(parts)
