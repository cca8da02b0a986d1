"""Walking the annotated tree: the parts of a node, without types, targets and nested items."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from functools import lru_cache
from typing import TypeGuard, get_args

from rlvr_gym.verifiers.verus.inference.crate import Crate
from rlvr_gym.verifiers.verus.syntax.tree import (
    Arm,
    Attribute,
    BindPattern,
    CalcStep,
    Expr,
    ExprNode,
    ExprStatement,
    Function,
    Let,
    Local,
    LoopClauses,
    Node,
    Parameter,
    Pattern,
)

# Looked up by exact class: going through a tuple of sixty of them for every field would cost most of a check.
_PARTS = frozenset(
    (*get_args(Expr), *get_args(Pattern), Arm, CalcStep, ExprStatement, Let, LoopClauses, Parameter)
)
_PLAIN = ("str", "bool", "int", "str | None", "int | None")
_NO_PARTS = frozenset(
    {"place", "type", "target", "local", "ghost_local", "groups", "attributes", "triggers", "to", "declared"}
)
_FIELDS: dict[type[Node], tuple[str, ...]] = {}
"""For each kind of node the fields that may hold parts of it: asked for at every node of every walk."""


def _fields(kind: type[Node]) -> tuple[str, ...]:
    found = _FIELDS.get(kind)
    if found is None:
        found = tuple(
            field.name
            for field in dataclasses.fields(kind)
            if field.name not in _NO_PARTS
            and not (field.type in _PLAIN or str(field.type).startswith("Literal"))
        )
        _FIELDS[kind] = found
    return found


def parts(node: Node) -> list[Node]:
    """Return the expressions, patterns, statements and clauses that stand directly in ``node``, in source order."""
    found: list[Node] = []
    for name in _fields(type(node)):
        value = getattr(node, name)
        if value is None:
            continue
        if type(value) in _PARTS:
            found.append(value)
        elif value and isinstance(value, tuple):
            _collect(value, found)
    return found


def _collect(values: tuple[object, ...], found: list[Node]) -> None:
    for value in values:
        if type(value) in _PARTS:
            found.append(value)  # type: ignore[arg-type]  # the classes of the set are nodes
        elif value and isinstance(value, tuple):
            _collect(value, found)


def walk(node: Node) -> Iterator[Node]:
    """Yield ``node`` and all that stands in it, outermost first."""
    stack = [node]
    while stack:
        found = stack.pop()
        yield found
        inside = parts(found)
        if inside:
            inside.reverse()
            stack += inside


@lru_cache(maxsize=1)
def all_nodes(crate: Crate) -> tuple[Node, ...]:
    """Return every node of every clause, body and constant of the file: many checks go through all of them."""
    return tuple(node for root in every_root(crate) for node in walk(root))


def is_expression(node: object) -> TypeGuard[Expr]:
    """Return whether ``node`` is an expression."""
    return isinstance(node, ExprNode)


def locals_of(node: Node) -> Iterator[Local]:
    """Yield the variables that a pattern or parameter binds."""
    for found in walk(node):
        if isinstance(found, BindPattern | Parameter) and found.local is not None:
            yield found.local


def contract(function: Function) -> Iterator[Expr]:
    """Yield every clause of a function's contract."""
    yield from function.requires
    yield from function.ensures
    if function.returns is not None:
        yield function.returns
    yield from function.recommends
    yield from function.decreases
    if function.when is not None:
        yield function.when


def roots(function: Function) -> Iterator[Expr]:
    """Yield the clauses and the body of a function."""
    yield from contract(function)
    if function.body is not None:
        yield function.body


def every_root(crate: Crate) -> Iterator[Expr]:
    """Yield all expressions of the file that are not part of another: clauses, bodies, values of constants."""
    for function in crate.functions:
        yield from roots(function)
    for const in crate.consts:
        if const.value is not None:
            yield const.value
        yield from const.ensures


def attribute(attributes: tuple[Attribute, ...], path: str) -> Attribute | None:
    """Return the attribute of that path."""
    return next((found for found in attributes if found.path == path), None)
