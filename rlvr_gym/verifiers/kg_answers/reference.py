"""What a task of the `kg` verifier says about its answers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rlvr_gym.errors import TaskError, UsageError
from rlvr_gym.graphs.aliases import loose, normal
from rlvr_gym.graphs.quantities import Quantity, quantity_of
from rlvr_gym.types import Json, Task

MOST_ANSWERS = 200


@dataclass(frozen=True, slots=True)
class Answer:
    """An entity with the names that stand for it and nothing else."""

    id: str
    label: str
    type: str
    code: str
    """How it is written where answers are codes; empty where they are names."""
    forms: frozenset[str]
    loose: frozenset[str]
    ambiguous: frozenset[str]
    """Names of it that other entities have as well."""
    quantity: Quantity | None


@dataclass(frozen=True, slots=True)
class Reference:
    """A reference, read."""

    answers: tuple[Answer, ...]
    many: bool
    path: tuple[Answer, ...] | None
    """Entities between the start and the answer, in order; None where they are not given."""
    width: int
    """Letters of a code; 0 where answers are names."""
    chain: bool
    graph: Json
    """The table of the graph; None where it is not given."""
    start: str
    """Id of the entity that the question starts from; empty where it is not given."""
    steps: tuple[str, ...]
    """Ids of the question's steps, as paths write them; empty where they are not given."""


def read_reference(task: Task) -> Reference:
    """Return the reference of a task.

    Raises:
        TaskError: one that no answer can be judged against.
    """
    try:
        return _read(task.reference)
    except _BadReferenceError as error:
        raise TaskError(f"task '{task.id}': the reference of 'kg' {error}.") from None


class _BadReferenceError(Exception):
    """What is wrong with a reference, as a clause."""


def _read(row: Json) -> Reference:
    if not isinstance(row, Mapping):
        raise _BadReferenceError(f"must be a table with 'answers', got {type(row).__name__}")
    chain = _typed(row, "chain", bool, False)
    width = _typed(row, "codes", int, 0)
    if width < 0 or (chain and not width):
        raise _BadReferenceError("says 'chain', which needs 'codes', the letters of a code")
    answers = _rows(row, "answers", width)
    many = _typed(row, "many", bool, False)
    if not answers:
        raise _BadReferenceError("has no answers")
    if len(answers) > 1 and not many:
        raise _BadReferenceError(f"has {len(answers)} answers, but does not say 'many'")
    if len(answers) > MOST_ANSWERS:
        raise _BadReferenceError(f"has {len(answers)} answers, more than {MOST_ANSWERS}")
    if len(answers) > 1 and width:
        raise _BadReferenceError(f"has {len(answers)} answers in codes, which have room for one")
    if len({answer.id for answer in answers}) < len(answers):
        raise _BadReferenceError("names an answer twice")
    path = _rows(row, "path", width, judged=False) if row.get("path") is not None else None
    if chain and path is None:
        raise _BadReferenceError("says 'chain', which needs the 'path': a response has a code for every hop")
    graph = row.get("graph")
    if graph is not None and not isinstance(graph, str | Mapping):
        raise _BadReferenceError("names a graph by neither a text nor a table")
    steps = row.get("steps") or []
    if not isinstance(steps, list | tuple) or not all(isinstance(step, str) for step in steps):
        raise _BadReferenceError("has steps that are no list of ids")
    return Reference(answers, many, path, width, chain, graph, _typed(row, "start", str, ""), tuple(steps))


def _typed(row: Mapping[str, Any], key: str, kind: type, default: Any) -> Any:
    value = row.get(key, default)
    if value is None:
        return default
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        raise _BadReferenceError(f"has {key!r} = {value!r:.40}, which must be {kind.__name__}")
    return value


def _rows(row: Mapping[str, Any], key: str, width: int, *, judged: bool = True) -> tuple[Answer, ...]:
    rows = row.get(key)
    if not isinstance(rows, list | tuple):
        raise _BadReferenceError(f"must have a list of {key!r}")
    return tuple(_answer(each, f"{key}[{at}]", width, judged) for at, each in enumerate(rows))


def _answer(row: Any, where: str, width: int, judged: bool) -> Answer:
    if isinstance(row, str):
        row = {"id": row}
    if not isinstance(row, Mapping) or not isinstance(row.get("id"), str):
        raise _BadReferenceError(f"has in {where} neither a name nor a table with an 'id'")
    if row.get("forms") is None:
        # Where no graph says what else a name may mean, it means this entity.
        names = [row["id"], str(row.get("label") or ""), *_forms(row, "aliases", where)]
        row = {**row, "forms": names, "loose": names}
    forms = _forms(row, "forms", where)
    code = row.get("code") or next((form for form in row.get("forms") or () if len(form) == width), "")
    answer = Answer(
        row["id"],
        str(row.get("label") or row["id"]),
        normal(str(row.get("type") or "")).replace("_", " "),
        str(code) if width else "",
        frozenset(filter(None, map(normal, forms))),
        frozenset(filter(None, map(loose, map(normal, _forms(row, "loose", where))))),
        frozenset(map(normal, _forms(row, "ambiguous", where))),
        _quantity(row, where),
    )
    if judged and width and not _is_code(answer.code, width):
        raise _BadReferenceError(f"has no code of {width} letters a to z in {where} ('{answer.id:.60}')")
    if judged and not width and not answer.forms and answer.quantity is None:
        shared = f": '{answer.label:.60}' also names another entity" if answer.ambiguous else ""
        raise _BadReferenceError(f"has no name in {where} that stands for '{answer.id:.60}' alone{shared}")
    return answer


def _is_code(text: str, width: int) -> bool:
    return len(text) == width and text.isascii() and text.isalpha() and text.islower()


def _forms(row: Mapping[str, Any], key: str, where: str) -> list[str]:
    forms = row.get(key) or []
    if not isinstance(forms, list | tuple) or not all(isinstance(form, str) for form in forms):
        raise _BadReferenceError(f"has in {where} {key!r} that are no list of names")
    return list(forms)


def _quantity(row: Mapping[str, Any], where: str) -> Quantity | None:
    if row.get("value") is None:
        return None
    try:
        return quantity_of(str(row["value"]), str(row.get("unit") or ""))
    except UsageError as error:
        raise _BadReferenceError(f"has a wrong quantity in {where}: {str(error).rstrip('.')}") from None
