"""A function's body without its ghost parts: what a machine would run."""

from __future__ import annotations

import dataclasses
from typing import Any, TypeVar

from rlvr_gym.verifiers.verus.syntax import tree
from rlvr_gym.verifiers.verus.syntax.walk import children, walk

N = TypeVar("N", bound=tree.Node)

_GHOST_STATEMENTS = (
    tree.Assert, tree.AssertForall, tree.Assume, tree.Proof, tree.Reveal, tree.Calc, tree.BroadcastUse,
)  # fmt: skip
_GHOST_MACROS = frozenset(
    (
        "assert_by_contradiction",
        "assert_seqs_equal",
        "assert_sets_equal",
        "assert_maps_equal",
        "assert_multisets_equal",
    )
)
_LOOPS = (tree.While, tree.Loop, tree.For)
_NO_CLAUSES = tree.LoopClauses()


def erased(body: tree.BlockExpr) -> tree.BlockExpr:
    """Return ``body`` without proofs, ghost variables, clauses of loops and closures, and attributes."""
    return _Eraser(_ghosts(body)).block(body)


def is_ghost(node: tree.Statement | tree.Expr, ghosts: frozenset[str] = frozenset()) -> bool:
    """Return whether a statement, or the value that a block ends with, is ghost as a whole."""
    if isinstance(node, tree.Let):
        return node.ghostness != "exec"
    if isinstance(node, tree.ItemStatement):
        return isinstance(node.item, tree.Function) and node.item.mode != "exec"
    value = node.value if isinstance(node, tree.ExprStatement) else node
    if isinstance(value, tree.MacroCall):
        return value.name in _GHOST_MACROS
    if isinstance(value, tree.Assign):
        return _root(value.target) in ghosts
    return isinstance(value, _GHOST_STATEMENTS)


def _ghosts(body: tree.BlockExpr) -> frozenset[str]:
    """Return the variables that are ghost wherever they are declared in ``body``."""
    ghost: set[str] = set()
    executed: set[str] = set()
    for node in walk(body):
        if isinstance(node, tree.Let):
            names = {one.name for one in walk(node.pattern) if isinstance(one, tree.BindPattern)}
            (executed if node.ghostness == "exec" else ghost).update(names)
        elif isinstance(node, tree.Parameter):
            executed.add(node.name)
    return frozenset(ghost - executed)


class _Eraser:
    """Copies a tree without what is ghost in it."""

    def __init__(self, ghosts: frozenset[str]) -> None:
        self._ghosts = ghosts

    def block(self, node: tree.BlockExpr) -> tree.BlockExpr:
        """Return a block without ghost statements; a statement that now ends it becomes its value again."""
        statements = [self._copy(one) for one in node.statements if not is_ghost(one, self._ghosts)]
        copied: tree.Expr | None = None
        if node.tail is not None and not is_ghost(node.tail):
            copied = self._copy(node.tail)
        if copied is None and statements:
            last = statements[-1]
            if isinstance(last, tree.ExprStatement) and not last.semicolon:
                copied = last.value
                statements.pop()
        return tree.BlockExpr(tuple(statements), copied, place=node.place)

    def _copy(self, node: N) -> N:
        """Return a copy of ``node`` without what is ghost below it."""
        if isinstance(node, tree.BlockExpr):
            return self.block(node)  # type: ignore[return-value]  # the class of the node
        if not children(node):
            return node
        changes: dict[str, Any] = {}
        for field in dataclasses.fields(node):
            value = getattr(node, field.name)
            if isinstance(value, tree.Node | tuple) and value:
                changes[field.name] = self._copied(value)
        if isinstance(node, tree.ExprNode):
            changes["attributes"] = ()
        if isinstance(node, _LOOPS):
            changes["clauses"] = _NO_CLAUSES
        if isinstance(node, tree.For):
            changes["ghost_name"] = None
        if isinstance(node, tree.Closure):
            changes.update(requires=(), ensures=(), result_name=None)
        if isinstance(node, tree.ExprStatement) and isinstance(node.value, _LOOPS):
            # A loop's value is nothing, with or without `;`.
            changes["semicolon"] = False
        return dataclasses.replace(node, **changes)

    def _copied(self, value: object) -> object:
        if isinstance(value, tree.Node):
            return self._copy(value)
        if isinstance(value, tuple):
            return tuple(self._copied(one) for one in value)
        return value


def _root(node: tree.Expr) -> str:
    """Return the variable that a place starts with."""
    while isinstance(node, tree.Field | tree.Index | tree.View):
        node = node.operand
    return node.segments[0].name if isinstance(node, tree.PathExpr) else ""
