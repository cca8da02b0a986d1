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

_BASED = re.compile(r"\(?\s?([0-9a-fA-F]{1,200})\s?\)?\s?_\s?\{?\s?\(?\s?([0-9]{1,2})\s?\)?\s?\}?")
_BASE_IN_WORDS = re.compile(
    r"([0-9a-fA-F]{1,200})\s?_?\{?\s?\(?(?:in\s)?base\s([a-z]+|[0-9]{1,2})\s?\)?\}?", re.IGNORECASE
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
_TAIL = re.compile(
    r"(?<=[0-9A-Za-z)}\]])(?:\s|,|\\[,;:! ]|\\q?quad(?![A-Za-z])){0,6}\(?\s?"
    r"(?:\\text\s?\{\s?,?\s?(?:only|(?:for|where|with|when)(?:\s(?:all|any|every|each|some|real|constants?|positive|integers?|numbers?|is|a|an)){0,4})\s?\}|\\forall(?![A-Za-z]))"
    r"(?:\s|\\[,;:! ]){0,3}(?P<condition>[a-z](?:\s?,\s?[a-z]){0,3}(?:\s?(?:\\in(?![A-Za-z])|∈|\\geq?|\\leq?|>|<|≥|≤|\\neq?)\s?(?:\\math(?:bb|bf)\s?\{?\s?[RZNQC]\s?\}?(?:\s?\^\s?\{?[+*]\}?)?|[ℝℤℕℚ]|-?[0-9]{1,9}|[a-z]))?)?\s?\)?$"
)
_CUP = re.compile(r"\\cup(?![A-Za-z])|∪")
_INEQUALITY = re.compile(r"[<>≤≥]|\\(?:le|ge|lt|gt|leq|geq)(?![A-Za-z])")
_REALS = r"(?:\\mathbb\s?(?:\{\s?R\s?\}|R)|ℝ)"
_POSITIVE = re.compile(_REALS + r"\s?(?:\^|_)\s?(?:\+|\{\s?(?:\+|>\s?0)\s?\})")
_NOT_NEGATIVE = re.compile(_REALS + r"\s?(?:\^|_)\s?\{\s?(?:\\geq?(?:slant)?\s?|≥\s?)0\s?\}")
_COMMANDS = re.compile(r"\\[A-Za-z]+")
_OWN = re.compile(r"(?<![A-Za-z\\])([a-z])(?![A-Za-z])")
_DERIVATIVE = re.compile(r"\\[dt]?frac\s?\{\s?d(?:\^\{?[0-9]\}?)?\s?[A-Za-z]?\s?\}\s?\{\s?d\s?[a-z]")
_PRODUCT = re.compile(r"\\Pi(?![A-Za-z])")
_TWO_SIGNS = re.compile(r"(?:\\pm|\\mp|[±∓])\s?(?:\\pm|\\mp|[±∓])")
_PROGRAM = re.compile(r"0[xX][0-9A-Fa-f]+|0[bB][01]+|0[oO][0-7]+")
_MIN_SHOWN = 3


def integer_letter(text: str) -> str:
    r"""Return the letter of which a tail says that it is an integer, as in ``n\pi, n \in \mathbb{Z}``; else nothing."""
    tail = _FAMILY.search(text)
    letter = _OWN.search(tail[0]) if tail is not None else None
    return letter[1] if letter is not None else ""


def whole_set(text: str) -> str:
    r"""Return ``Z`` or ``N`` when a tail says that a letter is one of these, ``n \in \mathbb{N}``; else nothing."""
    tail = _FAMILY.search(text)
    if tail is None:
        return ""
    return "N" if "N" in tail[0] or "ℕ" in tail[0] else "Z"


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
    if text[:1] == "0" and _PROGRAM.fullmatch(text):
        raise ParseError("syntax", "a numeral of a programming language")
    return algebra.parse(rewritten(text), limits=limits, mixed=True)


def _without_condition(tail: re.Match[str]) -> str:
    """Return nothing for a tail that only says for which values of its own letters a formula holds."""
    condition = tail["condition"]
    formula = tail.string[: tail.start()]
    if condition is None:
        return "" if "only" in tail[0] else tail[0]
    letters = re.findall(r"[a-z]", re.split(r"\\|[<>≤≥∈]", condition)[0])
    own = set(_COMMANDS.sub("", formula))
    return "" if own.issuperset(letters) else tail[0]


def rewritten(text: str) -> str:
    """Return ``text`` as the parser reads it."""
    if "_" in text or "base" in text:
        plain = plain_words(text).replace("\\left", "").replace("\\right", "")
        match = _BASED.fullmatch(plain) or _BASE_IN_WORDS.fullmatch(plain)
        if match is not None:
            base = _BASES.get(match[2].lower()) or (int(match[2]) if match[2].isdigit() else 0)
        # Letters are digits of large bases only: a_1 is a letter with a number.
        if match is not None and (match[1].isdigit() or base > _BASES["ten"]):
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
    if "\\cup" in text or "∪" in text:
        parts = _CUP.split(text)
        if all(map(_INEQUALITY.search, parts)) and not any(sign in text for sign in "([{"):
            text = " \\text{ or } ".join(parts)
    if "R" in text or "ℝ" in text:
        text = _POSITIVE.sub(r"(0,\\infty)", _NOT_NEGATIVE.sub(r"[0,\\infty)", text))
    if "\\text" in text or "\\forall" in text:
        text = _TAIL.sub(_without_condition, text)
    if "'" in text or "\\prime" in text:
        text = _PRIME.sub(r"\1_{prime}", text)
    return text
