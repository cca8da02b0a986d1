"""What a mutation is: a small edit of a function's bytes that leaves all other formatting as it was."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from rlvr_gym.registry import Registry


@dataclass(frozen=True, slots=True, order=True)
class Edit:
    """Bytes ``start`` to ``end`` of a file become ``text``."""

    start: int
    end: int
    text: bytes
    kind: str = ""
    function: str = ""
    """Qualified name of the outermost function around it."""
    line: int = 0

    def apply(self, content: bytes) -> bytes:
        """Return ``content`` with the edit made."""
        return content[: self.start] + self.text + content[self.end :]


class Source:
    """A Python file as bytes, and where its nodes lie in them.

    Raises:
        SyntaxError: it does not parse.
        ValueError: it is not UTF-8.
    """

    def __init__(self, content: bytes) -> None:
        self.content = content
        self.tree = ast.parse(content.decode("utf-8"))
        self._lines = [0]
        for line in content.splitlines(keepends=True):
            # A form feed or a lone carriage return ends no line for bytes as it does for texts; Python agrees.
            self._lines.append(self._lines[-1] + len(line))

    def start(self, node: ast.expr | ast.stmt | ast.excepthandler) -> int:
        """Return the offset of a node's first byte."""
        return self._lines[node.lineno - 1] + node.col_offset

    def end(self, node: ast.expr | ast.stmt | ast.excepthandler) -> int:
        """Return the offset after a node's last byte."""
        assert node.end_lineno is not None, "parsed nodes have ends"
        assert node.end_col_offset is not None, "parsed nodes have ends"
        return self._lines[node.end_lineno - 1] + node.end_col_offset

    def text(self, node: ast.expr | ast.stmt | ast.excepthandler) -> bytes:
        """Return a node as it is written."""
        return self.content[self.start(node) : self.end(node)]

    def between(self, start: int, end: int, word: bytes, by: bytes) -> Iterator[Edit]:
        """Yield the edit that replaces ``word``, which stands between two nodes, unless a comment does too."""
        gap = self.content[start:end]
        pattern = rb"\b" + re.escape(word) + rb"\b" if word.isalpha() else re.escape(word)
        found = re.search(pattern, gap)
        if found and b"#" not in gap:
            yield Edit(start + found.start(), start + found.end(), by)

    def replace(self, node: ast.expr | ast.stmt, by: bytes) -> Edit:
        """Return the edit that writes ``by`` for a node."""
        return Edit(self.start(node), self.end(node), by)

    def without(self, statement: ast.stmt) -> Iterator[Edit]:
        """Yield the edit that takes out a statement with its lines, where it shares them with no other."""
        assert statement.end_lineno is not None, "parsed nodes have ends"
        start, end = self._lines[statement.lineno - 1], self._lines[statement.end_lineno]
        before, after = self.content[start : self.start(statement)], self.content[self.end(statement) : end]
        if not before.strip() and not after.partition(b"#")[0].strip():
            yield Edit(start, end, b"")


Mutation = Callable[[ast.AST, Source], Iterator[Edit]]
"""Yields the edits that one node offers."""

MUTATIONS: Registry[Mutation] = Registry("mutation", "rlvr_gym.factory.mutations")
"""Kinds of mutations by name."""


def edits(source: Source) -> list[Edit]:
    """Return every edit that any mutation offers inside the functions of a file, in the order of the file.

    Not each is `sound`: to tell costs a parse of the file, and few of many edits are ever looked at.
    """
    found = []
    for function, node in _inside_functions(source.tree, "", ""):
        for name in MUTATIONS:
            for edit in MUTATIONS[name].value(node, source):
                line = source.content.count(b"\n", 0, edit.start) + 1
                found.append(Edit(edit.start, edit.end, edit.text, name, function, line))
    return sorted(set(found))


def sound(source: Source, edit: Edit) -> bool:
    """Return whether an edit leaves a file that parses, and another program than before."""
    try:
        after = ast.parse(edit.apply(source.content).decode("utf-8"))
    except (SyntaxError, ValueError, RecursionError):
        return False
    return ast.dump(after) != ast.dump(source.tree)


def _inside_functions(node: ast.AST, function: str, place: str) -> Iterator[tuple[str, ast.AST]]:
    """Yield functions and every node in them, with the outermost's name; nothing that only describes the program."""
    for child in _parts(node):
        here, name = function, place
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            name = f"{place}.{child.name}" if place else child.name
            if not isinstance(child, ast.ClassDef):
                here = function or name
                yield here, child
        elif function:
            yield function, child
        yield from _inside_functions(child, here, name)


def _parts(node: ast.AST) -> Iterator[ast.AST]:
    if isinstance(node, ast.Raise | ast.Assert):
        # What an error says is no behaviour that an issue would be about.
        return
    for name, value in ast.iter_fields(node):
        if name in ("annotation", "returns", "decorator_list", "type_params"):
            continue
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST) and not _is_docstring(child):
                yield child


def _is_docstring(node: ast.AST) -> bool:
    return (
        isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
    )
