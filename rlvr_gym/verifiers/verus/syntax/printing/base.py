"""The table of printers, by the class of the node."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from rlvr_gym.verifiers.verus.syntax import tree

N = TypeVar("N")

_PRINTERS: dict[type[Any], Callable[[Any], str]] = {}


def prints(*classes: type[N]) -> Callable[[Callable[[N], str]], Callable[[N], str]]:
    """Register a printer for ``classes``."""

    def register(printer: Callable[[N], str]) -> Callable[[N], str]:
        for each in classes:
            _PRINTERS[each] = printer
        return printer

    return register


def show(node: tree.Node) -> str:
    """Return the canonical text of ``node``, on one line.

    Nodes that differ in nothing but places, and in what later stages found, have the same text; all others differ.
    """
    return _PRINTERS[type(node)](node)


def listed(nodes: Iterable[tree.Node]) -> str:
    """Return nodes joined by commas."""
    return ", ".join(map(show, nodes))


@prints(tree.Attribute)
def attribute(node: tree.Attribute) -> str:
    """Return ``#[path(arguments)]``."""
    inside = node.path
    if node.expressions:
        inside += " " + listed(node.expressions)
    elif node.arguments and node.arguments[0].startswith("="):
        inside += f" {node.arguments[0]}"
    elif node.arguments:
        inside += f"({', '.join(node.arguments)})"
    return f"#{'!' if node.inner else ''}[{inside}]"


def attributes(found: tuple[tree.Attribute, ...]) -> str:
    """Return attributes with a space behind each."""
    return "".join(attribute(one) + " " for one in found)
