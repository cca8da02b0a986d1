r"""What stands before the answer in ``x = 5``, ``f(2) = 5``, ``2 + 3 = 5`` or ``\pi \approx 3.14``."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from rlvr_gym.verifiers import algebra
from rlvr_gym.verifiers.algebra import Add, Call, Expr, Mul, Num, ParseError, Pow, Sym, TupleOf
from rlvr_gym.verifiers.answers.normalise import plain_words
from rlvr_gym.verifiers.answers.notation import read
from rlvr_gym.verifiers.answers.phrases import NUMBER_WORDS, folded, is_prose
from rlvr_gym.verifiers.answers.words import HEDGES, NEGATIONS

_SIGN = re.compile(
    r"\\[lg](?:eq?|t)(?![A-Za-z])|\\neq?(?![A-Za-z])|\\n?approx(?:eq)?(?![A-Za-z])|\\simeq(?![A-Za-z])|\\[A-Za-z]+|\\.|[<>!:]=|=[<>]|==?|≈|≃|[{}()\[\]]"
)
_APPLIED = re.compile(
    r"(?:\\?[A-Za-z]+)(?:_\{?\w{1,6}\}?)?(?:\^\{?(?:-1|\\prime)\}?|'{1,3})?\s?(?:\\left)?\([^=()]{1,40}(?:\\right)?\)"
)
_GEOMETRY: Final = ("\\angle", "\\overline", "\\triangle", "\\widehat", "\\vec", "\\overrightarrow", "\\arc")
_OPERATIONS: Final = (
    "\\frac{d",
    "\\lim",
    "\\sum",
    "\\int",
    "\\iint",
    "\\oint",
    "\\prod",
    "\\det",
    "\\max",
    "\\min",
    "\\operatorname",
    "\\sup",
    "\\inf_",
)
"""What the left side of an equation may be, although it cannot be worked out."""


@dataclass(frozen=True, slots=True)
class Link:
    """One side of an equation and the sign before it, ``"="``, ``"~"`` or nothing."""

    sign: str
    text: str


def sides(text: str) -> list[Link]:
    """Return the sides of an equation or a chain of them, split at the equality signs outside of all brackets."""
    found: list[Link] = []
    level = start = 0
    sign = ""
    for match in _SIGN.finditer(text):
        mark = match[0]
        if mark in "{([":
            level += 1
        elif mark in "})]":
            level -= 1
        elif level <= 0 and (equal := _equality(mark)):
            found.append(Link(sign, text[start : match.start()].strip()))
            start, sign = match.end(), equal
    found.append(Link(sign, text[start:].strip()))
    return found


def _equality(mark: str) -> str:
    if mark in ("=", ":="):
        return "="
    return "~" if mark in ("≈", "≃", "\\approx", "\\approxeq", "\\simeq") else ""


@dataclass(frozen=True, slots=True)
class Label:
    """What names the answer; ``symbols`` are the letters in it, ``name`` the letter when it is nothing else."""

    name: str = ""
    symbols: frozenset[str] = frozenset()
    applied: bool = False
    """Whether it is a function of something: ``f(x)``."""


def label(text: str, prompt: str = "") -> Label | None:
    """Return what ``text``, the left side of an equation, names; None when it is a formula that says something.

    ``x``, ``f(2)``, ``AB``, ``m + n`` and words are names; ``x + 1`` and ``2x`` are not, unless the prompt has them.
    """
    if not text or len(text) > 120:
        return None
    plain = plain_words(text)
    if is_prose(plain) or any(sign in text for sign in _GEOMETRY):
        # A number with words, or in words, says something: 8 apples = 7.
        numbers = any(char.isdigit() for char in text) and "\\angle" not in text
        words = set(folded(text).split())
        refused = numbers or words & (NUMBER_WORDS.keys() | NEGATIONS | HEDGES)
        return None if refused else Label()
    try:
        node = read(text)
    except ParseError:
        return Label(applied=True) if _APPLIED.fullmatch(text) or text.startswith(_OPERATIONS) else None
    if isinstance(node, TupleOf) and all(isinstance(item, Sym) for item in node.items):
        return Label()
    if not isinstance(node, Expr):
        return None
    letters = algebra.symbols(node)
    if isinstance(node, Sym):
        return Label(node.name, letters)
    if not letters:
        return None
    if _APPLIED.fullmatch(text):
        return Label("", letters, applied=True)
    negated = isinstance(node, Mul) and node.factors[0] == Num(Fraction(-1))
    if (_only_letters(node) and not negated) or (
        prompt and len(text) > 2 and text.replace(" ", "") in prompt.replace(" ", "")
    ):
        return Label("", letters)
    return None


def _only_letters(node: Expr) -> bool:
    """Return whether a formula has no number in it but the signs and quotients of letters: ``m + n``, ``AB``, ``x - y``."""
    if isinstance(node, Sym):
        return True
    if isinstance(node, Mul):
        factors = node.factors[1:] if node.factors[0] == Num(Fraction(-1)) else node.factors
        return all(map(_only_letters, factors))
    if isinstance(node, Add):
        return all(map(_only_letters, node.terms))
    if isinstance(node, Call):
        return all(isinstance(arg, Sym) for arg in node.args)
    return isinstance(node, Pow) and _only_letters(node.base) and node.exponent == Num(Fraction(-1))
