"""A special case is no longer treated: an early return, a ``continue``, or a check that raises is missing."""

import ast
from collections.abc import Iterator

from rlvr_gym.factory.mutations.base import MUTATIONS, Edit, Source


def guard_dropped(node: ast.AST, source: Source) -> Iterator[Edit]:
    """Take out an ``if`` without ``else`` whose only statement leaves."""
    for body in (getattr(node, name, None) for name in ("body", "orelse", "finalbody")):
        if isinstance(body, list) and len(body) > 1:
            for statement in body:
                if isinstance(statement, ast.If) and not statement.orelse and _leaves(statement.body):
                    yield from source.without(statement)


def _leaves(body: list[ast.stmt]) -> bool:
    return len(body) == 1 and isinstance(body[0], ast.Return | ast.Raise | ast.Continue | ast.Break)


MUTATIONS.add("guard_dropped", guard_dropped)
