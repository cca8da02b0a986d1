"""From the text of a template to a tree."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Union

from stencil.errors import TemplateError

_TAG = re.compile(r"\{\{(.*?)\}\}|\{%(.*?)%\}|\{#.*?#\}", re.DOTALL)
_FOR = re.compile(r"for\s+([A-Za-z_]\w*)\s+in\s+(\S+)")
_IF = re.compile(r"if\s+(not\s+)?(\S+)")


@dataclass
class Text:
    """Characters that stay as they are."""

    text: str


@dataclass
class Value:
    """A name to look up, and the filters that its value goes through."""

    name: str
    filters: list[str]
    line: int


@dataclass
class If:
    """A choice."""

    name: str
    negated: bool
    line: int
    then: list["Node"] = field(default_factory=list)
    otherwise: list["Node"] = field(default_factory=list)


@dataclass
class For:
    """A repetition."""

    variable: str
    name: str
    line: int
    body: list["Node"] = field(default_factory=list)


Node = Union[Text, Value, If, For]


def parse(template: str) -> list[Node]:
    """Return the nodes of a template.

    Raises:
        TemplateError: a tag that is unknown or has no end.
    """
    root: list[Node] = []
    current = root
    open_blocks: list[tuple[Union[If, For], list[Node]]] = []
    at = 0
    for match in _TAG.finditer(template):
        line = template.count("\n", 0, match.start()) + 1
        if match.start() > at:
            current.append(Text(template[at : match.start()]))
        at = match.end()
        if match[1] is not None:
            current.append(_value(match[1], line))
        elif match[2] is not None:
            tag = match[2].strip()
            if tag == "end":
                if not open_blocks:
                    raise TemplateError(line, "an end without a beginning")
                _, current = open_blocks.pop()
            elif tag == "else":
                if not open_blocks or not isinstance(open_blocks[-1][0], If):
                    raise TemplateError(line, "an else without an if")
                current = open_blocks[-1][0].otherwise
            else:
                block, body = _block(tag, line)
                current.append(block)
                open_blocks.append((block, current))
                current = body
    if open_blocks:
        raise TemplateError(open_blocks[-1][0].line, "a block without an end")
    if at < len(template):
        current.append(Text(template[at:]))
    return root


def _value(text: str, line: int) -> Value:
    name, *filters = [part.strip() for part in text.split("|")]
    if not name or not all(filters):
        raise TemplateError(line, f"'{text.strip()}' is no value")
    return Value(name, filters, line)


def _block(tag: str, line: int) -> tuple[Union[If, For], list[Node]]:
    if found := _IF.fullmatch(tag):
        choice = If(found[2], found[1] is not None, line)
        return choice, choice.then
    if found := _FOR.fullmatch(tag):
        loop = For(found[1], found[2], line)
        return loop, loop.body
    raise TemplateError(line, f"unknown tag '{tag}'")
