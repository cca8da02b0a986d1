"""An answer read as a list of names. Every item is a whole name or it is wrong: no part of a text ever counts."""

from __future__ import annotations

import functools
import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from rlvr_gym.graphs.aliases import AliasIndex, loose, normal, shown
from rlvr_gym.graphs.graph import Entity
from rlvr_gym.graphs.quantities import Quantity, difference, is_known, read_quantity
from rlvr_gym.verifiers.answers.refusal import Refusal
from rlvr_gym.verifiers.answers.words import HEDGES, listed, words_of
from rlvr_gym.verifiers.kg_answers.denials import DENIALS
from rlvr_gym.verifiers.kg_answers.labels import LABEL
from rlvr_gym.verifiers.kg_answers.reference import Answer

_SEPARATOR = re.compile(
    r"\s?(?:(?<![0-9]),|,(?![0-9]{3}(?![0-9]))|[;\u3001\uff0c\uff1b])(?:\s?and\s|\s?&\s)?\s?|\sand\s|\s&\s",
    re.IGNORECASE,
)
"""Between items; a comma with three digits behind it may belong to a number."""
_BULLET = re.compile(r"[-+*\u2022\u2023\u2013\u2014\u25aa\u25cf]\s+(?![0-9.])")
_NUMBERED = re.compile(r"\(?([0-9]{1,3})[.)]\s+")
_NUMBERED_APART = re.compile(r"[;,]\s")
_REMARKED = re.compile(r"([^()\[\]]{1,200})\s?[(\[]([^()\[\]]{1,100})[)\]]")
_SIGNED = re.compile("[0-9][!'\"\u2019\u201d\u2032\u2033]{1,2}[.,;:]?$")
_FENCED = re.compile(r"```(?:text|txt|plaintext|markdown)?\n([^`]{1,4000})```")
_COMMAND = re.compile(r"\\(?:text|textbf|textit|textrm|mathrm|mathbf|mbox|emph)\s?\{([^{}]{0,2000})\}")
_ESCAPES: Final = (("\\ ", " "), ("\\,", " "), ("\\&", "&"), ("\\_", "_"), ("\\%", "%"), ("{,}", ","))
_DOLLAR: Final = "\ue000"
"""Stands for a dollar sign that is none of mathematics."""
_FORMULAS: Final = (("\\(", "\\)"), ("\\[", "\\]"), ("$$", "$$"), ("$", "$"))
_NUMBER_FORMULA = re.compile(r"\$([0-9][0-9.,]{0,40})\$(?![0-9])")
_UNIT_FORMULA = re.compile(r"(?<=[0-9] )\$([^\W\d_]{1,8})\$(?!\w)")
_TIED = re.compile(r"(?<=[0-9])~(?=[^\W\d_])")
_TAG = re.compile(r"</?(?:b|i|em|strong)>", re.IGNORECASE)
_LINK = re.compile(r"\[([^\[\]()]{1,200})\]\(https?://[^\s()]{1,500}\)")
_IT_IS = re.compile(r"it(?:\sis|['\u2019]s)\s", re.IGNORECASE)
_IS_IT = re.compile(r"\sis\sthe\s(?:final\s|correct\s)?answer[.!]?$", re.IGNORECASE)
_SUBJECT = re.compile(
    r"(?:the|its|his|her|their)(?:\s[^\s.,;:!?()\[\]{}<>\"|/\\]{1,40}){1,16}?\s(?:is|was|are|were)(?:\s(?:called|named))?\s",
    re.IGNORECASE,
)
"""What a sentence says that only names the answer: "The capital of the country is"."""
_DOUBTS: Final = (
    DENIALS
    | HEDGES
    | listed("but if could may might should believe think say says said guess used impossible")
)
_BOTH: Final = "both "
_LIST_BRACKETS: Final = {"[": "]", "{": "}", "(": ")"}
_MARKS: Final = " \t*_\"'`\u201c\u201d\u2018\u2019"
_EDGE: Final = _MARKS + ".,;:"
_STOPS: Final = (".", ",", ";", ":")
_ASKING: Final = (
    "?\u203d\u061f\u037e\u055e\u1367\u2047\u2048\u2049\u2753\u2754\u2e2e\u2cfa\u2cfb\ua60f\ua6f7\u00bf\u2e18"
)
"""Signs of questions in all scripts, after compatibility forms are resolved; a Greek one looks like a semicolon."""
_SPARE_CHARS: Final = 2_000
_SPARE_PIECES: Final = 48
_NEGATIONS: Final = listed("not never no none neither nor except without isn't wrong incorrect but")


