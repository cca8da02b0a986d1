"""An exception that is no longer caught."""

import ast
from collections.abc import Iterator

from rlvr_gym.factory.mutations.base import MUTATIONS, Edit, Source


def exception_narrowed(node: ast.AST, source: Source) -> Iterator[Edit]:
    """Catch only one of several kinds of exceptions."""
    if isinstance(node, ast.ExceptHandler) and isinstance(node.type, ast.Tuple):
        for kind in node.type.elts:
            yield source.replace(node.type, source.text(kind))


MUTATIONS.add("exception_narrowed", exception_narrowed)
