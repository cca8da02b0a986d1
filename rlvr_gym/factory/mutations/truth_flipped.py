"""``False`` for ``True`` and the other way round."""

import ast
from collections.abc import Iterator

from rlvr_gym.factory.mutations.base import MUTATIONS, Edit, Source


def truth_flipped(node: ast.AST, source: Source) -> Iterator[Edit]:
    """Turn a truth value round."""
    if isinstance(node, ast.Constant) and isinstance(node.value, bool):
        yield source.replace(node, str(not node.value).encode())


MUTATIONS.add("truth_flipped", truth_flipped)
