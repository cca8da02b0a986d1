"""A folder with pytest and what it needs, for repositories that need nothing else."""

from __future__ import annotations

import compileall
import hashlib
import importlib.util
import shutil
import sys
from pathlib import Path

from rlvr_gym.repositories.checkouts import cache_folder, making
from rlvr_gym.runtimes.base import UnavailableError

_NEEDED = ("pytest", "_pytest", "pluggy", "iniconfig", "packaging")
_OPTIONAL = ("pygments", "exceptiongroup", "tomli", "py")
"""What some versions of it need."""


def pytest_folder() -> Path:
    """Return a folder that holds the caller's pytest, importable, made once for each version; nobody may write to it.

    Raises:
        UnavailableError: it is not installed.
    """
    sources = {name: source for name in (*_NEEDED, *_OPTIONAL) if (source := _source(name)) is not None}
    if missing := [name for name in _NEEDED if name not in sources]:
        raise UnavailableError(
            f"Tests of repositories run with pytest, and {missing[0]} is missing: pip install 'rlvr-gym[swe]'."
        )
    place = cache_folder("pytest") / _key(sources)
    if not place.exists():
        with making(place.parent):
            if not place.exists():
                _write(place, sources)
    return place


def _source(name: str) -> Path | None:
    spec = importlib.util.find_spec(name)
    if spec is None or spec.origin is None:
        return None
    origin = Path(spec.origin)
    return origin.parent if origin.name == "__init__.py" else origin


def _key(sources: dict[str, Path]) -> str:
    """Return what changes with the versions: an upgrade rewrites the files."""
    digest = hashlib.sha256(sys.version.encode())
    for name, source in sources.items():
        entry = source / "__init__.py" if source.is_dir() else source
        found = entry.stat()
        digest.update(f"{name} {source} {found.st_size} {found.st_mtime_ns}\n".encode(errors="replace"))
    return digest.hexdigest()[:32]


def _write(place: Path, sources: dict[str, Path]) -> None:
    part = place.with_suffix(".part")
    part.mkdir()
    for source in sources.values():
        if source.is_dir():
            # Times are kept: compiled files name that of their source.
            shutil.copytree(source, part / source.name)
        else:
            shutil.copy2(source, part)
    compileall.compile_dir(part, quiet=2)
    for path in [part, *part.rglob("*")]:
        path.chmod(0o755 if path.is_dir() else 0o644)
    part.rename(place)
