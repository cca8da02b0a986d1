"""What of a patch is not carried over to where it is graded: tests, and all that says how tests run."""

from __future__ import annotations

import sys
from pathlib import PurePosixPath

_TEST_FOLDERS = frozenset({"test", "tests", "testing", "e2e"})
_FILES = frozenset(
    {
        "conftest.py",
        "pytest.ini",
        ".pytest.ini",
        "tox.ini",
        "setup.cfg",
        "pyproject.toml",
        "noxfile.py",
        "sitecustomize.py",
        "usercustomize.py",
    }
)
_SHADOWED = frozenset(sys.stdlib_module_names) | {"pytest", "_pytest", "pluggy", "iniconfig", "packaging"}


def is_protected(path: str) -> bool:
    """Return whether a path belongs to the tests or steers them, or would be imported in place of what runs them.

    Example:
        >>> [is_protected(path) for path in ("pkg/core.py", "tests/data/a.json", "pkg/conftest.py", "json/__init__.py")]
        [False, True, True, True]
    """
    *folders, name = PurePosixPath(path).parts
    stem = name.partition(".")[0]
    top = folders[0] if folders else stem
    return (
        bool(_TEST_FOLDERS.intersection(folders))
        or name in _FILES
        or name.endswith(".pth")
        or (name.endswith(".py") and (stem.startswith("test_") or stem.endswith("_test")))
        or (top in _SHADOWED and name.endswith((".py", ".so", ".pyc")))
    )
