"""Every node of a tree as it was parsed, without what later stages wrote onto it."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from functools import cache

from rlvr_gym.verifiers.verus.syntax import tree

# What name resolution and inference fill in; some of it points back up the tree.
_FOUND_LATER = frozenset(
    (
        "place", "target", "local", "owner", "ghost_local", "groups", "locals", "parameter_types", "result_type",
        "result_local", "found", "subject_type", "types", "ghost",
    )
)  # fmt: skip


@cache
def _fields(kind: type[tree.Node]) -> tuple[str, ...]:
    """Return the names of the fields that may hold nodes of the program's text."""
    typed = issubclass(kind, tree.ExprNode | tree.PatternNode)
    return tuple(
        field.name
        for field in dataclasses.fields(kind)
        if field.name not in _FOUND_LATER and not (typed and field.name == "type")
    )


def children(node: tree.Node) -> list[tree.Node]:
    """Return the nodes directly below ``node``, in order of the text."""
    found: list[tree.Node] = []
    for name in _fields(type(node)):  # type: ignore[arg-type]  # classes are hashable; mypy reads the nodes' own `__hash__`
        value = getattr(node, name)
        if isinstance(value, tree.Node):
            found.append(value)
        elif value and isinstance(value, tuple):
            _collect(value, found)
    return found


def _collect(values: tuple[object, ...], found: list[tree.Node]) -> None:
    for value in values:
        if isinstance(value, tree.Node):
            found.append(value)
        elif value and isinstance(value, tuple):
            _collect(value, found)


def walk(node: tree.Node) -> Iterator[tree.Node]:
    """Yield ``node`` and every node below it, each before those below it."""
    waiting = [node]
    while waiting:
        current = waiting.pop()
        yield current
        below = children(current)
        if below:
            below.reverse()
            waiting += below
