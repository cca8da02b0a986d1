"""A number that is one too large or one too small."""

import ast
from collections.abc import Iterator

from rlvr_gym.factory.mutations.base import MUTATIONS, Edit, Source


def number_shifted(node: ast.AST, source: Source) -> Iterator[Edit]:
    """Move a whole number by one; only those written in plain decimal."""
    if (
        isinstance(node, ast.Constant)
        and type(node.value) is int
        and source.text(node) == str(node.value).encode()
    ):
        yield source.replace(node, str(node.value + 1).encode())
        if node.value > 1:
            yield source.replace(node, str(node.value - 1).encode())


MUTATIONS.add("number_shifted", number_shifted)
