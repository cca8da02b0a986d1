"""``-`` for ``+``, ``//`` for ``/`` and the like."""

import ast
from collections.abc import Iterator

from rlvr_gym.factory.mutations.base import MUTATIONS, Edit, Source

_OTHER: dict[type[ast.operator], tuple[bytes, bytes]] = {
    ast.Add: (b"+", b"-"),
    ast.Sub: (b"-", b"+"),
    ast.Mult: (b"*", b"+"),
    ast.Div: (b"/", b"//"),
    ast.FloorDiv: (b"//", b"%"),
    ast.Mod: (b"%", b"//"),
    ast.BitOr: (b"|", b"&"),
    ast.BitAnd: (b"&", b"|"),
    ast.LShift: (b"<<", b">>"),
    ast.RShift: (b">>", b"<<"),
}


def arithmetic_swapped(node: ast.AST, source: Source) -> Iterator[Edit]:
    """Compute with another operator; formatting of texts by ``%`` is left alone."""
    if (
        isinstance(node, ast.BinOp)
        and type(node.op) in _OTHER
        and not _text(node.left)
        and not _text(node.right)
    ):
        yield from source.between(source.end(node.left), source.start(node.right), *_OTHER[type(node.op)])


def _text(node: ast.expr) -> bool:
    return isinstance(node, ast.JoinedStr) or (
        isinstance(node, ast.Constant) and isinstance(node.value, str | bytes)
    )


MUTATIONS.add("arithmetic_swapped", arithmetic_swapped)
