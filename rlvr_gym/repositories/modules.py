"""Names under which a repository's files are imported."""

from __future__ import annotations

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
