"""Names under which a repository's files are imported."""

from __future__ import annotations

import posixpath
import sys
from collections.abc import Collection, Iterable

WORKSPACE = "/workspace"


def own_modules(roots: Iterable[str], paths: Collection[str]) -> dict[str, list[str]]:
    """Return where each top-level module of the source roots may lie in the sandbox.

    Namespace packages are left out: folders that hold no module of that name would be taken for them. So are
    names of the standard library: those are loaded before.
    """
    found: dict[str, list[str]] = {}
    for root in roots:
        prefix = "" if root == "." else f"{root}/"
        for path in paths:
            if not path.startswith(prefix):
                continue
            head, _, rest = path[len(prefix) :].partition("/")
            if not rest and head.endswith(".py") and head != "conftest.py":
                found.setdefault(head[:-3], []).append(f"{WORKSPACE}/{path}")
            elif rest == "__init__.py":
                found.setdefault(head, []).append(f"{WORKSPACE}/{prefix}{head}/")
    return {name: places for name, places in found.items() if name not in sys.stdlib_module_names}


def is_rewritten(path: str) -> bool:
    """Return whether pytest rewrites the assertions of a file: what is loaded of it has other code than the file."""
    name = posixpath.basename(path)
    return name == "conftest.py" or name.startswith("test") or name.endswith(("_test.py", "_tests.py"))
