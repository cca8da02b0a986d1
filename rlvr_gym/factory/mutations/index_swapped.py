"""The last item for the first, and the other way round."""

import ast
from collections.abc import Iterator

from rlvr_gym.factory.mutations.base import MUTATIONS, Edit, Source


def index_swapped(node: ast.AST, source: Source) -> Iterator[Edit]:
    """Take an item from the other end."""
    if isinstance(node, ast.Subscript) and source.text(node.slice) in (b"0", b"-1"):
        yield source.replace(node.slice, b"-1" if source.text(node.slice) == b"0" else b"0")


MUTATIONS.add("index_swapped", index_swapped)
