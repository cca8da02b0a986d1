"""Which paths a patch under test may not decide: tests, their settings, and what Python or pytest load by themselves."""

from __future__ import annotations

import posixpath
import re
import sys
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from pathlib import Path

_SETTINGS = frozenset(
    (
        "conftest.py",
        "pytest.toml",
        ".pytest.toml",
        "pytest.ini",
        ".pytest.ini",
        "pyproject.toml",
        "tox.ini",
        "setup.cfg",
    )
)
_STARTED = ("sitecustomize", "usercustomize")
_TEST_FOLDER = re.compile(r"_?(tests?|testing|test_.*|.*_tests?)", re.IGNORECASE)
_PYTEST = frozenset(
    ("pytest", "_pytest", "pluggy", "iniconfig", "packaging", "pygments", "py", "tomli", "exceptiongroup")
)


_TEST_FILE = re.compile(r"(.*/)?(test_[^/]*|[^/]*_test|tests?)\.py")


def is_protected(path: str) -> bool:
    """Return whether a path is that of a test or of what steers tests by its name alone, in whatever repository."""
    name = posixpath.basename(path)
    return (
        bool(_test_folder(path))
        or bool(_TEST_FILE.fullmatch(path))
        or name in _SETTINGS
        or name.endswith(".pth")
        or any(part.split(".")[0] in _STARTED for part in path.split("/"))
    )


@dataclass(frozen=True, slots=True)
class Guard:
    """Tells which paths of a patch are left out."""

    base: frozenset[str]
    """Files that are there before the patch."""
    held: frozenset[str]
    """The folders that those lie in."""
    tests: frozenset[str]
    """Files of the tests."""
    folders: tuple[str, ...]
    """Folders whose whole content belongs to the tests."""
    roots: tuple[str, ...]
    """Folders that are searched for modules."""
    names: frozenset[str]
    """Modules that no file of a patch may stand in for."""

    def why(self, path: str) -> str:
        """Return why a patch's change of ``path`` is left out, nothing when it counts."""
        name = posixpath.basename(path)
        if path in self.tests or any(path.startswith(f"{folder}/") for folder in self.folders):
            return "tests"
        if name in _SETTINGS:
            return "settings of tests"
        if name.endswith(".pth") or any(part.split(".")[0] in _STARTED for part in path.split("/")):
            return "loaded by Python itself"
        if name.endswith((".pyc", ".pyo")) or "__pycache__" in path.split("/"):
            return "compiled"
        if name == "__init__.py" and path not in self.base and self._holds_tests(posixpath.dirname(path)):
            return "would rename tests"
        return self._shadows(path)

    def _holds_tests(self, folder: str) -> bool:
        return any(not folder or test.startswith(f"{folder}/") for test in self.tests)

    def _shadows(self, path: str) -> str:
        for root in self.roots:
            prefix = f"{root}/" if root else ""
            if not path.startswith(prefix):
                continue
            part = path[len(prefix) :].split("/")[0]
            name = part.split(".")[0]
            if name in self.names and not self._is_there(f"{prefix}{part}"):
                return f"would stand in for the module {name}"
        return ""

    def _is_there(self, path: str) -> bool:
        return path in self.base or path in self.held


def guard_of(
    base: Collection[str], tests: Iterable[str], source_roots: Iterable[str], environment: Path | None
) -> Guard:
    """Return what keeps the tests of a repository as they are.

    Args:
        base: Paths of its files.
        tests: Paths of the files of its tests.
        source_roots: Folders that go on ``sys.path``.
        environment: Folder of the packages that it uses.
    """
    files = frozenset(tests)
    python = {path for path in files if path.endswith(".py")}
    folders = {folder for path in files if (folder := _test_folder(path))}
    roots = {"" if root == "." else root.strip("/") for root in source_roots}
    roots |= {_root_of(path, frozenset(base) | files) for path in python}
    installed = {path.name.split(".")[0] for path in environment.iterdir()} if environment else set()
    # What tests import as modules of their own.
    beside = {
        posixpath.basename(path)[:-3]
        for path in [*base, *python]
        if path.endswith(".py") and (path in python or any(path.startswith(f"{each}/") for each in folders))
    }
    names = frozenset(sys.stdlib_module_names) | _PYTEST | installed | beside - {"__init__"}
    held = {folder for path in base for folder in _above(path)}
    return Guard(
        frozenset(base), frozenset(held), files, tuple(sorted(folders)), tuple(sorted(roots | {""})), names
    )


def _above(path: str) -> list[str]:
    parts = path.split("/")
    return ["/".join(parts[:count]) for count in range(1, len(parts))]


def _test_folder(path: str) -> str:
    """Return the outermost folder above ``path`` that is named as folders of tests are."""
    found = (folder for folder in _above(path) if _TEST_FOLDER.fullmatch(posixpath.basename(folder)))
    return next(found, "")


def _root_of(path: str, files: frozenset[str]) -> str:
    """Return the folder that pytest puts on ``sys.path`` for a test file: the first that is no package."""
    folder = posixpath.dirname(path)
    while folder and f"{folder}/__init__.py" in files:
        folder = posixpath.dirname(folder)
    return folder
