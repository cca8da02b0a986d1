"""Which of some paths a question asks, decided without the graph: from rows that `rlvr_gym.graphs.gate.row` wrote."""

from __future__ import annotations

import functools
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal, Self

from pydantic import model_validator

from rlvr_gym.config import Config
from rlvr_gym.errors import ConfigError
from rlvr_gym.graphs.expression import (
    MOST_CHARS,
    Lack,
    Parts,
    Read,
    Wanted,
    cut,
    plain,
    readable,
    says_unit,
    slots,
    stray_joiners,
    strict,
    tokens,
)
from rlvr_gym.graphs.naming import Squeezed
from rlvr_gym.graphs.structure import Reject
from rlvr_gym.graphs.wording import Wording

_LACKS: Final[dict[Lack, tuple[Reject, str]]] = {
    "start": (Reject.NO_START, "it does not name the start"),
    "unclear": (Reject.AMBIGUOUS_START, "its name for the start may mean something else"),
    "relation": (Reject.MISSING, "it does not say every step, once and in order"),
    "type": (Reject.WRONG_TYPE, "it asks for another kind of answer"),
    "more": (Reject.SAYS_MORE, "it says more than the question, or says it in words that are not understood"),
}
_RUN = re.compile("[a-z]+|[A-Z]+")
_NUM_LETTERS: Final = 26
_PRINTABLE: Final = frozenset(map(chr, range(ord(" "), 127)))


class Row(Config):
    """What judging a question about one path needs."""

    wording: Wording
    """How the question is written; all that follows is of that wording."""
    asks: str
    """Start and steps by their ids: the same for paths that make the same question."""
    outcome: str = ""
    """Why nobody can ask this path, as ``code: clause``; empty when it can be asked."""
    leaks: bool
    """Whether names are looked for."""
    answers: tuple[str, ...]
    """Names of the answers, squeezed; or their codes."""
    middle: tuple[str, ...]
    """The same of the entities in between."""
    question: str = ""
    """The question in codes."""
    sizes: tuple[int, int] = (1, 1)
    """Numbers of entities and of steps that have codes."""
    widths: tuple[int, int] = (1, 1)
    """Letters of an entity's code and of a step's."""
    expression: Literal["strict", "slots", "off"] = "strict"
    """How much of the text must be accounted for."""
    start: tuple[str, ...] = ()
    """Plain names of the start that mean nothing else."""
    spelt: tuple[str, ...] = ()
    """The same as the graph writes them."""
    unclear: tuple[str, ...] = ()
    """Plain names of the start that may mean something else."""
    steps: tuple[tuple[str, bool], ...] = ()
    """Phrase of each step, and whether it is an inverse phrase."""
    types: tuple[str, ...] = ()
    """Classes of the answers, any of which may be asked for."""
    unit: str = ""
    """Unit of the answer."""
    quantity: bool = False
    """Whether the answer is a quantity."""
    many: bool = False
    """Whether all of several answers must be asked for."""
    taken: tuple[str, ...] = ()
    """Glue words that are phrases of relations."""

    @model_validator(mode="after")
    def _is_whole(self) -> Self:
        # A row without its question would be asked by silence.
        if not (self.question if self.wording == "codes" else self.steps):
            raise ConfigError(
                f"a row of {self.wording} has no {'question' if self.wording == 'codes' else 'steps'}."
            )
        if len(self.spelt) != len(self.start):
            raise ConfigError(f"spelt: {len(self.spelt)} names for the {len(self.start)} of 'start'.")
        if self.outcome and self.outcome.partition(": ")[0] not in list(Reject):
            raise ConfigError(f"outcome: '{self.outcome}' is no code and clause.")
        return self

    @property
    def wanted(self) -> Wanted:
        """What a text must say."""
        return Wanted(
            self.steps,
            dict(zip(self.start, self.spelt, strict=True)),
            self.unclear,
            self.types,
            self.unit,
            self.quantity,
            self.many,
            bool(self.outcome),
            frozenset(self.taken),
        )

    @property
    def words(self) -> tuple[str, ...]:
        """Names, phrases and classes as the graph writes them."""
        return (*self.spelt, *(phrase for phrase, _ in self.steps), *self.types, self.unit)


@dataclass(frozen=True, slots=True)
class Decision:
    """What became of a question."""

    place: int | None
    """Place of the row that it asks; None when it is refused."""
    reject: Reject | None = None
    """Why it is refused."""
    clause: str = ""
    """The same for people."""
    question: str = ""
    """The question to pose: never the text itself, in which something may be hidden, but a sentence of the library's own
    that asks the same; where ``expression`` is off, the text with single spaces."""


def decide(rows: Sequence[Row], text: str) -> Decision:
    """Return which row a question asks, the first of those that are asked by the same question; or why none.

    A refusal speaks of the row that the text comes nearest to. Where the rows are told apart by their words, the question
    to pose is that of the row which is asked.
    """
    if len(text) > MOST_CHARS:
        return Decision(None, Reject.UNREADABLE, f"more than {MOST_CHARS} characters")
    text = text.strip()
    if rows[0].wording == "codes":
        return _decide_codes(rows, text)
    if not readable(text):
        return Decision(None, Reject.UNREADABLE, "it is not one line of visible characters")
    compared = plain(text)
    view = _View(text, compared, tokens(compared), Squeezed.of(compared))
    found = [_judged(row, view) for row in rows]
    asked = [place for place, judged in enumerate(found) if judged.reject is None]
    if len({rows[place].asks for place in asked}) > 1:
        return Decision(None, Reject.MISSING, f"it reads as path {asked[0] + 1} and as another one")
    if asked and stray_joiners(text, [words for row in rows for words in row.words]):
        return Decision(None, Reject.UNREADABLE, "invisible characters stand between its letters")
    if asked:
        return _outcome(rows, asked, found)
    nearest = max(found, key=lambda judged: judged.near)
    return Decision(None, nearest.reject, nearest.clause)


