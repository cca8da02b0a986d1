r"""What stands before the answer in ``x = 5``, ``f(2) = 5``, ``2 + 3 = 5`` or ``\pi \approx 3.14``."""

from __future__ import annotations

import re
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from rlvr_gym.verifiers import algebra
from rlvr_gym.verifiers.algebra import Add, Call, Expr, Matrix, Mul, Num, ParseError, Pow, Sym, TupleOf
from rlvr_gym.verifiers.answers.normalise import plain_words
from rlvr_gym.verifiers.answers.notation import read
from rlvr_gym.verifiers.answers.phrases import NUMBER_WORDS, folded, is_prose
from rlvr_gym.verifiers.answers.words import HEDGES, NEGATIONS, words_of

_SIGN = re.compile(
    r"\\[lg](?:eq?|t)(?![A-Za-z])|\\neq?(?![A-Za-z])|\\n?approx(?:eq)?(?![A-Za-z])|\\simeq(?![A-Za-z])|\\[A-Za-z]+|\\.|[<>!:]=|=[<>]|==?|≈|≃|[{}()\[\]]"
)
_APPLIED = re.compile(
    r"(?:\\?[A-Za-z]+)(?:_\{?\w{1,6}\}?)?(?:\^\{?(?:-1|\\prime)\}?|'{1,3})?\s?(?:\\left)?\([^=()]{1,40}(?:\\right)?\)"
)
_EQUALITIES: Final = ("=", "≈", "≃", "approx", "simeq")
"""One of these is in everything that separates two sides."""
_DERIVATIVE = re.compile(r"d[a-zA-Z]/d[a-z]|\\[dt]?frac\{d[a-zA-Z]\}\{d[a-z]\}")
_GEOMETRY: Final = ("\\angle", "\\overline", "\\triangle", "\\widehat", "\\vec", "\\overrightarrow", "\\arc")
_OPERATIONS: Final = (
    "\\frac{d",
    "\\dfrac{d",
    "\\tfrac{d",
    "\\frac{\\mathrm{d}",
    "\\frac{\\partial",
    "\\dfrac{\\partial",
    "\\partial",
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


_NESTED = re.compile(
    r"[fghFGHpqPQ](?:\([fghFGHpqPQ](?:\([^()=]{1,20}\))\)|\(\s?[fghFGHpqPQ]\s?\([^()=]{1,20}\)\s?\))"
)
_BRACKETED = re.compile(r"\([^()]*\)|\[[^\[\]]*\]|\{[^{}]*\}")
_NAME = re.compile(r"(?=[^A-Za-z#]{0,3}[A-Za-z#])(?:\\?[A-Za-z]+|\\#|[ _^*|'.]|\\[,;:! ])++")
_ARITHMETIC = re.compile(r"\\(?:[dt]?frac|sqrt|binom|over)(?![A-Za-z])|\^\s?\{?\s?[0-9]")
_GROWING = re.compile(r"\\(?:left|right)(?=\s?[()\[\]|])")
_MAX_NAME: Final = 80


_MAX_PROMPT: Final = 20_000
_NEAR: Final = 20
_FORMULA_END = re.compile(r"(?:[A-Za-z0-9_^*/+})-]|[=<>≤≥]\s*|\\[lgn]eq?\s*)$")
_FORMULA_GOES_ON = re.compile(r"[A-Za-z0-9_^*/+({-]|\s*(?:[=<>≤≥]|\\[lgn]eq?(?![A-Za-z]))")


@dataclass(frozen=True, slots=True)
class Link:
    """One side of an equation and the sign before it, ``"="``, ``"~"`` or nothing."""

    sign: str
    text: str


def sides(text: str) -> list[Link]:
    """Return the sides of an equation or a chain of them, split at the equality signs outside of all brackets."""
    if not any(map(text.__contains__, _EQUALITIES)):
        return [Link("", text.strip())]
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
    places: bool = False
    """Whether it names the places of a tuple: ``(x, y)``."""


def label(text: str, prompt: str = "") -> Label | None:
    """Return what ``text``, the left side of an equation, names; None when it is a formula that says something.

    ``x``, ``f(2)``, ``AB``, ``m + n`` and words are names; ``x + 1`` and ``2x`` are not, unless the prompt has them.
    """
    if not text or len(text) > 120:
        return None
    text = _GROWING.sub("", text)
    plain = plain_words(text)
    if is_prose(plain) or any(sign in text for sign in _GEOMETRY):
        # A number with words, or in words, says something: 8 apples = 7.
        numbers = any(char.isdigit() for char in text) and "\\angle" not in text
        words = set(folded(text).split())
        signed = text.lstrip()[:1] in "-+/*^"
        refused = numbers or signed or words & (NUMBER_WORDS.keys() | NEGATIONS | HEDGES)
        return None if refused else Label()
    if _DERIVATIVE.fullmatch(text.replace("\\mathrm{d}", "d").replace(" ", "")):
        return Label(applied=True)
    try:
        node = read(text)
    except ParseError:
        named = _APPLIED.fullmatch(text) or text.startswith(_OPERATIONS) or _is_written_name(plain)
        return Label(applied=True) if named else None
    if isinstance(node, TupleOf) and all(isinstance(item, Sym) for item in node.items):
        return Label(places=True)
    if isinstance(node, Matrix):
        entries = [entry.name for row in node.rows for entry in row if isinstance(entry, Sym)]
        in_order = entries == sorted(set(entries)) and len(entries) == sum(map(len, node.rows))
        return Label() if in_order else None
    if not isinstance(node, Expr):
        return None
    letters = algebra.symbols(node)
    if isinstance(node, Sym):
        return Label(node.name, letters)
    if not letters:
        return None
    if _APPLIED.fullmatch(text) or _NESTED.fullmatch(text):
        return Label("", letters, applied=True)
    negated = isinstance(node, Mul) and node.factors[0] == Num(Fraction(-1))
    # 1/x is another number than x.
    turned = isinstance(node, Pow)
    if (_only_letters(node) and not negated and not turned) or (
        prompt and len(text) > 2 and _is_asked_for(text, prompt)
    ):
        return Label("", letters)
    return None


def _is_asked_for(text: str, prompt: str) -> bool:
    """Return whether a problem has a formula that stands alone there: a side of its equations is given, not asked for."""
    pattern = r"\s*".join(map(re.escape, text.replace(" ", "")))
    for found in re.finditer(pattern, prompt[-_MAX_PROMPT:]):
        before, after = found.string[: found.start()], found.string[found.end() :]
        touched = _FORMULA_END.search(before[-_NEAR:]) or _FORMULA_GOES_ON.match(after[:_NEAR])
        if not touched:
            return True
    return False


def _is_written_name(text: str) -> bool:
    r"""Return whether a text that is no formula can only name something: ``V_{\max}``, ``P(X=1)``, ``\deg P``."""
    if len(text) > _MAX_NAME or not (NEGATIONS | HEDGES | NUMBER_WORDS.keys()).isdisjoint(words_of(text)):
        return False
    if _ARITHMETIC.search(text):
        return False
    for _ in range(3):
        text = _BRACKETED.sub("", text)
    return _NAME.fullmatch(text) is not None


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
        # A logarithm may have a number as its base.
        letters = node.args[: 1 if node.name == "log" else None]
        return all(isinstance(arg, Sym) or (node.name == "abs" and _only_letters(arg)) for arg in letters)
    return isinstance(node, Pow) and _only_letters(node.base) and node.exponent == Num(Fraction(-1))
