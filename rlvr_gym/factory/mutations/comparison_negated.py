"""``!=`` for ``==``, ``not in`` for ``in``, ``is not`` for ``is``, and the other way round."""

import ast
from collections.abc import Iterator

from rlvr_gym.factory.mutations.base import MUTATIONS, Edit, Source

_OTHER: dict[type[ast.cmpop], tuple[bytes, bytes]] = {
    ast.Eq: (b"==", b"!="),
    ast.NotEq: (b"!=", b"=="),
    ast.In: (b"in", b"not in"),
    ast.NotIn: (b"not in", b"in"),
    ast.Is: (b"is", b"is not"),
    ast.IsNot: (b"is not", b"is"),
}


def comparison_negated(node: ast.AST, source: Source) -> Iterator[Edit]:
    """Turn a comparison into its opposite."""
    if isinstance(node, ast.Compare):
        operands = [node.left, *node.comparators]
        for left, operator, right in zip(operands, node.ops, operands[1:], strict=False):
            if type(operator) in _OTHER:
                yield from source.between(source.end(left), source.start(right), *_OTHER[type(operator)])


MUTATIONS.add("comparison_negated", comparison_negated)
