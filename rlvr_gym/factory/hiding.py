"""Takes tests out of test files, so that an agent is not handed the ones that tell."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable, Mapping


def hidden(files: Mapping[str, bytes], tests: Collection[str]) -> dict[str, bytes | None]:
    """Return the test files without the functions that ``tests`` name, by path; None for a file that goes as a whole.

    All sets of parameters of a function go with it. A file goes where a test is no function in it that can be cut out.
    """
    names: dict[str, set[tuple[str, ...]]] = {}
    for test in tests:
        path, _, name = test.partition("::")
        names.setdefault(path, set()).add(tuple(name.partition("[")[0].split("::")))
    return {path: _without(files[path], wanted) for path, wanted in sorted(names.items()) if path in files}


def _without(content: bytes, wanted: Collection[tuple[str, ...]]) -> bytes | None:
    try:
        tree = ast.parse(content)
    except (SyntaxError, ValueError):
        return None
    found = {place: (node, body) for place, node, body in _functions(tree, ())}
    if not set(wanted) <= found.keys():
        return None
    lines = content.splitlines(keepends=True)
    gone = {place: found[place] for place in wanted}
    for node, body in gone.values():
        first = min([node.lineno, *(each.lineno for each in node.decorator_list)])
        assert node.end_lineno is not None, "parsed nodes have ends"
        whole = all(any(each is other for other, _ in gone.values()) for each in body)
        # A class needs a body; the first of the functions that were all of it leaves one.
        filler = b" " * node.col_offset + b"pass\n" if whole and node is body[0] and node.col_offset else b""
        lines[first - 1 : node.end_lineno] = [filler] + [b""] * (node.end_lineno - first)
    after = b"".join(lines)
    try:
        ast.parse(after)
    except (SyntaxError, ValueError):
        return None
    return after


def _functions(
    node: ast.Module | ast.ClassDef, place: tuple[str, ...]
) -> Iterable[tuple[tuple[str, ...], ast.FunctionDef | ast.AsyncFunctionDef, list[ast.stmt]]]:
    for child in node.body:
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
            yield (*place, child.name), child, node.body
        elif isinstance(child, ast.ClassDef):
            yield from _functions(child, (*place, child.name))