@dataclass(frozen=True, slots=True)
class Item:
    """One item of an answer."""

    text: str
    readings: frozenset[int]
    """Places of the right answers that it names; empty where it names none."""
    why: str = ""
    """Code and clause that say why it names none."""


class Names:
    """The names of some answers.

    Args:
        answers: What counts as right.
        path: Entities on the way, which a remark in brackets may mention.
    """

    def __init__(self, answers: Sequence[Answer], path: Sequence[Answer] = ()) -> None:
        self.answers = answers
        self._exact: dict[str, set[int]] = {}
        self._loose: dict[str, set[int]] = {}
        for place, answer in enumerate(answers):
            for form in answer.forms:
                self._exact.setdefault(form, set()).add(place)
            for form in answer.loose:
                self._loose.setdefault(form, set()).add(place)
        self._ambiguous = {form for answer in answers for form in answer.ambiguous}
        self._ambiguous |= {loose(form) for form in self._ambiguous} - self._exact.keys() - self._loose.keys()
        self._on_the_way = {form for answer in path for form in answer.forms | answer.loose}
        self._labels = {_written(answer.label).casefold() for answer in answers}
        self.classes = {word for answer in answers for word in answer.type.split()}
        """Words of the answers' classes."""
        self._written = {_written(answer.label) for answer in answers}
        self._measures = [_measure(answer) for answer in answers]
        self._read: dict[str, Item] = {}
        self._lengths: dict[str, set[int]] = {}
        for form in self._exact.keys() | self._loose.keys() | self._ambiguous:
            first, *others = _SEPARATOR.split(form)
            if others:
                self._lengths.setdefault(loose(normal(first)), set()).add(1 + len(others))
        self.most_pieces = _SPARE_PIECES + sum(
            2 + max((len(_SEPARATOR.findall(form)) + 1 for form in answer.forms), default=1)
            for answer in answers
        )
        """Pieces between separators that an answer may have."""
        self.most_chars = _SPARE_CHARS + 4 * sum(max(map(len, a.forms), default=20) for a in answers)

    @functools.cached_property
    def index(self) -> AliasIndex:
        """The answers, and behind them the entities on the way, to find them in texts."""
        named = [*(answer.forms | answer.loose for answer in self.answers), self._on_the_way]
        return AliasIndex(
            [
                # Without a clear name there is nothing to find: this id is no text.
                Entity(next(iter(sorted(forms)), f"\x00{at}"), "", "", tuple(sorted(forms)))
                for at, forms in enumerate(named)
            ]
        )

    def lengths(self, first: str) -> set[int]:
        """Return how many pieces between separators the names have that begin with this piece and more."""
        return self._lengths.get(loose(normal(first)), set())

    def read(self, text: str) -> Item:
        """Return the item that a text is."""
        text = text.strip()
        item = self._read.get(text)
        if item is None:
            item = self._read[text] = self._item(text)
        return item

    def _item(self, text: str) -> Item:
        if self._leaves_open(text):
            return Item(text, frozenset(), f"hedge: '{text:.60}' leaves the answer open")
        readings = self._named(text)
        if readings:
            return Item(text, readings)
        # A number is right by its value, whatever else is called so.
        measured = self._measured(text)
        if measured.readings:
            return measured
        if self.ambiguous(text):
            return Item(text, frozenset(), f"ambiguous: '{text:.60}' also names another entity")
        remarked = _REMARKED.fullmatch(text.lstrip(_MARKS).rstrip(_EDGE))
        if remarked is not None and not self._leaves_open(remarked[1]):
            readings = self._named(remarked[1])
            if readings and self._says_nothing_else(remarked[2], readings):
                return Item(text, readings)
            readings = self._measured(remarked[1]).readings
            if readings and self._measured(remarked[2]).readings == readings:
                return Item(text, readings)
        return measured

    def ambiguous(self, text: str) -> bool:
        """Return whether a text is the name of an entity that is no right answer, though it could be read as one."""
        form = normal(text)
        return form in self._ambiguous or loose(form) in self._ambiguous

    def _named(self, text: str) -> frozenset[int]:
        form = normal(text)
        places = self._exact.get(form)
        if places is None and form not in self._ambiguous:
            places = self._loose.get(loose(form))
        if not places:
            return frozenset()
        # Names have no case, but units have: 5 MW is no 5 mW.
        given = _quantity_in(text) if any(self._measures[at] is not None for at in places) else None
        if given is None or not given.unit.dims or _written(text) in self._written:
            return frozenset(places)
        measures = {at: self._measures[at] for at in places}
        return frozenset(
            at for at, right in measures.items() if right is None or not difference(right, given)
        )

    def _says_nothing_else(self, remark: str, readings: frozenset[int]) -> bool:
        """Return whether a remark names the same entity again, its class, or an entity on the way to it."""
        form = normal(remark)
        if self._named(remark) == readings or form in self._on_the_way or loose(form) in self._on_the_way:
            return True
        return loose(form) in {self.answers[place].type for place in readings} - {""}

    def _leaves_open(self, text: str) -> bool:
        """Return whether an item ends as a question, in the middle or in a sign of numbers, unless a label does."""
        if _written(text).casefold() in self._labels:
            return False
        head, end = _edges(text)
        if any(sign in head or sign in end for sign in _ASKING):
            return True
        dots = "".join(end.split()).replace("\u2026", "...").replace("\u2025", "..")
        if ".." in dots and not (dots.count(".") == 2 and _ends_in_dot(text, self.answers)):
            return True
        # 12! is a factorial, and 12' a length.
        last = text[-1:]
        return bool(_SIGNED.search(text)) and (last == "!" or text[:1] not in _MARKS)

    def _measured(self, text: str) -> Item:
        wanted = [(at, answer.quantity) for at, answer in enumerate(self.answers) if answer.quantity]
        given = _quantity_in(text) if wanted else None
        if given is None:
            return Item(text, frozenset(), self._why(text))
        differences = {at: difference(right, given) for at, right in wanted}
        same = frozenset(at for at, clause in differences.items() if not clause)
        if same:
            return Item(text, same)
        clause = next(iter(differences.values()))
        code = "wrong" if "value" in clause else "unit"
        return Item(text, frozenset(), f"{code}: {clause} in '{text:.60}'")

    def _why(self, text: str) -> str:
        words = set(words_of(text[:400]))
        if words & _NEGATIONS:
            return f"negated: '{text:.60}' is no name"
        if words & HEDGES:
            return f"hedge: '{text:.60}' leaves the answer open"
        return f"wrong: '{text:.60}' is no name of a right answer"


