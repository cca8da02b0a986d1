"""Rows of tab-separated files, and what each kind of row says of a graph."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from typing import Final

from rlvr_gym.errors import DataError
from rlvr_gym.graphs.graph import Entity, Relation
from rlvr_gym.graphs.quantities import as_attributes
from rlvr_gym.graphs.reading import flaw, near, rows, shown

_QUANTITY: Final = "quantity"


class BadRow(Exception):
    """Why a line is no row of its file, and an id that may have been meant to be one of those that are known."""

    def __init__(self, reason: str, id: str = "", known: Collection[str] = ()) -> None:
        super().__init__(reason)
        self._id = id
        self._known = known

    def __str__(self) -> str:
        # Searched for only when somebody reads it: there may be very many bad lines.
        return f"{self.args[0]}{near(self._id, self._known) if self._id else ''}"


Take = Callable[[list[str], int], None]
"""Takes the fields of a row and the number of its line, or finds them bad."""


def read_rows(path: Path, take: Take, notes: list[str], *, header: bool = False, skip: bool = False) -> int:
    """Hand all rows of a file to ``take`` and return how many it took.

    Raises:
        DataError: a bad line, unless such lines are to be skipped: then they are counted in ``notes``.
    """
    taken = skipped = 0
    first = ""
    lines = rows(path)
    if header:
        next(lines, None)
    for number, fields in lines:
        try:
            take(fields, number)
            taken += 1
        except BadRow as error:
            if not skip:
                raise DataError(f"{path}:{number}: {error}") from None
            first = first or f"{path}:{number}: {error}"
            skipped += 1
    if skipped:
        notes.append(f"lines left out: {skipped}, the first {first}")
    return taken


def line_of(fact: tuple[str, str, str], *files: Path) -> str:
    """Return file and line of a fact: reading again is cheaper than keeping the lines of all."""
    wanted = list(fact)
    lines = (f"{file}:{number}" for file in files for number, fields in rows(file) if fields == wanted)
    return next(lines, f"{files[0]}")


class Facts:
    """The facts so far, by places in the order of first appearance."""

    def __init__(self, *, refuse_loops: bool) -> None:
        self.entities: dict[str, int] = {}
        self.relations: dict[str, int] = {}
        self.places = array("i")
        """Head, relation and tail of every fact, one after another."""
        self._refuse_loops = refuse_loops

    def take(self, fields: list[str], number: int) -> None:
        """Take a row.

        Raises:
            BadRow: it is none.
        """
        try:
            head, relation, tail = fields
            fact = (self.entities[head], self.relations[relation], self.entities[tail])
        except (ValueError, KeyError):
            # Only what is new needs a closer look.
            fact = self._new(fields)
        if self._refuse_loops and fact[0] == fact[2]:
            raise BadRow(f"{shown(fields[0])} is both head and tail.")
        self.places.extend(fact)

    def _new(self, fields: list[str]) -> tuple[int, int, int]:
        if len(fields) != 3:
            raise BadRow(
                f"head, relation and tail are 3 fields with tabs between, got {len(fields)}{_hint(fields)}."
            )
        for what, id in zip(("head", "relation", "tail"), fields, strict=True):
            _sound(what, id)
        head, relation, tail = fields
        if self._refuse_loops and head == tail:
            raise BadRow(f"{shown(head)} is both head and tail.")
        return (
            self.entities.setdefault(head, len(self.entities)),
            self.relations.setdefault(relation, len(self.relations)),
            self.entities.setdefault(tail, len(self.entities)),
        )


class Names:
    """What the labels and the aliases say of the entities."""

    def __init__(self, known: Mapping[str, int]) -> None:
        self._known = known
        self.labels: dict[str, tuple[str, str]] = {}
        """Label and type by id."""
        self.aliases: dict[str, dict[str, None]] = {}
        """Aliases by id, in order."""
        self._lines: dict[str, int] = {}

    def label(self, fields: list[str], number: int) -> None:
        """Take a row of the labels."""
        if not 2 <= len(fields) <= 3:
            raise BadRow(
                f"id, label and optionally type are 2 or 3 fields, got {len(fields)}{_hint(fields)}."
            )
        id, label, type = (*fields, "")[:3]
        _known("entity", id, self._known)
        if label or not type:
            _sound("label", label)
        if type:
            _sound("type", type)
        if self.labels.setdefault(id, (label, type)) != (label, type):
            other = "type" if self.labels[id][0] == label else "label"
            raise BadRow(f"{shown(id)} has another {other} in line {self._lines[id]}.")
        self._lines.setdefault(id, number)

    def alias(self, fields: list[str], number: int) -> None:
        """Take a row of the aliases."""
        if len(fields) < 2:
            raise BadRow(f"id and aliases are at least 2 fields, got 1{_hint(fields)}.")
        id, *names = fields
        _known("entity", id, self._known)
        for name in names:
            _sound("alias", name)
        self.aliases.setdefault(id, {}).update(dict.fromkeys(names))

    def entity(self, id: str) -> Entity:
        """Return an entity with its names; one of the type ``quantity`` is a number with a unit where its name is one."""
        label, type = self.labels.get(id, ("", ""))
        if type == _QUANTITY and (read := as_attributes(label or id)) is not None:
            return Entity(id, label, type, tuple(self.aliases.get(id, ())), _QUANTITY, read)
        return Entity(id, label, type, tuple(self.aliases.get(id, ())))


class Phrases:
    """What the file of relations says."""

    def __init__(self, known: Mapping[str, int]) -> None:
        self._known = known
        self.relations: dict[str, Relation] = {}
        self._lines: dict[str, int] = {}

    def take(self, fields: list[str], number: int) -> None:
        """Take a row."""
        if len(fields) not in (2, 3, 5):
            raise BadRow(
                "id, phrase, inverse phrase, head type and tail type are 2, 3 or 5 fields, "
                f"got {len(fields)}{_hint(fields)}."
            )
        id, phrase, *rest = fields
        _known("relation", id, self._known)
        for what, text in zip(
            ("phrase", "inverse phrase", "head type", "tail type"), fields[1:], strict=False
        ):
            if text:
                _sound(what, text)
        relation = Relation(id, phrase, *rest)
        if self.relations.setdefault(id, relation) != relation:
            raise BadRow(f"{shown(id)} is described otherwise in line {self._lines[id]}.")
        self._lines.setdefault(id, number)


def _known(what: str, id: str, known: Mapping[str, int]) -> None:
    if id not in known:
        _sound("id", id)
        raise BadRow(f"no {what} of the facts has the id {shown(id)}.", id, known)


def _sound(what: str, name: str) -> None:
    if wrong := flaw(name):
        raise BadRow(f"the {what} {shown(name) + ' ' if name else ''}{wrong}.")


def _hint(fields: list[str]) -> str:
    """Return what a line looks like that has no tab at all."""
    return f": {shown(fields[0])}" if len(fields) == 1 else ""
