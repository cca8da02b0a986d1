"""``break`` for ``continue`` and the other way round."""

import ast
from collections.abc import Iterator

from rlvr_gym.factory.mutations.base import MUTATIONS, Edit, Source


def loop_left(node: ast.AST, source: Source) -> Iterator[Edit]:
    """Leave a loop early, or do not leave it."""
    if isinstance(node, ast.Continue):
        yield source.replace(node, b"break")
    elif isinstance(node, ast.Break):
        yield source.replace(node, b"continue")


MUTATIONS.add("loop_left", loop_left)
