"""A line is missing: a call for its effect, or a change of a value."""

import ast
from collections.abc import Iterator

from rlvr_gym.factory.mutations.base import MUTATIONS, Edit, Source


def statement_dropped(node: ast.AST, source: Source) -> Iterator[Edit]:
    """Take out one statement of several that stand together."""
    for body in (getattr(node, name, None) for name in ("body", "orelse", "finalbody")):
        if isinstance(body, list) and len(body) > 1:
            for statement in body:
                call = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call)
                if call or isinstance(statement, ast.AugAssign):
                    yield from source.without(statement)


MUTATIONS.add("statement_dropped", statement_dropped)
