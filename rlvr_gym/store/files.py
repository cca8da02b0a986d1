"""Folders that only one process writes, and writes that survive a crash."""

from __future__ import annotations

import fcntl
import os
import shutil
from pathlib import Path

from rlvr_gym.errors import StoreError
from rlvr_gym.store.failures import told

LOCK = "lock"


def sync(path: Path) -> None:
    """Flush a file, or the entries of a folder, to the disk."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def replace_text(path: Path, text: str) -> None:
    """Write ``text`` to ``path`` whole or not at all."""
    new = path.with_name(f"{path.name}.new")
    new.write_text(text, encoding="utf-8")
    sync(new)
    new.rename(path)


def remove(path: Path) -> None:
    """Remove a file or a folder with all it holds."""
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


class FolderLock:
    """Holds a folder for this process until it is closed or the process ends, however it ends.

    Raises:
        StoreError: when another process, or another store of this one, holds the folder.
    """

    def __init__(self, folder: Path) -> None:
        with told(folder, "locking the run"):
            self._handle = os.open(folder / LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o666)
        try:
            fcntl.flock(self._handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            owner = os.pread(self._handle, 20, 0).decode("ascii", "replace").strip()
            os.close(self._handle)
            raise StoreError(f"{folder}: process {owner or '?'} is writing this run.") from None
        with told(folder, "locking the run"):
            # Only for the message above; the lock itself is the kernel's and needs no clean-up.
            os.ftruncate(self._handle, 0)
            os.pwrite(self._handle, f"{os.getpid()}\n".encode(), 0)

    def close(self) -> None:
        """Let the folder go; a second call does nothing."""
        if self._handle >= 0:
            os.close(self._handle)
            self._handle = -1
