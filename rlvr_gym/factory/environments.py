"""Folders of what tests need besides the package: pytest and dependencies, from wheels only, made once and shared."""

from __future__ import annotations

import ast
import compileall
import contextlib
import hashlib
import os
import py_compile
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from configparser import ConfigParser
from dataclasses import dataclass
from pathlib import Path

from rlvr_gym.errors import UsageError
from rlvr_gym.factory.layout import import_names, is_test, modules
from rlvr_gym.factory.releases import Release, normal
from rlvr_gym.repositories.checkouts import cache_folder
from rlvr_gym.repositories.places import ENVIRONMENT

_PIP_S = 600
_PYTEST = "pytest"
_IMPORTED_AS = {
    "yaml": "pyyaml",
    "dateutil": "python-dateutil",
    "bs4": "beautifulsoup4",
    "attr": "attrs",
    "babel": "babel",
    "simplejson": "simplejson",
    "pytest_mock": "pytest-mock",
}
"""Packages whose names differ from what is imported."""


@dataclass(frozen=True, slots=True)
class Environment:
    """A folder of importable dependencies."""

    folder: Path
    pins: tuple[str, ...]
    """What is in it, as ``name==version``, in order."""
    plugins: tuple[str, ...]
    """Plugins of pytest in it."""


def requirements(release: Release, further: Sequence[str] = ()) -> tuple[str, ...]:
    """Return what the tests of a release need: pytest, its own requirements, and those extras that tests import.

    Only what the release itself declares is taken: a name that a test imports says nothing about who owns it on an
    index.

    Args:
        release: The release.
        further: Requirements that the user names.
    """
    imported = {_IMPORTED_AS.get(name, normal(name)) for name in _imports(release)}
    extras = [line for line in release.extras if _name(line) in imported]
    found: dict[str, str] = {}
    for line in (*further, *release.requires, *extras, _PYTEST):
        found.setdefault(_name(line), line)
    return tuple(sorted(found.values()))


def missing_imports(release: Release, environment: Environment) -> list[str]:
    """Return what tests import and nobody provides, for messages."""
    provided = {_name(pin) for pin in environment.pins}
    return sorted(
        name
        for name in _imports(release)
        if _IMPORTED_AS.get(name, normal(name)) not in provided
        and not any((environment.folder / each).exists() for each in (name, f"{name}.py"))
    )


def make_environment(lines: Sequence[str], package: str) -> Environment:
    """Return the environment of ``lines``, installed once by pip and kept in a cache.

    Raises:
        UsageError: pip cannot install them from wheels, or they bring ``package`` itself, the answer to every task.
    """
    cache = cache_folder("environments")
    known = cache / f"{_hash([sys.version.split()[0], *sorted(lines)])}.txt"
    if not known.exists() or not (cache / known.read_text()).is_dir():
        name = _install(cache, lines, package)
        new = known.with_suffix(f".{os.getpid()}.new")
        new.write_text(name)
        new.rename(known)
    return read_environment(cache / known.read_text(), package)


def read_environment(folder: Path, package: str) -> Environment:
    """Return a folder of dependencies that is there already.

    Raises:
        UsageError: it holds no pytest, or ``package`` itself.
    """
    pins, plugins = [], []
    for info in sorted(folder.glob("*.dist-info")):
        name, _, version = info.name.removesuffix(".dist-info").partition("-")
        pins.append(f"{normal(name)}=={version}")
        if normal(name) != _PYTEST:
            plugins += _plugins(info / "entry_points.txt")
    if not (folder / _PYTEST).is_dir():
        raise UsageError(f"{folder}: a folder of dependencies without pytest.")
    if package and normal(package) in {_name(pin) for pin in pins}:
        raise UsageError(
            f"package '{package}': its dependencies, or those of pytest, bring the package itself, which would give "
            "every answer away."
        )
    return Environment(folder, tuple(sorted(pins)), tuple(sorted(plugins)))


def _install(cache: Path, lines: Sequence[str], package: str) -> str:
    """Install ``lines`` and return the name of the folder: one for each set of pins, whatever they were asked for as."""
    new = Path(tempfile.mkdtemp(suffix=".new", dir=cache))
    new.chmod(0o755)
    command = [
        *(sys.executable, "-I", "-m", "pip", "install", "--quiet", "--no-compile", "--only-binary", ":all:"),
        *("--target", str(new), *lines),
    ]
    try:
        done = subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_PIP_S,
            check=False,
            env={**os.environ, "PIP_DISABLE_PIP_VERSION_CHECK": "1"},
        )
    except subprocess.TimeoutExpired:
        raise UsageError(f"package '{package}': pip did not install its needs in {_PIP_S} seconds.") from None
    if done.returncode:
        shutil.rmtree(new, ignore_errors=True)
        said = [
            line for line in done.stderr.decode(errors="replace").splitlines() if line.startswith("ERROR")
        ]
        raise UsageError(f"package '{package}': {(said or ['pip failed'])[-1].strip()}")
    shutil.rmtree(new / "bin", ignore_errors=True)
    # A sandbox cannot write there, and would compile pytest at every start. Checked by nobody: copying changes times.
    mode = py_compile.PycInvalidationMode.UNCHECKED_HASH
    compileall.compile_dir(new, quiet=2, invalidation_mode=mode, stripdir=str(new), prependdir=ENVIRONMENT)
    name = _hash([sys.version.split()[0], *read_environment(new, "").pins])
    try:
        new.rename(cache / name)
    except OSError:
        # There already, perhaps by another process.
        shutil.rmtree(new)
        if not (cache / name).is_dir():
            raise
    return name


def _hash(lines: Sequence[str]) -> str:
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()[:16]


def _plugins(file: Path) -> list[str]:
    parser = ConfigParser(delimiters=("=",), interpolation=None)
    with contextlib.suppress(OSError):
        parser.read_string(file.read_text(encoding="utf-8"))
    return [value.partition(":")[0] for _, value in parser.items("pytest11")] if "pytest11" in parser else []


def _imports(release: Release) -> set[str]:
    """Return the top names that tests import from elsewhere."""
    found: set[str] = set()
    for path, content in release.files.items():
        if path.endswith(".py") and is_test(path):
            with contextlib.suppress(SyntaxError, ValueError):
                for node in ast.walk(ast.parse(content)):
                    found |= _imported(node)
    own = {path.split("/")[-1].removesuffix(".py") for path in release.files if path.endswith(".py")}
    own |= {part for path in release.files for part in path.split("/")[:-1]}
    return found - set(sys.stdlib_module_names) - own - set(import_names(modules(release.files)))


def _imported(node: ast.AST) -> set[str]:
    if isinstance(node, ast.Import):
        return {alias.name.partition(".")[0] for alias in node.names}
    if isinstance(node, ast.ImportFrom) and node.module and not node.level:
        return {node.module.partition(".")[0]}
    return set()


def _name(requirement: str) -> str:
    found = re.match(r"\s*([A-Za-z0-9._-]+)", requirement)
    return normal(found[1]) if found else requirement
