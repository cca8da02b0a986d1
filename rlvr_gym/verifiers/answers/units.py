r"""A number and its unit: ``10 cm``, ``\$18``, ``74^\circ``, ``60 miles per hour``, ``5 red marbles``, ``12th``."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise
from typing import Final

from rlvr_gym.verifiers.answers.normalise import plain_words
from rlvr_gym.verifiers.answers.phrases import is_prose
from rlvr_gym.verifiers.answers.unit_table import (
    BARE_LETTERS,
    COMMON_LETTERS,
    COUNTED,
    NO_UNITS,
    SCALES,
    TRAILING,
    UNITS,
    UPRIGHT_LETTERS,
    Dims,
)


@dataclass(frozen=True, slots=True)
class Unit:
    """``scale`` times a product of powers of base units; without any it is a plain factor, as percent is."""

    scale: Fraction
    dims: Dims
    name: str

    @property
    def noun(self) -> bool:
        """Whether it is plain words for what is counted."""
        return bool(self.dims) and self.dims[0][0].startswith("~")

    @property
    def percent(self) -> bool:
        """Whether it is nothing but a factor."""
        return not self.dims


@dataclass(frozen=True, slots=True)
class Measured:
    """The text of a number, what words such as "million" multiply it by, and its unit."""

    number: str
    factor: Fraction
    unit: Unit | None


_CURRENCY = re.compile(
    r"^(?P<sign>[-+]?)\s?(?:US|USD\s?|us)?(?P<unit>\\?\$|\\pounds|\\euro|€|£|¥|₹|Rs\.?(?=\s?[0-9])|USD(?=\s?[0-9])|EUR(?=\s?[0-9]))\s?(?P<rest>.+)$",
    re.DOTALL,
)
_DEGREES = re.compile(
    r"\s?(?:\^\s?\{?\s?(?:\\(?:circ|degree)|o)\s?\}?|\\degree|°)\s?(?P<scale>\{?\s?[CF]\s?\}?)?$"
)
_ORDINAL = re.compile(r"^(-?[0-9][0-9,]*+)\s?\^?\{?\s?(?:st|nd|rd|th)\s?\}?$", re.IGNORECASE)
_PERCENT = re.compile(
    r"\s?(?:\\?%|(?<![A-Za-z])per\s?cent|(?<![A-Za-z])percent(?:age(?: points?)?)?|(?<![A-Za-z])pct\.?)$",
    re.IGNORECASE,
)
_WORD: Final = r"[A-Za-zµμΩ¢€£]{1,20}"
_POWER: Final = r"(?:\s?\^\s?\{?\s?-?[1-4]\s?\}?|[²³])?"
_ATOM: Final = rf"(?:(?:square|sq\.?|cubic|cu\.?)\s)?{_WORD}\.?{_POWER}"
_TAIL = re.compile(
    rf"(?P<gap>\s|(?<=[0-9)}}\]]))(?P<unit>\(?{_ATOM}(?:\s?(?:/|\bper\b|\*|\\cdot|·|\\times|-|\s)\s?{_ATOM}){{0,4}}\)?)$"
)
_PART = re.compile(
    rf"(?P<per>/|\bper\b)|(?P<prefix>\bsquare\b|\bsq\b\.?|\bcubic\b|\bcu\b\.?)|(?P<word>{_WORD})\.?(?P<power>{_POWER})"
)
_COMPOUND = re.compile(r"([0-9][0-9,]*+(?:\.[0-9]++)?)\s?([A-Za-z'\"]{1,12})(?:\s?(?:,|and)?\s?)(?=[0-9]|$)")
_FUNCTION = re.compile(r"(?:sin|cos|tan|cot|sec|csc|log|ln|exp|sqrt)[a-z]?")
_UPRIGHT = re.compile(r"\\(?:text|mathrm|textrm|mbox)\s?\{[^{}]*\}\s?(?:\^\s?\{?-?[0-9]\}?)?$")
_NUMERIC = re.compile(
    r"\\(?:pi|sqrt|[dt]?frac|cdot|times|left|right)(?![A-Za-z])|[^A-Za-z\\]|\\[,!; ]|(?<=[0-9])e(?=[+-]?[0-9])"
)
_NO_UNIT = re.compile(
    r"(?:[-0-9+*/^(){}\[\],.=\s|!]|\\(?:pi|sqrt|[dt]?frac|cdot|times|left|right)(?![A-Za-z]))*+"
)
"""Formulas without a letter or sign that a unit could be written with."""
_PRODUCT = re.compile(r"\\(?:cdot|times)\s?(?=\\(?:text|mathrm|mbox))")
_MICRO = re.compile(r"\\mu\s?(?=\\(?:text|mathrm)\s?\{)")
_OHM = re.compile(r"(?<=[0-9, ])\\Omega(?![A-Za-z])")
_LETTER = re.compile(r"([A-Za-z])(\s?\^.*)?")
_DEGREE: Final = Unit(Fraction(1), (("deg", 1),), "°")


def measured(text: str, *, letters: bool = True) -> Measured:
    """Return ``text`` taken apart into number and unit; without a unit it comes back as it is.

    Args:
        text: A normalised text.
        letters: Whether one letter after a number, as in ``10m``, may be a unit.
    """
    # Long texts come once, and would fill the memory.
    return _measured(text, letters) if len(text) <= _CACHED_CHARS else _measured.__wrapped__(text, letters)


_CACHED_CHARS: Final = 400


@lru_cache(maxsize=4096)
def _measured(text: str, letters: bool) -> Measured:
    if _NO_UNIT.fullmatch(text):
        return Measured(text, Fraction(1), None)
    bare = _ORDINAL.match(plain_words(text))
    if bare is not None:
        return Measured(bare[1], Fraction(1), None)
    money = _CURRENCY.match(text)
    if money is not None and money["rest"][0] in "0123456789.-\\({" and "$" not in money["rest"]:
        name = money["unit"].removeprefix("\\")
        name = {"pounds": "£", "euro": "€", "Rs": "₹", "Rs.": "₹", "USD": "$", "EUR": "€"}.get(name, name)
        inner = measured(money["rest"].strip(), letters=False)
        if inner.unit is None or inner.unit.dims == UNITS[name][1]:
            return Measured(money["sign"] + inner.number, inner.factor, _named(name))
    percent = _PERCENT.search(text) or _PERCENT.search(plain_words(text))
    if percent is not None and percent.string[: percent.start()].strip():
        return Measured(percent.string[: percent.start()].rstrip("\\ "), Fraction(1), _named("%"))
    words = _spaced(text)
    degrees = _DEGREES.search(words)
    if (
        degrees is not None
        and words[: degrees.start()].strip()
        and not _NUMERIC.sub("", words[: degrees.start()])
    ):
        scale = (degrees["scale"] or "").strip("{} ")
        unit = _named(f"°{scale}") if scale else _DEGREE
        return Measured(words[: degrees.start()].strip(), Fraction(1), unit)
    explicit = _UPRIGHT.search(text) is not None
    return (
        _compound(words)
        or _trailing(words, letters or explicit, explicit)
        or Measured(text, Fraction(1), None)
    )


def _spaced(text: str) -> str:
    r"""Return ``text`` with ``\text{...}`` as words, set apart from the number before them."""
    if "\\" not in text:
        return text
    text = _OHM.sub(" Ω", _MICRO.sub("µ", _PRODUCT.sub("·", text)))
    text = re.sub(r"(?<=[0-9)}\]iI])(?=\\(?:text|mathrm|mbox|textrm|operatorname))", " ", text)
    return " ".join(re.sub(r"\\[,;:! ]|~", " ", plain_words(text)).split())


def _named(name: str) -> Unit:
    scale, dims = UNITS[name]
    return Unit(scale, dims, name)


def _compound(text: str) -> Measured | None:
    """Return ``5 feet 6 inches`` or ``18 dollars and 50 cents`` as one number of the first unit."""
    parts = list(_COMPOUND.finditer(text))
    if len(parts) < 2 or parts[0].start() != 0 or parts[-1].end() != len(text) or len(parts) > 4:
        return None
    if any(a.end() != b.start() for a, b in pairwise(parts)):
        return None
    names = [{"'": "ft", '"': "in"}.get(part[2], part[2]) for part in parts]
    if not all(name in UNITS for name in names):
        return None
    units = [_named(name) for name in names]
    if any(unit.dims != units[0].dims or not unit.dims for unit in units):
        return None
    total = sum(
        (
            Fraction(part[1].replace(",", "")) * unit.scale / units[0].scale
            for part, unit in zip(parts, units, strict=True)
        ),
        Fraction(0),
    )
    return Measured(f"{total.numerator}/{total.denominator}", Fraction(1), units[0])


def _trailing(text: str, letters: bool, explicit: bool) -> Measured | None:
    """Return the number and the unit written in words or symbols after it."""
    start = max(0, len(text) - 80)
    found = _TAIL.search(text, start)
    while found is not None:
        number = text[: found.start("unit")].strip()
        words = found["unit"].strip("()")
        bare = words == found["unit"]
        if not explicit and _is_variable(words, number):
            return None
        if number and number[-1] in "0123456789)}]iπ." and not number.endswith("\\") and number[-1:] != "^":
            read = _unit(words, number, spaced=bool(found["gap"]) and bare, letters=letters)
            if read is not None:
                factor, unit = read
                return Measured(number, factor, unit)
        found = _TAIL.search(text, found.start("unit") + 1)
    return None


def _is_variable(words: str, number: str) -> bool:
    r"""Return whether one letter in italics is no unit: with a power, behind a formula, or C, F and T."""
    letter = _LETTER.fullmatch(words)
    return letter is not None and (letter[2] is not None or "\\" in number or letter[1] in UPRIGHT_LETTERS)


def _unit(words: str, number: str, *, spaced: bool, letters: bool) -> tuple[Fraction, Unit | None] | None:
    factor = Fraction(1)
    pieces = words.split()
    while len(pieces) > 1 and pieces[-1] in TRAILING:
        pieces.pop()
    while pieces and pieces[0].lower() in SCALES:
        factor *= SCALES[pieces.pop(0).lower()]
        if pieces[:1] == ["of"]:
            pieces.pop(0)
    if not pieces:
        return factor, None
    words = " ".join(pieces)
    known = _known(words)
    if known is not None:
        # In LaTeX a letter that is not upright is a variable, whatever blank stands before it.
        if (
            words in BARE_LETTERS
            and not letters
            and not (spaced and words in COMMON_LETTERS and "\\" not in number)
        ):
            return None
        if (words in BARE_LETTERS or words == "in") and _NUMERIC.sub("", number):
            return None
        return factor, known
    noun = _noun(words) if spaced else None
    return None if noun is None or _NUMERIC.sub("", number) else (factor, noun)


def _known(words: str) -> Unit | None:
    """Return the unit that ``words`` spell with names of the table only."""
    scale, powers, sign, prefix = Fraction(1), dict[str, int](), 1, 1
    end = 0
    for part in _PART.finditer(words):
        if words[end : part.start()].strip(" *·.()-").removeprefix("\\cdot").removeprefix("\\times").strip():
            return None
        end = part.end()
        if part["per"]:
            sign = -1
        elif part["prefix"]:
            prefix = 2 if part["prefix"].startswith("sq") else 3
        else:
            word = part["word"]
            # Of single letters the capital is another unit, or none, and a capital M before a letter is mega.
            exact = word in UNITS or len(word) < 2 or (len(word) == 2 and word[0] == "M")
            name = word if exact else word.lower()
            if name not in UNITS:
                return None
            digits = part["power"].replace("²", "2").replace("³", "3").strip("^{} ")
            power = sign * (int(digits) if digits else 1) * prefix
            prefix = 1
            size, dims = UNITS[name]
            scale *= size**power
            for base, count in dims:
                powers[base] = powers.get(base, 0) + count * power
    if words[end:].strip(" .()"):
        return None
    return Unit(scale, tuple(sorted((b, p) for b, p in powers.items() if p)), words)


def _noun(words: str) -> Unit | None:
    """Return what is counted, when ``words`` are one to four plain words."""
    pieces = words.replace("-", " ").lower().split()
    if not all(piece.isalpha() and piece.isascii() for piece in pieces) or not 1 <= len(pieces) <= 4:
        return None
    # "2 theta", "2 xyz" and "2 sinx" are formulas.
    if (
        not all(map(is_prose, pieces))
        or any(map(_FUNCTION.fullmatch, pieces))
        or pieces[-1] in NO_UNITS
        or not NO_UNITS.isdisjoint({*pieces} - {"positive", "negative"})
    ):
        return None
    head = _singular(pieces[-1])
    return Unit(Fraction(1), ((f"~{head}", 1),), words)


def is_counted(unit: Unit, known: str) -> bool:
    """Return whether a unit in plain words only says what is counted, in words of the problem or the reference.

    Any other word behind a number may change it, as "halved" does.
    """
    words = {_singular(word) for word in re.findall(r"[a-z]+", known.lower())}
    pieces = unit.name.replace("-", " ").lower().split()
    return all(
        piece in COUNTED or _singular(piece) in COUNTED or _singular(piece) in words for piece in pieces
    )


def _singular(word: str) -> str:
    return (
        word.removesuffix("es") if word.endswith(("ches", "shes", "xes", "sses")) else word.removesuffix("s")
    )


_COUNT = re.compile(r"(?<=[0-9A-Za-z)}\]])(?:\s?\\text\s?\{\s?|\s)([a-z]{3,20}(?:\s[a-z]{3,20})?)\s?\}?$")


def uncounted(text: str) -> str:
    r"""Return a formula with letters without the words for what it counts: ``n+1 \text{ colors}``."""
    found = _COUNT.search(text)
    if found is None or not all({word, _singular(word)} & COUNTED for word in found[1].split()):
        return text
    return text[: found.start()].rstrip()


def compatible(gold: Unit, answer: Unit) -> bool:
    """Return whether the two measure the same thing; "units" measure any length, area or volume."""
    if gold.dims == answer.dims:
        return True
    for one, other in ((gold, answer), (answer, gold)):
        if (
            len(one.dims) == 1
            and one.dims[0][0] == "unit"
            and len(other.dims) == 1
            and other.dims[0][0] == "m"
        ):
            return one.dims[0][1] == other.dims[0][1]
    return False
