r"""One spelling for what prints the same: characters, delimiters, wrappers and LaTeX spacing.

``normalise`` keeps everything that could matter to a parser; ``key`` is for comparing texts only.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

_CHARACTERS: Final = {
    # Marks that print nothing.
    **dict.fromkeys("\u00ad\u200b\u200c\u200d\u200e\u200f\u2060\u2061\u2063\u2064\ufeff\ufe0e\ufe0f", ""),
    # Spaces.
    **dict.fromkeys("\u00a0\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u202f\u205f\u3000\t\n\r\f\v", " "),
    # Dashes that stand for a minus.
    **dict.fromkeys("\u2010\u2011\u2012\u2013\u2212\ufe63\uff0d", "-"),
    **dict.fromkeys("\u2018\u2019\u02bc\u2032", "'"),
    **dict.fromkeys("\u201c\u201d\u2033", '"'),
    "或": " or ", "且": " and ", "和": " and ", "\u2014": " - ", "\u3002": ".", "\u3001": ",", "º": "°", "˚": "°",
    # Full-width forms of ASCII.
    **{chr(code): chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F) if code != 0xFF0D},
    # Bold, italic and other styles of the ten digits.
    **{chr(0x1D7CE + at): "0123456789"[at % 10] for at in range(50)},
}  # fmt: skip
_TABLE: Final = str.maketrans(_CHARACTERS)
_SPANS: Final = (
    ("$$", "$$"),
    ("$", "$"),
    ("\\(", "\\)"),
    ("\\[", "\\]"),
    ("**", "**"),
    ("__", "__"),
    ("``", "``"),
    ("`", "`"),
)
_COMMANDS: Final = (
    "\\text", "\\textbf", "\\textit", "\\textrm", "\\textsf", "\\texttt", "\\mathrm", "\\mathbf", "\\mathit", "\\mathsf", "\\mathtt",
    "\\boldsymbol", "\\bm", "\\mbox", "\\hbox", "\\boxed", "\\fbox", "\\emph", "\\ensuremath", "\\operatorname", "\\displaystyle",
    "\\underline", "\\bf", "\\rm", "\\large", "\\Large", "\\textnormal", "\\mathop",
)  # fmt: skip
_COMMAND = re.compile(
    rf"(?:{'|'.join(map(re.escape, sorted(_COMMANDS, key=len, reverse=True)))})(?![A-Za-z])\s*+"
)
_SPACING = re.compile(
    r"\\\\|\\(?:[,;:!> ]|q?quad(?![A-Za-z])|hspace\{[^{}]{0,20}\}|(?:displaystyle|limits|nolimits|left|right|[bB]igg?[lr]?)(?![A-Za-z])(?:\.(?=\s|$))?)|~"
)
_FRACTION = re.compile(r"\\[dtc]frac(?![A-Za-z])")
_THOUSANDS = re.compile(r"(?<=[0-9])\s?(?:\{\s?,\s?\}|,?\\[!,])\s?(?=[0-9]{3}(?![0-9]))")
_COLOR = re.compile(r"\\(?:text)?color\s?\{[A-Za-z]{1,20}\}\s?(?:\{([^{}]*)\})?")
_MODULUS = re.compile(r"\\pmod\s?\{([0-9A-Za-z]{1,20})\}")
_ONE_SIGN = re.compile(r"([\^_])\s?\{\s?([0-9A-Za-z])\s?\}(?![0-9A-Za-z])")
_DOLLAR = re.compile(r"(?<!\\)\$")
_LOOSE_SPACE = re.compile(r"(?<![0-9A-Za-z]) | (?![0-9A-Za-z])")


def normalise(text: str) -> str:
    r"""Return ``text`` with plain characters and without delimiters, wrappers or a full stop around it.

    Example:
        >>> normalise("$\\\\boxed{\\\\text{East}}$.")
        'East'
    """
    if not text.isascii() or not text.isprintable():
        text = text.translate(_TABLE)
    text = text.strip()
    for _ in range(6):
        bare = _peeled(text)
        if bare == text:
            break
        text = bare
    if "\\" in text or "{" in text:
        text = _THOUSANDS.sub(",", text).replace("\\!", "")
        if "color" in text:
            text = _COLOR.sub(r"\1", text)
    if "$" in text and _DOLLAR.subn("", text)[1] % 2 == 0:
        # $28$ %: several pieces of mathematics in a line.
        text = _DOLLAR.sub("", text)
    return text


def _peeled(text: str) -> str:
    """Return ``text`` without one layer around it."""
    if text.endswith((".", ",", ";", ":")) and not text.endswith(("..", "\\,", "\\;", "\\:", "a.m.", "p.m.")):
        text = text[:-1].rstrip()
    if text.endswith(("\\,", "\\;", "\\:", "\\ ", "\\!")) and not text.endswith(("\\\\,", "\\\\;")):
        text = text[:-2].rstrip()
    if text.startswith(("\\,", "\\;", "\\:", "\\ ", "\\!")):
        text = text[2:].lstrip()
    text = text.rstrip("\\").rstrip()
    for left, right in _SPANS:
        if len(text) > len(left) + len(right) and text.startswith(left) and text.endswith(right):
            inner = text[len(left) : -len(right)]
            if left not in inner.replace("\\$", "") and not inner.endswith("\\"):
                return inner.strip()
    if text.startswith("\\"):
        match = _COMMAND.match(text)
        if match is not None:
            rest = text[match.end() :]
            if match[0].strip() in ("\\displaystyle", "\\bf", "\\rm", "\\large", "\\Large"):
                return rest
            if rest.startswith("{") and closing_brace(rest, 0) == len(rest) - 1:
                return rest[1:-1].strip()
    if len(text) > 2 and text[0] == text[-1] and text[0] in "\"'" and text[0] not in text[1:-1]:
        return text[1:-1].strip()
    return text


def closing_brace(text: str, at: int) -> int:
    """Return where the brace that opens at ``at`` closes, -1 when it does not."""
    level = 0
    while at < len(text):
        char = text[at]
        if char == "\\":
            at += 1
        elif char == "{":
            level += 1
        elif char == "}":
            level -= 1
            if level == 0:
                return at
        at += 1
    return -1


_WORDY: Final = "|".join(sorted(map(re.escape, _COMMANDS), key=len, reverse=True))
_UNWRAPPED: Final = re.compile(rf"(?:{_WORDY})\s*+\{{((?:[^{{}}]|\{{[^{{}}]*\}})*+)\}}")


def plain_words(text: str) -> str:
    r"""Return ``text`` with ``\text{...}`` and its kin replaced by what they hold."""
    if "\\" not in text:
        return text
    for _ in range(3):
        bare = _UNWRAPPED.sub(r"\1", text)
        if bare == text:
            break
        text = bare
    return text


def key(text: str) -> str:
    """Return what two texts that print the same have in common; ``text`` is normalised already."""
    # Long texts come once, and would fill the memory.
    return _key(text) if len(text) <= _CACHED_CHARS else _key.__wrapped__(text)


_CACHED_CHARS: Final = 400


@lru_cache(maxsize=4096)
def _key(text: str) -> str:
    if "\\" in text or "~" in text:
        text = _SPACING.sub(lambda match: match[0] if match[0] == "\\\\" else " ", text)
        text = _FRACTION.sub(r"\\frac", text)
        text = _MODULUS.sub(r"\\pmod \1", text)
    if "{" in text:
        text = _ONE_SIGN.sub(r"\1\2", text)
    if " " in text:
        text = _LOOSE_SPACE.sub("", " ".join(text.split()))
    return text


_SIGNS: Final = (("\\cdot", "*"), ("\\times", "*"), ("×", "*"), ("·", "*"), ("⋅", "*"), ("**", "^"), ("\\div", "/"), ("÷", "/"), ("²", "^2"), ("³", "^3"), ("√", "sqrt"))  # fmt: skip


def squashed(text: str) -> str:
    """Return ``text`` with the same signs for multiplication and so on, and without what only groups or spaces."""
    text = key(text)
    for sign, plain in _SIGNS:
        text = text.replace(sign, plain)
    return text.replace("\\", "").replace("{", "").replace("}", "").replace(" ", "").replace("$", "")