def read_items(content: str, names: Names) -> list[Item]:
    """Return the items of an answer; names with separators in them are taken whole wherever that makes all items right.

    Raises:
        Refusal: ``no_answer`` or ``too_long``.
    """
    if len(content) > names.most_chars:
        raise Refusal("too_long", f"an answer of {len(content)} characters")
    written = names.read(" ".join(shown(content).split()))
    if written.readings:
        return [written]
    text = _cleaned(content)
    if not text:
        raise Refusal("no_answer", "the answer is empty")
    whole = names.read(" ".join(text.split()))
    if whole.readings:
        return [whole]
    if "\n" not in text and not names.ambiguous(text):
        text = _said(text)
    if (end := _LIST_BRACKETS.get(text[0])) and text[-1] == end and text.count(text[0]) == 1:
        text = text[1:-1].strip()
    pieces = sum(1 + len(_SEPARATOR.findall(line)) for line in text.splitlines() if line.strip())
    if pieces > names.most_pieces:
        raise Refusal("too_long", f"a list of {pieces} items for {len(names.answers)}", failed=True)
    lines = list(_lines(text, names))
    if len(lines) == 1 and lines[0][: len(_BOTH)].casefold() == _BOTH:
        both = _split(lines[0][len(_BOTH) :], names)
        if len(both) == 2 and all(item.readings for item in both):
            return both
    items = [item for line in lines for item in _split(line, names)]
    if not items:
        raise Refusal("no_answer", "the answer is empty")
    return items


