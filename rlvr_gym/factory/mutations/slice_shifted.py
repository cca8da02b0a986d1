"""A slice that takes one item too few, or none of its bounds."""

import ast
from collections.abc import Iterator

from rlvr_gym.factory.mutations.base import MUTATIONS, Edit, Source


def slice_shifted(node: ast.AST, source: Source) -> Iterator[Edit]:
    """Move a bound that is an expression by one, or leave one out."""
    if not isinstance(node, ast.Slice):
        return
    for bound in (node.lower, node.upper):
        if isinstance(bound, ast.Name | ast.Attribute):
            yield source.replace(bound, source.text(bound) + b" + 1")
        elif isinstance(bound, ast.Constant | ast.UnaryOp):
            yield source.replace(bound, b"")


MUTATIONS.add("slice_shifted", slice_shifted)
