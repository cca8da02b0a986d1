"""From a tree and values to a text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from stencil.errors import TemplateError
from stencil.filters import FILTERS
from stencil.parse import For, If, Node, Text, Value, parse


def render(template: str, values: Mapping[str, Any] | None = None) -> str:
    """Return the text of a template with its values.

    Raises:
        TemplateError: the template cannot be read, or names something that is not there.
    """
    return _render(parse(template), dict(values or {}))


def _render(nodes: Sequence[Node], values: dict[str, Any]) -> str:
    parts = []
    for node in nodes:
        if isinstance(node, Text):
            parts.append(node.text)
        elif isinstance(node, Value):
            parts.append(_text(node, values))
        elif isinstance(node, If):
            holds = bool(_lookup(node.name, values, node.line, missing=None))
            parts.append(_render(node.then if holds != node.negated else node.otherwise, values))
        elif isinstance(node, For):
            parts.append(_loop(node, values))
    return "".join(parts)


def _loop(node: For, values: dict[str, Any]) -> str:
    items = list(_lookup(node.name, values, node.line))
    parts = []
    for number, item in enumerate(items, 1):
        loop = {"number": number, "first": number == 1, "last": number == len(items)}
        parts.append(_render(node.body, {**values, node.variable: item, "loop": loop}))
    return "".join(parts)


def _text(node: Value, values: dict[str, Any]) -> str:
    lenient = any(name.partition(":")[0].strip() == "default" for name in node.filters)
    if lenient:
        value = _lookup(node.name, values, node.line, missing=None)
    else:
        value = _lookup(node.name, values, node.line)
    for call in node.filters:
        name, colon, rest = call.partition(":")
        function = FILTERS.get(name.strip())
        if function is None:
            raise TemplateError(node.line, f"unknown filter '{name.strip()}'")
        arguments = [argument.strip() for argument in rest.split(",")] if colon else []
        value = function(value, *arguments)
    return str(value)


_RAISE = object()


def _lookup(name: str, values: Mapping[str, Any], line: int, *, missing: Any = _RAISE) -> Any:
    """Return the value of a name; dots lead to keys, positions and attributes."""
    found: Any = values
    for part in name.split("."):
        if isinstance(found, Mapping) and part in found:
            found = found[part]
        elif isinstance(found, Sequence) and part.isdecimal() and int(part) < len(found):
            found = found[int(part)]
        elif not isinstance(found, Mapping) and hasattr(found, part) and not part.startswith("_"):
            found = getattr(found, part)
        elif missing is _RAISE:
            raise TemplateError(line, f"there is no '{name}'")
        else:
            return missing
    return found
