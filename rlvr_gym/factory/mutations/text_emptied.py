"""A short text such as a separator is lost."""

import ast
from collections.abc import Iterator

from rlvr_gym.factory.mutations.base import MUTATIONS, Edit, Source

_LONGEST = 12


def text_emptied(node: ast.AST, source: Source) -> Iterator[Edit]:
    """Write the empty text for one that is added, joined by, or passed on."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        parts: list[ast.expr] = [node.left, node.right]
    elif isinstance(node, ast.Call):
        parts = [*node.args, *([node.func.value] if isinstance(node.func, ast.Attribute) else [])]
    elif isinstance(node, ast.Return) and node.value is not None:
        parts = [node.value]
    else:
        return
    for part in parts:
        if isinstance(part, ast.Constant) and isinstance(part.value, str) and 0 < len(part.value) <= _LONGEST:
            yield source.replace(part, b'""' if source.text(part).endswith(b'"') else b"''")


MUTATIONS.add("text_emptied", text_emptied)
