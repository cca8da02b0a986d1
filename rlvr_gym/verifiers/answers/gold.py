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
from rlvr_gym.verifiers.answers.equations import label, sides
from rlvr_gym.verifiers.answers.faults import fault
from rlvr_gym.verifiers.answers.normalise import key, normalise
from rlvr_gym.verifiers.answers.notation import read
from rlvr_gym.verifiers.answers.numerals import integer_text, plain_number
from rlvr_gym.verifiers.answers.phrases import NUMBER_WORDS, folded, is_prose, meaning
from rlvr_gym.verifiers.answers.tolerance import Rounded, decimals
from rlvr_gym.verifiers.answers.units import Unit, measured

Kind: TypeAlias = Literal["value", "structure", "choice", "choices", "phrase", "time", "text", "verbatim"]
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
_VERBATIM: Final = (
    "\\begin{cases}", "\\ldots", "\\dots", "\\cdots", "...", "\\sum", "\\prod", "\\int", "\\lim", "\\forall", "\\exists", "\\pmod",
    "\\bmod", "\\mapsto", "\\to", "\\Rightarrow", "\\implies", "\\iff", "\\mathcal", "\\cong", "\\mid", "\\sim", "\\parallel", "\\perp",
)  # fmt: skip
"""What no parser reads but an answer can repeat."""


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
    text = normalise(given)
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
    if not kind and len(text) < 40:
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
        said = meaning(text)
        if said is not None:
            return Gold(
                text,
                spelling,
                "phrase",
                meaning=said,
                node=algebra.NamedSet("R") if said == "reals" else None,
            )
        time = read_clock(text)
        if time is not None and time.looks_like_time:
            return Gold(text, spelling, "time", time=time)
    return _formula(text, spelling, kind, given)


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
    if not kind and not _parses(bare):
        if _is_words(text):
            return Gold(text, spelling, "text")
        if any(name in text for name in _VERBATIM) and _balanced(text):
            return Gold(text, spelling, "verbatim")
    node = _parsed(bare, given)
    wrong = fault(node)
    if wrong is not None:
        raise TaskError(f"math reference: {given!r:.80}: {wrong}.")
    scalar = isinstance(node, algebra.Expr)
    number = plain_number(bare) if apart.unit is None and apart.factor == 1 else None
    return Gold(
        text,
        spelling,
        "value" if scalar else "structure",
        kind,
        node=node,
        number=number,
        integer=integer_text(bare) if apart.unit is None and apart.factor == 1 else None,
        unit=apart.unit,
        factor=apart.factor,
        rounded=decimals(bare),
        point="\\langle" in bare
        or (isinstance(node, algebra.Relation) and isinstance(node.left, algebra.TupleOf)),
    )


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


def _parsed(text: str, given: str) -> Node:
    try:
        return read(text, _LIMITS)
    except ParseError as error:
        raise TaskError(f"math reference: {given!r:.80}: {error}.") from None


def _is_words(text: str) -> bool:
    """Return whether a text that is no formula is an answer in words."""
    plain = folded(text)
    foreign = any(char.isalnum() and not char.isascii() for char in plain)
    return (foreign or any(len(word) > 1 and word.isalpha() for word in plain.split())) and not any(
        c in text for c in "\\^=_{}<>|"
    )
