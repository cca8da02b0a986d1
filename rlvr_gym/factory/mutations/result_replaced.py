"""A function that returns its input, or the one of two values it should not."""

import ast
from collections.abc import Iterator

from rlvr_gym.factory.mutations.base import MUTATIONS, Edit, Source


def result_replaced(node: ast.AST, source: Source) -> Iterator[Edit]:
    """Return a call's first argument in place of its result, or swap the two values of a conditional expression."""
    if isinstance(node, ast.Return) and isinstance(node.value, ast.Call) and node.value.args:
        first = node.value.args[0]
        if isinstance(first, ast.Name | ast.Attribute):
            yield source.replace(node.value, source.text(first))
    elif isinstance(node, ast.IfExp):
        body, other = source.text(node.body), source.text(node.orelse)
        middle = source.content[source.end(node.body) : source.start(node.orelse)]
        if body != other:
            yield Edit(source.start(node.body), source.end(node.orelse), other + middle + body)


MUTATIONS.add("result_replaced", result_replaced)
