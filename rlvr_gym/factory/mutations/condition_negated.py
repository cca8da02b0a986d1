"""``if not x`` for ``if x`` and the other way round."""

import ast
from collections.abc import Iterator

from rlvr_gym.factory.mutations.base import MUTATIONS, Edit, Source


def condition_negated(node: ast.AST, source: Source) -> Iterator[Edit]:
    """Take the other branch of a condition that is a plain value."""
    if not isinstance(node, ast.If | ast.IfExp):
        return
    test = node.test
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        yield source.replace(test, source.text(test.operand))
    elif isinstance(test, ast.Name | ast.Attribute | ast.Call | ast.Subscript):
        yield source.replace(test, b"not " + source.text(test))


MUTATIONS.add("condition_negated", condition_negated)
