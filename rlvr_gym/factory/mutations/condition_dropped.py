"""One part of an ``and`` or ``or`` is forgotten."""

import ast
from collections.abc import Iterator

from rlvr_gym.factory.mutations.base import MUTATIONS, Edit, Source


def condition_dropped(node: ast.AST, source: Source) -> Iterator[Edit]:
    """Keep one side of a condition of two."""
    if isinstance(node, ast.BoolOp) and len(node.values) == 2 and b"\n" not in source.text(node):
        for value in node.values:
            yield source.replace(node, source.text(value))


MUTATIONS.add("condition_dropped", condition_dropped)