def _said(text: str) -> str:
    """Return what a sentence such as "It is Paris." says, ``text`` where it is none.

    A sentence about something else than the answer commits to one name all the same, so nothing is gained by it.
    """
    label = LABEL.match(text) or _IT_IS.match(text)
    if label is None:
        subject = _SUBJECT.match(text)
        if subject is not None and _DOUBTS.isdisjoint(words_of(subject[0])):
            label = subject
    inner = text if label is None else text[label.end() :]
    return _IS_IT.sub("", inner).strip() or text


def _quantity_in(text: str) -> Quantity | None:
    return read_quantity(text.strip(_MARKS).rstrip("."))


def _measure(answer: Answer) -> Quantity | None:
    """Return what a name is compared with beside the name: a quantity, or a name that reads as one with a unit."""
    if answer.quantity is not None:
        return answer.quantity
    read = read_quantity(answer.label)
    return read if read is not None and is_known(read.unit) else None


def _written(text: str) -> str:
    """Return a name with its case, its question marks and its dots, without what it is set in."""
    text = unicodedata.normalize("NFKC", shown(text).translate(_STRAIGHT))
    text = " ".join(text.split()).strip(_MARKS)
    return (text[:-1] if text.endswith(_STOPS) and not text.endswith("..") else text).rstrip(_MARKS)


_STRAIGHT: Final = str.maketrans("\u2018\u2019\u201c\u201d\u2010\u2011\u037e", "''\"\"--?")


def _edges(text: str) -> tuple[str, str]:
    """Return what stands before the first letter or digit of a text and behind the last, compatibility forms resolved."""
    start, end = 0, len(text)
    while start < end and not text[start].isalnum():
        start += 1
    while end > start and not text[end - 1].isalnum():
        end -= 1
    # The Greek question mark would become a semicolon.
    head, tail = text[:start].replace("\u037e", "?"), text[end:].replace("\u037e", "?")
    return unicodedata.normalize("NFKC", head), unicodedata.normalize("NFKC", tail)


def _ends_in_dot(text: str, answers: Sequence[Answer]) -> bool:
    form = normal(text)
    return any(answer.label.endswith(".") and normal(answer.label) == form for answer in answers)


