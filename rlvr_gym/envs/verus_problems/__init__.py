"""Specifications of our own with verified solutions, one file each, graded from 1 to 5.

A file is a whole Verus program under a header: the description, then ``difficulty:``, ``function:`` and ``tests:``
with one JSON object a line. A test says what ``given`` arguments, by parameter name, may give back (``good``) and
what they must not (``bad``), so that a specification can be judged by running it. Values are JSON's own: a sequence is a
list, a tuple too; a character is a text of one; None is null and Some(x) is {"Some": x}; a struct is an object.
What a function with ``&mut`` parameters gives is an object: those parameters afterwards, and ``result`` if there is one.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from rlvr_gym.types import Json
from rlvr_gym.verifiers.verus.report import Place
from rlvr_gym.verifiers.verus.syntax import tree
from rlvr_gym.verifiers.verus.syntax.parser import parse

__all__ = ["DIFFICULTIES", "Example", "Problem", "problems", "read_problem"]

DIFFICULTIES = {
    1: "straight-line code and branches",
    2: "one simple loop",
    3: "a loop with a quantified invariant",
    4: "recursive specifications and lemmas",
    5: "nested loops, products, sorting",
}
"""What each grade asks of a proof."""
_FIELDS = ("difficulty", "function", "tests")


@dataclass(frozen=True, slots=True)
class Example:
    """Outcomes that a specification must allow and outcomes that it must not."""

    given: Mapping[str, Json]
    good: tuple[Json, ...]
    bad: tuple[Json, ...]


@dataclass(frozen=True, slots=True)
class Problem:
    """A specification with a reference solution."""

    slug: str
    description: str
    difficulty: int
    function: str
    source: str
    """The whole program, proofs included."""
    spec: str
    """The same with ``unimplemented!()`` in place of the function's body, without lemmas and other helpers."""
    tests: tuple[Example, ...]


@functools.cache
def problems() -> tuple[Problem, ...]:
    """Return all problems, by difficulty and then by name."""
    found = [read_problem(path) for path in Path(__file__).parent.glob("*.rs")]
    return tuple(sorted(found, key=lambda problem: (problem.difficulty, problem.slug)))


def read_problem(path: Path) -> Problem:
    """Return the problem of one file.

    Raises:
        ValueError: the header misses a field.
    """
    lines = path.read_text(encoding="utf-8").splitlines()
    length = next(number for number, line in enumerate(lines) if not line.startswith("//!"))
    header = [line[3:].strip() for line in lines[:length]]
    source = "\n".join(lines[length:]).strip() + "\n"
    first = min(number for number, line in enumerate(header) if line.startswith(_FIELDS))
    fields = dict(line.split(":", 1) for line in header[first:] if line.startswith(_FIELDS))
    missing = [name for name in _FIELDS if name not in fields]
    if missing:
        raise ValueError(f"{path.name}: the header has no {missing[0]}.")
    function = fields["function"].strip()
    return Problem(
        slug=path.stem,
        description=" ".join(line for line in header[:first] if line),
        difficulty=int(fields["difficulty"]),
        function=function,
        source=source,
        spec=_without_solution(source, function),
        tests=tuple(_example(json.loads(line)) for line in header[first:] if line.startswith("{")),
    )


def _example(written: Mapping[str, Json]) -> Example:
    """Return a test of the header."""
    return Example(written["given"], tuple(written["good"]), tuple(written["bad"]))


def _without_solution(source: str, function: str) -> str:
    """Return ``source`` with a hole for the body of ``function``, without lemmas and other functions that run."""
    lines = source.splitlines(keepends=True)
    for item in sorted(parse(source).items, key=lambda item: item.place, reverse=True):
        if not isinstance(item, tree.Function) or item.mode == "spec":
            continue
        if item.name != function:
            start = min([item.place, *(attribute.place for attribute in item.attributes)])
            _replace(lines, Place(start.line, start.column, item.place.end_line, item.place.end_column), "")
        elif item.body is not None:
            _replace(lines, item.body.place, "{\n    unimplemented!()\n}")
    text = "".join(lines)
    while "\n\n\n" in text:
        text = text.replace("\n\n\n", "\n\n")
    return text


def _replace(lines: list[str], place: Place, text: str) -> None:
    """Put ``text`` where ``place`` points in ``lines``."""
    first, last = place.line - 1, place.end_line - 1
    before, after = lines[first][: place.column - 1], lines[last][place.end_column - 1 :]
    lines[first : last + 1] = [before + text + after]
