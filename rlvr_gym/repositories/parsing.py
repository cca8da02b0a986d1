"""Reading Python source as a tree, one thread at a time."""

from __future__ import annotations

import ast
import threading

_ONE = threading.Lock()


def parse_python(source: str | bytes) -> ast.Module:
    """Return the tree of a source.

    CPython 3.11 keeps the depth of a tree that it builds where all threads share it. Two that parse at once may fail with
    "AST constructor recursion depth mismatch", a SystemError.

    Raises:
        SyntaxError: it is no Python.
        ValueError: it holds a NUL.
        RecursionError: it is nested too deep.
    """
    with _ONE:
        return ast.parse(source)