def _cleaned(content: str) -> str:
    """Return an answer without the code block, the tags, the LaTeX and the dollar signs that it is set in."""
    text = shown(content).strip()
    fenced = _FENCED.fullmatch(text)
    if fenced is not None:
        text = fenced[1].strip()
    text = text.replace("\\$", _DOLLAR)
    if "\\" in text or "{,}" in text:
        text = _COMMAND.sub(lambda match: match[1], text)
        for written, meant in _ESCAPES:
            text = text.replace(written, meant)
    if "<" in text:
        text = _TAG.sub("", text)
    if "](" in text:
        text = _LINK.sub(lambda match: match[1], text)
    bare = text.strip(" .*")
    for opens, closes in _FORMULAS:
        inner = bare[len(opens) : -len(closes)]
        if (
            bare.startswith(opens)
            and bare.endswith(closes)
            and inner.strip()
            and closes not in inner
            and opens not in inner
        ):
            text = inner
            break
    if "$" in text:
        text = _UNIT_FORMULA.sub(lambda match: match[1], _NUMBER_FORMULA.sub(lambda match: match[1], text))
    if "~" in text:
        text = _TIED.sub(" ", text)
    return text.replace(_DOLLAR, "$").strip()


def _lines(text: str, names: Names) -> Iterator[str]:
    """Yield the lines without their bullets, or without their numbers where these count 1, 2, 3."""
    lines = [" ".join(line.split()) for line in text.splitlines()]
    lines = [line for line in lines if line.strip("*_-=#>` ")]
    if len(lines) == 1:
        lines = _counted(lines[0])
    numbers = [_NUMBERED.match(line) for line in lines]
    counted = all(match is not None and int(match[1]) == at for at, match in enumerate(numbers, 1))
    for line, number in zip(lines, numbers, strict=True):
        mark = number if counted else _BULLET.match(line)
        # "1. 5" alone may be a number with a space in it.
        alone = mark is not None and len(lines) == 1 and line[mark.end() :][:1].isdigit()
        marked = 0 if mark is None or alone else mark.end()
        # A name may begin like a numbered line.
        yield line if not marked or names.read(line).readings or names.ambiguous(line) else line[marked:]


def _counted(line: str) -> list[str]:
    """Return the items of a line that are numbered 1, 2, 3; the line where they are not."""
    if not line.startswith(("1. ", "1) ", "(1) ")):
        return [line]
    parts = _NUMBERED_APART.split(line)
    numbers = [_NUMBERED.match(part) for part in parts]
    counted = all(match is not None and int(match[1]) == at for at, match in enumerate(numbers, 1))
    return parts if len(parts) > 1 and counted else [line]


def _split(line: str, names: Names) -> list[Item]:
    """Return the items of a line: as few wrong ones as possible, and then as few as possible."""
    cuts = [match.span() for match in _SEPARATOR.finditer(line)]
    starts = [0, *(end for _, end in cuts)]
    ends = [*(start for start, _ in cuts), len(line)]
    empty = [not line[start:end].strip() for start, end in zip(starts, ends, strict=True)]
    # From the end: wrong items, items, where the first item ends, and that item.
    best: list[tuple[int, int, int, Item | None]] = [(0, 0, 0, None)] * (len(starts) + 1)
    for at in range(len(starts) - 1, -1, -1):
        if empty[at]:
            best[at] = (best[at + 1][0], best[at + 1][1], at + 1, None)
            continue
        choices: list[tuple[int, int, int, Item | None]] = []
        piece = line[starts[at] : ends[at]]
        lengths = {1} | names.lengths(piece)
        if "(" in piece and ")" not in piece:
            lengths.add(
                next((k - at + 1 for k in range(at, len(starts)) if ")" in line[starts[k] : ends[k]]), 1)
            )
        for end in sorted(at + length for length in lengths if at + length <= len(starts)):
            item = names.read(line[starts[at] : ends[end - 1]])
            # The name of another entity is not to be read as a list.
            if names.ambiguous(item.text) and not item.readings:
                choices = [(best[end][0] + 1, best[end][1] + 1, end, item)]
            elif item.readings or end == at + 1:
                rest = best[end]
                choices.append((rest[0] + (not item.readings), rest[1] + 1, end, item))
        best[at] = min(choices, key=lambda choice: choice[:2])
    items: list[Item] = []
    at = 0
    while at < len(starts):
        _, _, end, found = best[at]
        if found is not None:
            items.append(found)
        at = end
    return items
