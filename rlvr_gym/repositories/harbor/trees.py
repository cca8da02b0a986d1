"""Files of a task folder, which may be hostile: read without following a link out of it."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator, Mapping
from pathlib import Path

from rlvr_gym.repositories.harbor.errors import HarborError

Files = Mapping[str, tuple[bytes, bool]]
"""Content, and whether it is executable, by path."""

_LARGEST = 512 << 20
_MOST = 50_000
_NO_SOURCE = frozenset((".git", "__pycache__", ".pytest_cache"))


def read_tree(root: Path, name: str) -> dict[str, tuple[bytes, bool]]:
    """Return the files below ``root / name`` by path from there, in order; nothing where there is no such folder.

    A link to a file of the task folder counts as that file.

    Raises:
        HarborError: a link that leads elsewhere or to a folder, something that is no file, or too much of it.
    """
    found: dict[str, tuple[bytes, bool]] = {}
    size = 0
    for path in _walk(root, name):
        content, runs = _content(root, path)
        size += len(content)
        if size > _LARGEST or len(found) >= _MOST:
            raise HarborError(f"{root / name}: more than {_LARGEST >> 20} MiB or {_MOST:,} files.")
        found[path.relative_to(root / name).as_posix()] = content, runs
    return found


def read_text(root: Path, name: str) -> str:
    """Return the text of one file of a task folder.

    Raises:
        HarborError: there is none, it leads out of the folder, or it is not UTF-8.
    """
    try:
        return _content(root, root / name)[0].decode("utf-8")
    except FileNotFoundError:
        raise HarborError(f"{root / name}: no such file.") from None
    except UnicodeDecodeError as error:
        raise HarborError(f"{root / name}: not UTF-8 at byte {error.start}.") from None


def plain_files(folder: Path) -> dict[str, bytes]:
    """Return the regular files of a prepared folder by path: what a patch may change. No caches, nothing of git's."""
    found = {}
    for above, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if name not in _NO_SOURCE]
        for path in (Path(above, name) for name in names if name not in _NO_SOURCE):
            if path.is_file() and not path.is_symlink():
                found[path.relative_to(folder).as_posix()] = path.read_bytes()
    return found


def write_tree(folder: Path, files: Files) -> None:
    """Write files into a folder of ours, readable to all."""
    folder.mkdir(parents=True, exist_ok=True)
    for path, (content, runs) in files.items():
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)
        target.chmod(0o755 if runs else 0o644)
    # The caller's umask may be narrow.
    for each in [folder, *(path for path in folder.rglob("*") if path.is_dir())]:
        each.chmod(0o755)


def _walk(root: Path, name: str) -> Iterator[Path]:
    top = root / name
    if not top.is_symlink() and not top.exists():
        return
    if top.is_symlink() or not top.is_dir():
        raise HarborError(f"{top}: not a folder.")

    def fail(error: OSError) -> None:
        raise HarborError(f"{error.filename}: {error.strerror}.")

    for folder, folders, names in os.walk(top, onerror=fail):
        folders.sort()
        # A link to a folder is listed among folders and never walked into: it would be lost in silence.
        links = [each for each in folders if Path(folder, each).is_symlink()]
        for each in sorted([*names, *links]):
            yield Path(folder, each)


def _content(root: Path, path: Path) -> tuple[bytes, bool]:
    try:
        real = path.resolve(strict=True)
    except (FileNotFoundError, RuntimeError):
        if not path.is_symlink():
            raise
        raise HarborError(f"{path}: a link to nothing.") from None
    if not real.is_relative_to(root.resolve()):
        raise HarborError(f"{path}: a link that leads out of the task folder.")
    descriptor = os.open(real, os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_CLOEXEC)
    with os.fdopen(descriptor, "rb") as file:
        found = os.fstat(descriptor)
        if not stat.S_ISREG(found.st_mode):
            raise HarborError(f"{path}: not a regular file.")
        if found.st_size > _LARGEST:
            raise HarborError(f"{path}: larger than {_LARGEST >> 20} MiB.")
        return file.read(_LARGEST), bool(found.st_mode & 0o100)
