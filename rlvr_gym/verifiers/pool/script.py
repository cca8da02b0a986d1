"""Load one function of a script without running the script."""

from __future__ import annotations

import ast
import sys
import types
from collections.abc import Sequence
from pathlib import Path


def load_script(path: Path, package: str | None) -> types.ModuleType:
    """Return a stand-in for ``__main__`` whose names come into being when they are asked for.

    A judge may be registered in the very script that trains with it. Only the script's imports, functions,
    classes and assignments that a wanted name leads to are executed, so nothing is trained twice and no
    ``if __name__ == "__main__"`` is asked for.

    Args:
        path: The script.
        package: What its relative imports start from.
    """
    known = sys.modules["__main__"]
    if getattr(known, "stands_in_for", None) == path:
        return known
    body = ast.parse(path.read_bytes(), filename=str(path)).body
    module = types.ModuleType("__main__")
    module.__dict__.update(__file__=str(path), __package__=package, stands_in_for=path)
    future = {index for index, statement in enumerate(body) if _from(statement) == "__future__"}
    done: set[int] = set()

    def define(name: str) -> object:
        new = needed(body, name) - done
        done.update(new)
        # Future imports rule the compilation of every part.
        tree = ast.Module([body[index] for index in sorted(new | future)], [])
        # The user's own script, which the parent process is running already; never a response.
        exec(compile(tree, str(path), "exec"), module.__dict__)
        if name not in module.__dict__:
            raise AttributeError(f"{path} defines no {name} at its top.")
        return module.__dict__[name]

    module.__dict__["__getattr__"] = define
    # The arguments of calls are unpickled through this table, among them settings classes of the script.
    sys.modules["__main__"] = module
    return module


def needed(body: Sequence[ast.stmt], name: str) -> set[int]:
    """Return the indices of the statements that define ``name`` and, in turn, what those mention."""
    wanted, seen = {name}, set[str]()
    kept: set[int] = set()
    while wanted - seen:
        seen |= wanted
        for index, statement in enumerate(body):
            if index not in kept and (_always(statement) or _binds(statement) & seen):
                kept.add(index)
                wanted |= _mentions(statement)
    return kept


def _always(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.ImportFrom) and any(alias.name == "*" for alias in statement.names)


def _from(statement: ast.stmt) -> str | None:
    return statement.module if isinstance(statement, ast.ImportFrom) else None


def _binds(statement: ast.stmt) -> set[str]:
    """Return the global names that a statement defines; those of a loop or a call are none."""
    if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return {statement.name}
    if isinstance(statement, ast.Import | ast.ImportFrom):
        return {(alias.asname or alias.name).partition(".")[0] for alias in statement.names}
    if isinstance(statement, ast.Assign | ast.AnnAssign | ast.AugAssign):
        targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
        return {_root(node) for target in targets for node in _flat(target)}
    if isinstance(statement, ast.If) and "__name__" in _mentions(statement.test):
        # What only a script does is not for the worker, although the stand-in bears the script's name.
        return set()
    if isinstance(statement, ast.If | ast.Try):
        # Imports with a fallback are written this way.
        blocks = [child for child in ast.iter_child_nodes(statement) if isinstance(child, ast.stmt)]
        handlers = [s for child in getattr(statement, "handlers", []) for s in child.body]
        return set().union(*(_binds(child) for child in [*blocks, *handlers]))
    return set()


def _flat(target: ast.expr) -> list[ast.expr]:
    if isinstance(target, ast.Tuple | ast.List):
        return [node for element in target.elts for node in _flat(element)]
    return [target]


def _root(node: ast.expr) -> str:
    """Return ``a`` for ``a``, ``a.b`` and ``a[0]``: setting a part changes what the name holds."""
    while isinstance(node, ast.Attribute | ast.Subscript | ast.Starred):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""


def _mentions(tree: ast.AST) -> set[str]:
    return {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
