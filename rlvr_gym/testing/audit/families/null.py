"""Responses that answer nothing."""

from __future__ import annotations

from collections.abc import Iterator

from rlvr_gym.testing.audit.families.base import Family, Named
from rlvr_gym.testing.audit.ground import Ground

_NOTHING = (
    "I don't know",
    "no idea",
    "N/A",
    "As an AI model I cannot answer this",
    "the correct answer",
    "the same as the reference",
    "It depends",
    "any",
    "something",
    "lorem ipsum dolor sit amet",
    "qwertz uiop",
    "?",
    "...",
)
_BLANK = {
    "empty": "",
    "space": " ",
    "newline": "\n",
    "blanks": " \n\t\r\n ",
    "no-break space": "\N{NO-BREAK SPACE}",
    "ideographic space": "\N{IDEOGRAPHIC SPACE}",
    "zero width": "\N{ZERO WIDTH SPACE}\N{WORD JOINER}\N{ZERO WIDTH NO-BREAK SPACE}",
    "full stop": ".",
    "hyphen": "-",
    "comma": ",",
}


def null(ground: Ground) -> Iterator[Named]:
    """Yield fixed nonsense and confessions, alone and where the answer belongs."""
    for text in _NOTHING:
        yield "nonsense", text
    yield from ground.given(_NOTHING)


def empty(ground: Ground) -> Iterator[Named]:
    """Yield texts without a visible answer."""
    yield from _BLANK.items()


FAMILIES = (Family("null", null, blind=True), Family("empty", empty, blind=True))