def _outcome(rows: Sequence[Row], asked: Sequence[int], found: Sequence[_Judged]) -> Decision:
    """Return the first sound one of paths that make the same question, else why the first is unsound."""
    for place in asked:
        if not rows[place].outcome:
            return Decision(place, question=found[place].question)
    name, _, clause = rows[asked[0]].outcome.partition(": ")
    return Decision(None, Reject(name), clause)


@dataclass(frozen=True, slots=True)
class _View:
    raw: str
    """As it was written, without spaces around it."""
    text: str
    """Plain."""
    words: tuple[str, ...]
    squeezed: Squeezed


@dataclass(frozen=True, slots=True)
class _Judged:
    reject: Reject | None
    clause: str
    near: tuple[bool, int]
    """Whether it names the start of the row, and how many of its phrases it has."""
    question: str = ""
    """How the library asks the same."""


def _judged(row: Row, view: _View) -> _Judged:
    wanted = row.wanted
    parts = cut(view.words, wanted)
    near = (-1 in parts.items or parts.unclear, len({item for item in parts.items if item >= 0}))
    # What names the answer names it however well the rest is said.
    leak = _leak(row, view.squeezed)
    if leak is not None:
        return _Judged(*leak, near)
    read = _read(row, wanted, view, parts)
    if read.lack:
        return _Judged(*_LACKS[read.lack], near)
    # Other words of glue may make a name with what they stand beside.
    leak = _leak(row, Squeezed.of(read.question))
    return _Judged(*leak, near) if leak is not None else _Judged(None, "", near, read.question)


def _leak(row: Row, text: Squeezed) -> tuple[Reject, str] | None:
    if not row.leaks:
        return None
    if any(map(text.names, row.answers)):
        return Reject.NAMES_ANSWER, "it names an answer"
    if any(map(text.names, row.middle)):
        return Reject.NAMES_MIDDLE, "it names an entity on the way"
    return None


def _read(row: Row, wanted: Wanted, view: _View, parts: Parts) -> Read:
    if row.expression == "off":
        if -1 not in parts.items:
            return Read("unclear" if parts.unclear else "start")
        return _as_written(row, view.raw)
    found = strict(view.text, wanted)
    if found.lack not in ("", "unclear"):
        found = slots(parts, wanted)
        if not found.lack and row.expression == "strict":
            return Read("more")
    if not found.lack and row.unit and not says_unit(view.raw, row.unit):
        return Read("type")
    return found


def _as_written(row: Row, text: str) -> Read:
    """Return a text with single spaces, unless it has other signs than those of ASCII and of the graph's own words."""
    text = " ".join(text.split())
    known = {*_PRINTABLE, *"".join(row.words)}
    return Read("", text) if known.issuperset(text) else Read("more")


def _decide_codes(rows: Sequence[Row], text: str) -> Decision:
    asked = [place for place, row in enumerate(rows) if row.question == text]
    if asked:
        return _outcome(rows, asked, [_Judged(None, "", (True, 0), row.question) for row in rows])
    begun = _codes(rows[0], text)
    if begun is None:
        return Decision(
            None, Reject.UNREADABLE, "it is not a code of an entity with codes of steps behind it"
        )
    start, others = begun
    same = [row for row in rows if row.question.startswith(start)]
    named = others if same else [start, *others]
    if any(name in row.answers for name in named for row in same or rows):
        return Decision(None, Reject.NAMES_ANSWER, "it names an answer")
    if any(name in row.middle for name in named for row in same or rows):
        return Decision(None, Reject.NAMES_MIDDLE, "it names an entity on the way")
    if others:
        return Decision(None, Reject.UNREADABLE, "it names more than one entity")
    if not same:
        return Decision(None, Reject.NO_START, "none of the paths begins there")
    return Decision(None, Reject.NO_PATH, "none of the paths from there has these steps")


def _codes(row: Row, text: str) -> tuple[str, list[str]] | None:
    """Return the first entity's code and those of all others; None for what is not made of known codes."""
    runs = _RUN.findall(text)
    if not text.isascii() or "".join(runs) != text or len(runs) < 2 or not runs[0].islower():
        return None
    entities: list[str] = []
    for run in runs:
        steps = run.isupper()
        width = row.widths[steps]
        codes = [run[at : at + width] for at in range(0, len(run), width)]
        if len(codes[-1]) < width or any(_number(code) >= row.sizes[steps] for code in codes):
            return None
        entities += [] if steps else codes
    return entities[0], entities[1:]


def _number(code: str) -> int:
    return functools.reduce(
        lambda number, letter: number * _NUM_LETTERS + ord(letter) - ord("a"), code.lower(), 0
    )
