"""``or`` for ``and`` and the other way round."""

import ast
from collections.abc import Iterator

from rlvr_gym.factory.mutations.base import MUTATIONS, Edit, Source


def boolean_swapped(node: ast.AST, source: Source) -> Iterator[Edit]:
    """Join two conditions by the other word."""
    if isinstance(node, ast.BoolOp):
        words = (b"and", b"or") if isinstance(node.op, ast.And) else (b"or", b"and")
        for left, right in zip(node.values, node.values[1:], strict=False):
            yield from source.between(source.end(left), source.start(right), *words)


MUTATIONS.add("boolean_swapped", boolean_swapped)
