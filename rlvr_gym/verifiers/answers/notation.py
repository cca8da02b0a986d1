r"""Ways of writing that are put into another one before an answer is parsed.

``(52)_8`` and ``1a_{16}`` become ``52_8`` and ``1A_{16}``, ``3 to 4`` becomes ``3:4``, ``0.333\ldots`` a repeating
decimal, ``5e-3`` a product, and ``x'`` a letter of its own. Arrows over vectors and signs before names of angles and
triangles are dropped.
"""

from __future__ import annotations

import re

from rlvr_gym.verifiers import algebra
from rlvr_gym.verifiers.algebra import DEFAULT, Limits, Node, ParseError
from rlvr_gym.verifiers.answers.normalise import plain_words

_BASED = re.compile(r"\(?\s?([0-9a-fA-F]{1,200})\s?\)?\s?_\s?\{?\s?([0-9]{1,2})\s?\}?")
_BASE_IN_WORDS = re.compile(
    r"([0-9a-fA-F]{1,200})\s?_?\{?\s?(?:\(?in\s)?base\s([a-z]+|[0-9]{1,2})\s?\)?\}?", re.IGNORECASE
)
_TO = re.compile(r"([0-9]{1,12})\sto\s([0-9]{1,12})(?:\sto\s([0-9]{1,12}))?")
_GOES_ON = re.compile(r"(-?[0-9]{1,30})\.([0-9]{0,60}?)([0-9]{1,12}?)(\3{1,20})\s?(?:\\[lc]?dots|\.\.\.|…)")
_BASES = {
    "two": 2,
    "three": 3,
    "four": 4,
    "five": 5,
    "six": 6,
    "seven": 7,
    "eight": 8,
    "nine": 9,
    "ten": 10,
    "twelve": 12,
    "sixteen": 16,
}
_PRIME = re.compile(r"(?<![A-Za-z\\])([A-Za-z])(?:\s?\^\s?\{?\s?\\prime\s?\}?|')")
_SCIENTIFIC = re.compile(r"([+-]?[0-9]{1,60}(?:\.[0-9]{1,60})?)[eE]([+-]?[0-9]{1,4})")
_DECORATED = re.compile(
    r"\\(?:vec|overrightarrow|hat|tilde)\s?(?:\{([A-Za-z]{1,3})\}|(?<=vec\s)([A-Za-z]))|\\(?:overline|widehat)\s?\{([A-Z]{2,3})\}"
)
_SYMBOLS = re.compile(r"(?:m\s?)?\\(?:measured)?angle(?![A-Za-z])\s?|\\triangle(?![A-Za-z])\s?")
_DEGREES = re.compile(r"\s?\^\s?(?:\\circ(?![A-Za-z])|\{\s?\\circ\s?\})|°")
_BLANK = r"(?:\s|\\[,;:! ]|\\q?quad|\\text\{\s*(?:,|where|for|with|and)?\s*\}|,|\(|where|for|with){1,6}"
_FAMILY = re.compile(
    _BLANK
    + r"[a-z]\s?(?:\\in|∈|\\text\{ in \}|is an)\s?(?:\\math(?:bb|bf)\s?\{?\s?[ZN]\s?\}?|[ZNℤℕ]|\\Z|integer|\\text\{an integer\})\s?\)?$"
)
_EVERYWHERE = re.compile(
    r",?(?:\\text\{\s?)?\s?for (?:all|any|every)(?: real)?(?:\s?\})?(?:\s?[a-z])?(?:\s?(?:\\in|∈)\s?(?:\\mathbb\s?\{?R\}?|ℝ|R))?$"
)
_DERIVATIVE = re.compile(r"\\[dt]?frac\s?\{\s?d(?:\^\{?[0-9]\}?)?\s?[A-Za-z]?\s?\}\s?\{\s?d\s?[a-z]")
_PRODUCT = re.compile(r"\\Pi(?![A-Za-z])")
_TWO_SIGNS = re.compile(r"(?:\\pm|\\mp|[±∓])\s?(?:\\pm|\\mp|[±∓])")
_MIN_SHOWN = 3


def read(text: str, limits: Limits = DEFAULT) -> Node:
    """Return the tree of ``text``.

    Raises:
        ParseError: it is outside the grammar.
    """
    if "frac" in text and _DERIVATIVE.search(text):
        raise ParseError("unknown_name", "a derivative that is not worked out")
    if "Pi" in text and _PRODUCT.search(text):
        raise ParseError("unknown_name", "\\Pi")
    if ("p" in text or "±" in text) and _TWO_SIGNS.search(text):
        raise ParseError("syntax", "two signs in a row")
    return algebra.parse(rewritten(text), limits=limits, mixed=True)


def rewritten(text: str) -> str:
    """Return ``text`` as the parser reads it."""
    if "_" in text or "base" in text:
        plain = plain_words(text)
        match = _BASED.fullmatch(plain) or _BASE_IN_WORDS.fullmatch(plain)
        if match is not None:
            base = _BASES.get(match[2].lower()) or (int(match[2]) if match[2].isdigit() else 0)
            return f"{match[1].upper()}_{{{base}}}"
    if "to" in text:
        match = _TO.fullmatch(" ".join(plain_words(text).split()))
        if match is not None:
            return ":".join(part for part in match.groups() if part)
    if "..." in text or "dots" in text or "…" in text:
        match = _GOES_ON.fullmatch(text)
        if match is not None and len(match[3] + match[4]) >= _MIN_SHOWN:
            return f"{match[1]}.{match[2]}\\overline{{{match[3]}}}"
    if "e" in text or "E" in text:
        match = _SCIENTIFIC.fullmatch(text)
        if match is not None:
            return f"{match[1]}\\times 10^{{{match[2]}}}"
    if "°" in text or "circ" in text:
        text = _DEGREES.sub(r"\\degree ", text)
    if "\\" in text:
        text = _SYMBOLS.sub("", _DECORATED.sub(lambda match: match[1] or match[2] or match[3], text))
    if "in" in text or "∈" in text or "for" in text:
        bare = _FAMILY.sub("", text)
        text = _EVERYWHERE.sub("", bare if bare.strip() else text)
    if "'" in text or "\\prime" in text:
        text = _PRIME.sub(r"\1_{prime}", text)
    return text
