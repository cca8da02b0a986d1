"""Names under which a repository's files are imported."""

from __future__ import annotations

import posixpath
import sys
from collections.abc import Collection, Iterable


def own_modules(roots: Iterable[str], paths: Collection[str]) -> list[str]:
    """Return the names of the top-level modules in the source roots.

    Namespace packages are left out: folders that hold no module of that name would be taken for them. So are names of the
    standard library: those are loaded before.
    """
    found = set()
    for root in roots:
        prefix = "" if root == "." else f"{root}/"
        for path in paths:
            head, _, rest = path.removeprefix(prefix).partition("/")
            if path.startswith(prefix) and not rest and head.endswith(".py"):
                found.add(head[:-3])
            elif path.startswith(prefix) and rest == "__init__.py":
                found.add(head)
    return sorted(found - sys.stdlib_module_names - {"conftest"})


def is_rewritten(path: str) -> bool:
    """Return whether pytest rewrites the assertions of a file: what is loaded of it has other code than the file."""
    name = posixpath.basename(path)
    return name == "conftest.py" or name.startswith("test") or name.endswith(("_test.py", "_tests.py"))
