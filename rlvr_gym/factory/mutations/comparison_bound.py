"""``<`` for ``<=`` and the like: off by one at a bound."""

import ast
from collections.abc import Iterator

from rlvr_gym.factory.mutations.base import MUTATIONS, Edit, Source

_OTHER: dict[type[ast.cmpop], tuple[bytes, bytes]] = {
    ast.Lt: (b"<", b"<="),
    ast.LtE: (b"<=", b"<"),
    ast.Gt: (b">", b">="),
    ast.GtE: (b">=", b">"),
}


def comparison_bound(node: ast.AST, source: Source) -> Iterator[Edit]:
    """Include the bound of a comparison, or exclude it."""
    if isinstance(node, ast.Compare):
        operands = [node.left, *node.comparators]
        for left, operator, right in zip(operands, node.ops, operands[1:], strict=False):
            if type(operator) in _OTHER:
                yield from source.between(source.end(left), source.start(right), *_OTHER[type(operator)])


MUTATIONS.add("comparison_bound", comparison_bound)
