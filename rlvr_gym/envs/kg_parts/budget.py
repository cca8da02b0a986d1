"""Sizes of texts in tokens, estimated: every tokenizer counts otherwise, and environments know none."""

from __future__ import annotations

BYTES_PER_TOKEN = 4
"""About what English takes with common vocabularies."""
IMAGE_TOKENS = 256
"""What an image counts as, whatever its size; common readers take about so many for one of a few hundred pixels a side."""
_CUT = " [...]"


def tokens_of(text: str) -> int:
    """Return the number of UTF-8 bytes in ``text`` over four, rounded up."""
    return -(-len(text.encode("utf-8", "surrogatepass")) // BYTES_PER_TOKEN)


def within(text: str, tokens: int) -> str:
    """Return ``text``, or as much of its beginning as a budget has room for, marked as cut."""
    if tokens_of(text) <= tokens:
        return text
    room = max(0, tokens * BYTES_PER_TOKEN - len(_CUT))
    return text.encode("utf-8", "surrogatepass")[:room].decode("utf-8", "ignore") + _CUT
