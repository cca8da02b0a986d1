"""Whether modules of tests are what their files say."""

from __future__ import annotations

import ast
import sys
import types
from collections.abc import Callable, Iterator


def differences(paths: list[str]) -> Callable[[], Iterator[str]]:
    """Return a function that yields which modules were loaded from these files, and hold other functions by now.

    To be called before anything untrusted runs: the files are read here. Only functions are looked at that stand in a file
    as they are, not decorated. Files whose assertions pytest rewrites are none of these.
    """
    expected = {path: found for path in paths if (found := _functions(path))}
    modules, kind = sys.modules, types.FunctionType

    def find() -> Iterator[str]:
        for module in list(modules.values()):
            functions = expected.get(getattr(module, "__file__", None) or "")
            for name, code in (functions or {}).items():
                value = vars(module).get(name)
                if type(value) is not kind or value.__code__ != code:
                    yield f"{name} in {module.__name__} is not the function of its file"

    return find


def _functions(path: str) -> dict[str, types.CodeType]:
    """Return the code of each function that stands in a file once, by name."""
    try:
        with open(path, "rb") as file:
            tree = ast.parse(file.read())
        names = [name for node in tree.body for name in _bound(node)]
        # Others may replace them: by an assignment, or in the body of a condition.
        plain = {
            node.name
            for node in tree.body
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and not node.decorator_list
        }
        whole = compile(tree, path, "exec", dont_inherit=True)
    except (OSError, SyntaxError, ValueError, RecursionError):
        return {}
    return {
        code.co_name: code
        for code in whole.co_consts
        if isinstance(code, types.CodeType) and code.co_name in plain and names.count(code.co_name) == 1
    }


def _bound(node: ast.AST) -> Iterator[str]:
    """Yield the names that a statement may bind."""
    for each in ast.walk(node):
        if isinstance(each, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            yield each.name
        elif isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store):
            yield each.id
        elif isinstance(each, ast.alias):
            yield each.asname or each.name
