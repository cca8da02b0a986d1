"""Prepared folders that sandboxes start from: the files of a repository, and a history that tells nothing."""

from __future__ import annotations

import fcntl
import functools
import hashlib
import os
import shutil
import stat
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from rlvr_gym.errors import TaskError
from rlvr_gym.repositories.history import write_history
from rlvr_gym.repositories.patches import apply_patch

if TYPE_CHECKING:
    from rlvr_gym.repositories.suites.pytest import PytestSuite

_FORMAT = b"checkout 1\n"
"""Part of each hash; changes when the same files would be prepared otherwise."""
_KEPT = 64
_THREADS = threading.Lock()

Files = Mapping[str, tuple[bytes, bool]]
"""Content, and whether it is executable, by path from the root."""


def base_files(suite: PytestSuite) -> dict[str, bytes]:
    """Return every regular file as the agent is given it: the pristine ones with the setup patch, without ``.git``.

    Raises:
        TaskError: there is no such folder.
        PatchError: the setup patch does not apply.
    """
    return {path: content for path, (content, _) in _prepared(suite).items()}


def checkout(suite: PytestSuite) -> Path:
    """Return a folder that holds `base_files` and a ``.git`` of one commit, made once for each content.

    Nobody may write to it. It lies in ``$XDG_CACHE_HOME/rlvr-gym/checkouts`` and may be removed while nothing runs.

    Raises:
        TaskError: there is no such folder.
        PatchError: the setup patch does not apply.
    """
    files = _prepared(suite)
    place = cache_folder("checkouts") / _name(files)
    if not place.exists():
        with making(place.parent):
            if not place.exists():
                _write(place, files)
    return place


def cache_folder(name: str) -> Path:
    """Return a folder of ours for what can be made again, and make it where it is missing."""
    base = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    folder = base / "rlvr-gym" / name
    folder.mkdir(parents=True, exist_ok=True)
    return folder


@contextmanager
def making(folder: Path) -> Iterator[None]:
    """Let one thread of one process write at a time; what a killed one left is removed before."""
    with _THREADS, (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        for left in folder.glob("*.part"):
            shutil.rmtree(left)
        yield


def _write(place: Path, files: Files) -> None:
    part = place.with_suffix(".part")
    part.mkdir()
    for path, (content, runs) in files.items():
        target = part / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)
        target.chmod(0o755 if runs else 0o644)
    write_history(part / ".git", files)
    # The caller's umask may be narrow; the sandbox's user reads as the owner or as anybody.
    for folder in [part, *(path for path in part.rglob("*") if path.is_dir())]:
        folder.chmod(0o755)
    part.rename(place)


def _prepared(suite: PytestSuite) -> Files:
    if not suite.repository.is_dir():
        raise TaskError(f"{suite.repository}: there is no folder of a repository.")
    return _read(suite.repository, suite.setup_patch, _stamp(suite.repository))


def _stamp(root: Path) -> str:
    """Return what changes when a file below ``root`` does, without reading any."""
    digest = hashlib.sha256()
    for path, found in _regular(root):
        digest.update(
            f"{path}\0{found.st_size} {found.st_mtime_ns} {found.st_mode}\n".encode(errors="replace")
        )
    return digest.hexdigest()


# By the stamp too, since a folder may change while a process lives.
@functools.lru_cache(maxsize=_KEPT)
def _read(root: Path, setup_patch: str, stamp: str) -> Files:
    files = {
        path: ((root / path).read_bytes(), bool(found.st_mode & 0o100)) for path, found in _regular(root)
    }
    if setup_patch:

        def read(path: str) -> bytes | None:
            return files[path][0] if path in files else None

        for path, content in apply_patch(setup_patch, read).items():
            runs = files.pop(path, (b"", False))[1]
            if content is not None:
                files[path] = (content, runs)
    return dict(sorted(files.items()))


def _regular(root: Path) -> Iterator[tuple[str, os.stat_result]]:
    """Yield the regular files below ``root`` by path, in order; no links, nothing of git's, no compiled Python."""

    def fail(error: OSError) -> None:
        raise error

    for folder, folders, names in os.walk(root, onerror=fail):
        # A compiled file may hold what its source no longer does.
        folders[:] = sorted(name for name in folders if name not in (".git", "__pycache__"))
        for name in sorted(names):
            path = Path(folder, name)
            found = path.lstat()
            if stat.S_ISREG(found.st_mode) and name != ".git":
                yield path.relative_to(root).as_posix(), found


def _name(files: Files) -> str:
    digest = hashlib.sha256(_FORMAT)
    for path, (content, runs) in files.items():
        # Lengths keep one file's end from reading as another's start.
        head = f"{len(path)}:{path} {len(content)} {runs:d}\n"
        digest.update(head.encode("utf-8", "surrogateescape") + content)
    return digest.hexdigest()[:32]
