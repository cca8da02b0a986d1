"""A function for its sibling: ``lstrip`` for ``rstrip``, ``min`` for ``max``."""

import ast
from collections.abc import Iterator

from rlvr_gym.factory.mutations.base import MUTATIONS, Edit, Source

_PAIRS = (
    ("lstrip", "rstrip"),
    ("startswith", "endswith"),
    ("find", "rfind"),
    ("index", "rindex"),
    ("split", "rsplit"),
    ("partition", "rpartition"),
    ("lower", "upper"),
    ("isdigit", "isalpha"),
    ("append", "extend"),
    ("min", "max"),
    ("any", "all"),
    ("match", "search"),
    ("keys", "values"),
)
_OTHER = {**dict(_PAIRS), **{right: left for left, right in _PAIRS}, "strip": "rstrip", "ljust": "rjust"}


def method_swapped(node: ast.AST, source: Source) -> Iterator[Edit]:
    """Call the sibling of a method or of a built-in function."""
    if not isinstance(node, ast.Call):
        return
    function = node.func
    name = function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
    if name in _OTHER:
        end = source.end(function)
        yield Edit(end - len(name), end, _OTHER[name].encode())


MUTATIONS.add("method_swapped", method_swapped)
