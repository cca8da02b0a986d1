"""Two arguments of a call in the wrong order."""

import ast
from collections.abc import Iterator

from rlvr_gym.factory.mutations.base import MUTATIONS, Edit, Source


def arguments_swapped(node: ast.AST, source: Source) -> Iterator[Edit]:
    """Swap two neighbouring positional arguments that are different names or attributes."""
    if not isinstance(node, ast.Call):
        return
    for left, right in zip(node.args, node.args[1:], strict=False):
        plain = all(isinstance(each, ast.Name | ast.Attribute | ast.Subscript) for each in (left, right))
        one, other = source.text(left), source.text(right)
        if plain and one != other:
            middle = source.content[source.end(left) : source.start(right)]
            yield Edit(source.start(left), source.end(right), other + middle + one)


MUTATIONS.add("arguments_swapped", arguments_swapped)
