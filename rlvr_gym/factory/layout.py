"""What is what in the files of a release: source, tests, and all that is neither."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import PurePosixPath

from rlvr_gym.repositories.guarding import is_protected

_TEST_FOLDERS = frozenset({"test", "tests"})
_TEST_FILE = re.compile(r"(test_.*|.*_tests?|tests?|conftest)\.py")
_NO_SOURCE = frozenset(
    {
        "setup.py",
        "conftest.py",
        "versioneer.py",
        "ez_setup.py",
        "noxfile.py",
        "tasks.py",
        "fabfile.py",
        "docs",
        "doc",
        "examples",
        "example",
        "benchmarks",
        "benchmark",
        "bench",
        "tools",
        "scripts",
        "build",
        "dist",
        "_custom_build",
    }
)
"""Names at the root of a source folder that are no part of the package."""
SOURCE_ROOTS = ("src", ".")
"""Where packages lie, the more special first."""
_LEFT_OUT = re.compile(
    r"(^|/)(\.git|\.hg|\.tox|\.nox|\.venv|venv|__pycache__|\.mypy_cache|\.pytest_cache|\.ruff_cache|node_modules"
    r"|\.eggs|[^/]*\.(egg-info|dist-info))(/|$)|\.(pyc|pyo|whl|egg|so|pyd|tar\.gz)$|^(build|dist)/"
)


def belongs(path: str) -> bool:
    """Return whether a file of an archive is kept: nothing compiled, packed, or left behind by a tool.

    Any of those may hold the very code that a task asks for.
    """
    return not _LEFT_OUT.search(path)


def is_test(path: str) -> bool:
    """Return whether a file is one of the tests, their data included.

    Example:
        >>> [is_test(path) for path in ("tests/data/a.json", "pkg/test_a.py", "pkg/contest.py")]
        [True, True, False]
    """
    pure = PurePosixPath(path)
    return bool(_TEST_FOLDERS.intersection(pure.parts[:-1])) or bool(_TEST_FILE.fullmatch(pure.name))


def source_roots(paths: Iterable[str]) -> tuple[str, ...]:
    """Return the folders that go on ``sys.path``; the root always, since tests import each other from there."""
    inside_src = any(path.startswith("src/") and path.endswith(".py") for path in paths)
    return SOURCE_ROOTS if inside_src else (".",)


def modules(paths: Iterable[str]) -> frozenset[str]:
    """Return where the code of a release lies: its top folders and files with Python in them, such as ``src/pkg``."""
    listed = list(paths)
    prefix = "src/" if len(source_roots(listed)) > 1 else ""
    found = set()
    for path in listed:
        if not path.startswith(prefix) or not path.endswith(".py") or is_test(path):
            continue
        top, *below = path.removeprefix(prefix).split("/")
        if (
            top not in _NO_SOURCE
            and not top.startswith(".")
            and (not below or f"{prefix}{top}/__init__.py" in listed)
        ):
            found.add(prefix + top)
    return frozenset(found)


def is_source(path: str, code: frozenset[str]) -> bool:
    """Return whether a file is part of the package whose `modules` are ``code``, and one that a patch may change."""
    parts = path.split("/")
    tops = {"/".join(parts[:length]) for length in (1, 2)}
    return bool(tops & code) and not is_test(path) and not is_protected(path)


def import_names(code: frozenset[str]) -> tuple[str, ...]:
    """Return the names by which ``code`` is imported."""
    return tuple(sorted(PurePosixPath(top).name.removesuffix(".py") for top in code))


def python_source(files: Mapping[str, bytes], code: frozenset[str]) -> list[str]:
    """Return the paths of the package's own Python files, in order."""
    return sorted(path for path in files if path.endswith(".py") and is_source(path, code))
