"""References: read once, typed, and refused when nothing could be judged against them."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import lru_cache
from typing import Final, Literal, TypeAlias

from rlvr_gym.errors import TaskError, did_you_mean
from rlvr_gym.types import Json
from rlvr_gym.verifiers import algebra
from rlvr_gym.verifiers.algebra import Limits, Node, ParseError
from rlvr_gym.verifiers.answers.choices import read_choice
from rlvr_gym.verifiers.answers.clock import Clock, read_clock
from rlvr_gym.verifiers.answers.congruences import Congruence, read_congruence
from rlvr_gym.verifiers.answers.dates import Date, read_date
from rlvr_gym.verifiers.answers.equations import label, sides
from rlvr_gym.verifiers.answers.faults import fault
from rlvr_gym.verifiers.answers.letters import of_program
from rlvr_gym.verifiers.answers.normalise import key, normalise, plain_words
from rlvr_gym.verifiers.answers.notation import read
from rlvr_gym.verifiers.answers.numerals import integer_text, plain_number
from rlvr_gym.verifiers.answers.phrases import NUMBER_WORDS, SETS, folded, is_prose, meaning
from rlvr_gym.verifiers.answers.tolerance import Rounded, decimals
from rlvr_gym.verifiers.answers.units import Unit, measured

Kind: TypeAlias = Literal[
    "value", "structure", "choice", "choices", "phrase", "time", "date", "congruence", "text", "verbatim"
]
"""``value`` is one number or expression, ``structure`` anything else that is parsed, ``verbatim`` what only its own
text can match."""
TYPES: Final = (
    "number",
    "expression",
    "list",
    "set",
    "tuple",
    "interval",
    "relation",
    "matrix",
    "ratio",
    "text",
    "choice",
)
"""What a reference may say its type is, where its text alone could be read in two ways."""
_KEYS: Final = ("answer", "type", "choices", "tolerance")
_LIMITS: Final = Limits(max_chars=20_000, max_nodes=4_000, max_depth=60, max_digits=5_000)
_SHORT: Final = 1_000
"""Characters of a plain number that need not be counted again by the parser."""
_DIGIT = re.compile(r"[0-9]")
_VERBATIM: Final = (
    "\\begin{cases}", "\\ldots", "\\dots", "\\cdots", "...", "\\sum", "\\prod", "\\int", "\\lim", "\\forall", "\\exists", "\\pmod",
    "\\bmod", "\\mapsto", "\\to", "\\Rightarrow", "\\implies", "\\iff", "\\mathcal", "\\cong", "\\mid", "\\sim", "\\parallel", "\\perp",
    "\\partial", "\\nabla", "\\det", "\\operatorname", "\\neg", "\\lnot", "\\mathbb", "\\|", "\\Vert", "\\aleph", "\\zeta",
)  # fmt: skip
"""What no parser reads but an answer can repeat."""
_SAID = re.compile(
    r"\\text\s?\{[^{}]*[A-Za-z]{2}|(?<![A-Za-z\\])[a-z]{3,}\s|^[A-Z]\([^()]+\)$|[\u2460-\u2473]|\\circ\s?\}?\s?[0-9]+\s?(?:'|\^)"
)
_CUT_OFF = re.compile(r"(?:\\(?:[dtc]?frac|sqrt|binom|text)|[-+*/^_=<>])\s*+$")
_APPROXIMATELY = re.compile(r"^(?:\\approx(?![A-Za-z])|\u2248)\s*+")


@dataclass(frozen=True, slots=True)
class Gold:
    """A reference as it is compared with."""

    text: str
    """Normalised."""
    key: str
    kind: Kind
    type: str = ""
    """As the task states it, else empty."""
    node: Node | None = None
    symbols: frozenset[str] = frozenset()
    """Letters of a scalar."""
    integer: str | None = None
    """Of an integer, its one spelling."""
    number: Fraction | None = None
    """Of a plain number without unit, its value."""
    name: str = ""
    """Letter that the reference gives its value to, where nothing else does."""
    unit: Unit | None = None
    factor: Fraction = Fraction(1)
    """What words such as "million" multiply the number by."""
    rounded: Mapping[Fraction, Rounded] = field(default_factory=dict)
    """Decimals in the text."""
    letters: frozenset[str] = frozenset()
    point: bool = False
    """Whether round brackets with two numbers are a point or vector, and no interval."""
    meaning: str = ""
    time: Clock | None = None
    date: Date | None = None
    congruence: Congruence | None = None
    value: Gold | None = None
    """Of a choice, what stands beside its letter."""
    options: Mapping[str, Gold] = field(default_factory=dict)
    """Of a choice, all values by letter, where the task lists them."""
    tolerance: Fraction | None = None
    """Largest difference, where the task states one."""
    relative: bool = False
    """Whether ``tolerance`` is a share of the reference."""


def read_gold(reference: Json) -> Gold:
    """Return the reference of a task, typed.

    Args:
        reference: A text or an int, or a table with ``answer`` and optionally ``type`` (one of ``TYPES``), ``choices``
            (a list or a table of letters; ``answer`` is then a letter or one of the values) and ``tolerance``
            (largest difference, as text; ``"1%"`` is a share of the reference).

    Raises:
        TaskError: anything that could not be judged against: empty, unreadable, or without a value.
    """
    if isinstance(reference, bool):
        return _gold("true" if reference else "false", "", None, None)
    if isinstance(reference, int | str):
        return _gold(_text(reference), "", None, None)
    if not isinstance(reference, Mapping):
        hint = " Write the number as text." if isinstance(reference, float) else ""
        raise TaskError(f"math reference: a text, an int or a table is needed, got {reference!r:.80}.{hint}")
    for name in reference:
        if name not in _KEYS:
            raise TaskError(f"math reference: {name} is not known.{did_you_mean(str(name), _KEYS)}")
    answer, kind, tolerance = reference.get("answer"), reference.get("type", ""), reference.get("tolerance")
    if not isinstance(answer, int | str):
        raise TaskError(f"math reference: answer must be a text or an int, got {answer!r:.80}.")
    if kind and kind not in TYPES:
        raise TaskError(f"math reference: type {kind!r:.40} is not known.{did_you_mean(str(kind), TYPES)}")
    choices = reference.get("choices")
    return _gold(
        _text(answer),
        str(kind),
        None if tolerance is None else str(tolerance),
        None if choices is None else _choices(choices),
    )


def _text(answer: int | str) -> str:
    if isinstance(answer, str):
        return answer
    try:
        return str(answer)
    except ValueError:  # more digits than Python turns into text
        raise TaskError("math reference: an int of too many digits; write it as text.") from None


def _choices(choices: Json) -> str:
    if isinstance(choices, Mapping):
        table = {str(letter).strip(" ().").upper(): str(value) for letter, value in choices.items()}
    elif isinstance(choices, Sequence) and not isinstance(choices, str):
        table = {chr(ord("A") + at): str(value) for at, value in enumerate(choices)}
    else:
        raise TaskError(f"math reference: choices must be a list or a table, got {choices!r:.80}.")
    if not table or any(len(letter) != 1 or not letter.isalpha() for letter in table):
        raise TaskError(
            f"math reference: choices are named by single letters, got {', '.join(table)[:80]!r}."
        )
    return json.dumps(table)


@lru_cache(maxsize=16_384)
def _gold(given: str, kind: str, tolerance: str | None, choices: str | None) -> Gold:
    if not kind and tolerance is None and choices is None and (plain := _plain(given)) is not None:
        return plain
    text = _APPROXIMATELY.sub("", normalise(given))
    if not text:
        raise TaskError(f"math reference: empty, got {given!r:.80}.")
    gold = _listed(text, choices) if choices is not None else _typed(text, kind, given)
    if tolerance is not None:
        if gold.kind != "value":
            raise TaskError(f"math reference: a tolerance needs a number, got {given!r:.80}.")
        bare = tolerance.strip()
        size = plain_number(bare.removesuffix("%").strip())
        if size is None or size < 0:
            raise TaskError(
                f"math reference: tolerance must be a number such as '0.01' or '1%', got {tolerance!r:.40}."
            )
        relative = bare.endswith("%")
        gold = replace(gold, tolerance=size / 100 if relative else size, relative=relative)
    return gold


_INTEGER = re.compile(r"0|-?[1-9][0-9]{0,17}")
_FRACTION = re.compile(r"(-?)\\[dt]?frac\{([1-9][0-9]{0,17})\}\{([1-9][0-9]{0,17})\}")


def _plain(given: str) -> Gold | None:
    """Return what the rest of this file makes of the two most common references; None for anything else."""
    if _INTEGER.fullmatch(given):
        value = Fraction(int(given))
        return Gold(given, key(given), "value", node=algebra.Num(value), integer=given, number=value)
    match = _FRACTION.fullmatch(given)
    if match is None or (bottom := int(match[3])) == 1:
        return None
    top = int(match[2])
    if top % bottom == 0:
        return None
    value = Fraction(-top if match[1] else top, bottom)
    text = normalise(given)
    return Gold(text, key(text), "value", node=algebra.Num(value), number=value)


def _listed(text: str, choices: str) -> Gold:
    options = {letter: _typed(normalise(value), "", value) for letter, value in json.loads(choices).items()}
    choice = read_choice(text)
    if choice is not None and choice.letter in options and not choice.rest:
        letter = choice.letter
    else:
        same = [letter for letter, value in options.items() if value.key == key(text)]
        if len(same) != 1:
            raise TaskError(
                f"math reference: the answer {text!r:.80} is none of the choices {', '.join(options)}."
            )
        letter = same[0]
    return Gold(text, key(text), "choice", letters=frozenset(letter), value=options[letter], options=options)


def _typed(text: str, kind: str, given: str) -> Gold:
    spelling = key(text)
    if not kind and len(text) < 40 and not _DIGIT.search(text):
        text = NUMBER_WORDS.get(folded(text), text)
    integer = integer_text(text)
    if integer is not None and kind in ("", "number", "expression"):
        number = plain_number(text)
        node = None if number is None else algebra.Num(number)
        return Gold(text, spelling, "value", kind, node=node, integer=integer, number=number)
    if kind == "text":
        return Gold(text, spelling, "text", kind)
    if kind in ("", "choice"):
        choice = _choice(text, spelling, kind, given)
        if choice is not None:
            return choice
    if not kind:
        if _SPELLED.fullmatch(plain_words(text)):
            return Gold(text, spelling, "text")
        if _is_logic(text):
            return Gold(text, spelling, "verbatim")
        said = meaning(text)
        if said is not None:
            return Gold(
                text,
                spelling,
                "phrase",
                meaning=said,
                node=algebra.NamedSet(SETS[said]) if said in SETS else None,
            )
        time = read_clock(text)
        if time is not None and time.looks_like_time:
            return Gold(text, spelling, "time", time=time, node=_ratio(text))
        if (date := read_date(text)) is not None:
            return Gold(text, spelling, "date", date=date)
        if (congruence := read_congruence(text)) is not None:
            return Gold(text, spelling, "congruence", congruence=congruence)
    return _formula(text, spelling, kind, given)


_SPELLED = re.compile(
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}|0[xX][0-9A-Fa-f]+|0b[01]+|[IVX]{2,}|[0-9]+\s?[Rr]\s?[0-9]+|[NS]\s?[0-9][^A-Za-z]{0,10}(?:\\circ|°)[^A-Za-z]{0,10}[EW]"
)
"""What would parse as a difference or product but is read sign by sign: days, other numerals, bearings, remainders."""
_LOGIC = re.compile(r"\\(?:land|lor|wedge|vee|rightarrow|leftrightarrow|implies|iff)(?![A-Za-z])|[∧∨]")


def _is_logic(text: str) -> bool:
    """Return whether statements are joined, not equations."""
    return _LOGIC.search(text) is not None and not any(
        sign in text for sign in ("=", "<", ">", "\\le", "\\ge", "\\in", "\\ne")
    )


def _ratio(text: str) -> Node | None:
    """Return what looks like a time as a ratio: ``1:20`` may be one to twenty."""
    try:
        node = read(text)
    except ParseError:
        return None
    return node if isinstance(node, algebra.Ratio) else None


def _choice(text: str, spelling: str, kind: str, given: str) -> Gold | None:
    choice = read_choice(text)
    if choice is None:
        letters = [part.strip(" ()") for part in re.split(r",|;|\band\b|\\text\{ ?and ?\}", text)]
        if len(letters) > 1 and all(len(letter) == 1 and letter in "ABCDEFGHIJ" for letter in letters):
            return Gold(text, spelling, "choices", kind, letters=frozenset(letters))
        if kind:
            raise TaskError(f"math reference: no choice letter, got {given!r:.80}.")
        return None
    if not choice.rest:
        # A small letter alone is a variable.
        if kind or choice.letter in text or text[0] in "([":
            return Gold(text, spelling, "choice", kind, letters=frozenset(choice.letter))
        return None
    if choice.letter not in "ABCDEFGHIJ":
        return None
    try:
        value = _typed(choice.rest, "", given)
    except TaskError:
        value = Gold(choice.rest, key(choice.rest), "text")
    return Gold(text, spelling, "choice", kind, letters=frozenset(choice.letter), value=value)


def _formula(text: str, spelling: str, kind: str, given: str) -> Gold:
    links = sides(text)
    if not kind and len(links) == 2 and (named := label(links[0].text)) is not None:
        right = measured(links[1].text, letters=False)
        if right.unit is not None or not _parses(links[0].text):
            # Area = 10 cm.
            return replace(_formula(links[1].text, spelling, kind, given), text=text, name=named.name)
    apart = measured(text, letters=False)
    bare = apart.number if apart.unit is not None or apart.factor != 1 else text
    if apart.number != text:
        bare = apart.number
    if not kind and is_prose(bare):
        return Gold(text, spelling, "text")
    number = plain_number(bare) if apart.unit is None and apart.factor == 1 else None
    try:
        node = _parsed(bare) if number is None or len(bare) > _SHORT else algebra.Num(number)
    except ParseError as error:
        unread = None if kind else _unread(text, spelling)
        if unread is None:
            raise TaskError(f"math reference: {given!r:.80}: {error}.") from None
        return unread
    wrong = fault(node)
    if wrong is not None:
        raise TaskError(f"math reference: {given!r:.80}: {wrong}.")
    if kind == "interval" and isinstance(node, algebra.TupleOf) and len(node.items) == 2:
        low, high = node.items
        if isinstance(low, algebra.Expr) and isinstance(high, algebra.Expr):
            node = algebra.Interval(low, high, low_closed=False, high_closed=False)
    scalar = isinstance(node, algebra.Expr)
    return Gold(
        text,
        spelling,
        "value" if scalar else "structure",
        kind,
        node=node,
        symbols=algebra.symbols(node) if isinstance(node, algebra.Expr) else frozenset(),
        number=number,
        integer=integer_text(bare) if apart.unit is None and apart.factor == 1 else None,
        unit=apart.unit,
        factor=apart.factor,
        rounded=decimals(bare),
        point=kind == "tuple"
        or "\\langle" in bare
        or (isinstance(node, algebra.Relation) and isinstance(node.left, algebra.TupleOf)),
    )


def _unread(text: str, spelling: str) -> Gold | None:
    """Return a text that is no formula as words or as what an answer can repeat, None when it is neither."""
    if _is_words(text):
        return Gold(text, spelling, "text")
    if _balanced(text) and (any(name in text for name in _VERBATIM) or _says_something(text)):
        return Gold(text, spelling, "verbatim")
    return None


def _says_something(text: str) -> bool:
    r"""Return whether a text is a formula with words, such as ``2n-1 \text{ for all } n``, or a notation without value."""
    whole = text.count("(") + text.count("[") == text.count(")") + text.count("]")
    return whole and _SAID.search(text) is not None and _CUT_OFF.search(text) is None


def _balanced(text: str) -> bool:
    """Return whether the braces of a formula close."""
    level = 0
    for brace in re.findall(r"(?<!\\)[{}]", text):
        level += 1 if brace == "{" else -1
        if level < 0:
            return False
    return level == 0


def _parses(text: str) -> bool:
    try:
        read(text, _LIMITS)
    except ParseError:
        return False
    return True


def _parsed(text: str) -> Node:
    node = read(text, _LIMITS)
    return of_program(node) if "*" in text and "\\" not in text else node


def _is_words(text: str) -> bool:
    """Return whether a text that is no formula is an answer in words."""
    plain = folded(text)
    foreign = any(char.isalnum() and not char.isascii() for char in plain)
    return (foreign or any(len(word) > 1 and word.isalpha() for word in plain.split())) and not any(
        c in text for c in "\\^=_{}<>|"
    )
