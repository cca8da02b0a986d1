"""Which Python a sandbox gets: the real program behind shims and virtual environments, and the folders it needs."""

from __future__ import annotations

import os
import sys


def executable() -> str:
    """Return the path of the interpreter itself: a shim on PATH costs 90 ms a start, and is no program inside."""
    # Without the underscore's help a virtual environment would be followed link by link, to the same end.
    base: str = getattr(sys, "_base_executable", sys.executable)
    return os.path.realpath(base)


def folders() -> dict[str, str]:
    """Return the interpreter's folder, to appear at its own path, where the system folders do not hold it anyway.

    A bind mount shows it to a user who could not walk there: the folders above may be closed to others.
    """
    base = os.path.realpath(sys.base_prefix)
    return {} if base == "/usr" or base.startswith("/usr/") else {base: base}


def search_path() -> str:
    """Return PATH inside, the caller's interpreter first."""
    return f"{os.path.realpath(sys.base_prefix)}/bin:/usr/local/bin:/usr/bin:/bin"
