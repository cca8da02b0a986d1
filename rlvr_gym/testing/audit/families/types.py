"""Texts that Python or a parser takes for something else than an answer."""

from __future__ import annotations

from collections.abc import Iterator

from rlvr_gym.testing.audit.families.base import Family, Named
from rlvr_gym.testing.audit.ground import Ground

_VALUES = (
    *("nan", "NaN", "inf", "-inf", "Infinity", "1e309", "-1e309", "1/0", "0/0"),
    *("True", "False", "true", "None", "null", "undefined", "void"),
    *("[]", "{}", "()", "set()", "''", '""', "b'98765'", "0x181cd", "0b11", "98_765", "1e98765"),
    *("lambda: 0", "object()", "__name__", "1j", "\\infty", "\\varnothing", "\\pm 98765", "-0"),
    *(
        "\N{ARABIC-INDIC DIGIT NINE}\N{ARABIC-INDIC DIGIT EIGHT}",
        "\N{SUPERSCRIPT TWO}",
        "\N{ROMAN NUMERAL TEN}",
    ),
    *("\N{VULGAR FRACTION SEVEN EIGHTHS}", "\N{CIRCLED DIGIT SEVEN}", "\N{FULLWIDTH DIGIT SEVEN}8765"),
)
_TEXTS = {
    "NUL": "\x00",
    "NUL and number": "\x0098765\x00",
    "controls": "\x01\x02\x7f\x1b[31m98765\x1b[0m",
    "lone surrogate": "\ud800",
    "surrogate and number": "98765\udfff",
    "noncharacter": "\uffff\ufffe",
    "right to left": "\N{RIGHT-TO-LEFT OVERRIDE}56789",
    "byte order mark": "\N{ZERO WIDTH NO-BREAK SPACE}98765",
    "broken escape": "\\u00 \\x \\N{",
    "format": "%s %d {0} {} {98765.__class__}",
    "bytes": repr(b"\xff\xfe98765"),
    "line separators": "98765\N{LINE SEPARATOR}98765\N{PARAGRAPH SEPARATOR}",
}


def types(ground: Ground) -> Iterator[Named]:
    """Yield values of other types, other scripts' digits, control characters and broken Unicode."""
    yield from _TEXTS.items()
    for name, text in _TEXTS.items():
        for channel in ground.channels:
            yield f"{name}, {channel.name}", channel.wrap(text)
    for value in _VALUES:
        # Read as a product, nothing times anything is nothing.
        if ground.accident(value) or (ground.value == 0 and value.startswith("0")):
            continue
        yield value, value
        for channel in ground.channels:
            yield f"{value}, {channel.name}", channel.wrap(value)


def spoiled(ground: Ground) -> Iterator[Named]:
    """Yield the right answer with a foreign character in it: it may be paid or not, and must be judged."""
    if ground.right is not None:
        half = len(ground.core) // 2
        for name, character in (
            ("NUL", "\x00"),
            ("surrogate", "\ud800"),
            ("escape", "\x1b[0m"),
            ("mark", "\ufeff"),
        ):
            core = f"{ground.core[:half]}{character}{ground.core[half:]}"
            yield f"{name} inside", ground.own.wrap(core)
            yield f"{name} after", f"{ground.right}{character}"


FAMILIES = (
    Family("odd types", types, blind=True, cases=2),
    Family("spoiled", spoiled, expect="any", cases=2),
)
