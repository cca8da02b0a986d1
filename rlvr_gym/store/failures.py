"""Failures of disk, file and SQLite turned into one line that a person can act on."""

from __future__ import annotations

import errno
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from rlvr_gym.errors import StoreError

_KEPT = "What was recorded before is intact"

_OS_REASONS = {
    errno.ENOSPC: f"the disk is full. {_KEPT}: free some space and resume",
    errno.EDQUOT: f"the disk quota is used up. {_KEPT}: free some space and resume",
    errno.EFBIG: f"the file size limit is reached. {_KEPT}: raise the limit and resume",
    errno.EROFS: "the file system is read-only",
    errno.EACCES: "permission is denied",
    errno.EPERM: "the operation is not permitted",
    errno.ENOTDIR: "a part of the path is a file",
    errno.ENOENT: "there is no such file or folder",
    errno.EIO: f"the device failed. {_KEPT}",
}

_SQLITE_REASONS = {
    "SQLITE_FULL": _OS_REASONS[errno.ENOSPC],
    "SQLITE_READONLY": "the run is read-only",
    "SQLITE_CANTOPEN": "the file cannot be opened here: the folder may be missing or read-only",
    "SQLITE_NOTADB": "this is no run: the file is not a SQLite database",
    "SQLITE_CORRUPT": "the file is damaged. Restore it from a copy; its checkpoints and blobs are beside it",
    "SQLITE_BUSY": "another process holds the file",
    "SQLITE_IOERR": f"the file cannot be read or written: full disk, size limit or failing device. {_KEPT}",
}


class DivergedError(StoreError):
    """A repeated step, result or event that differs from what was recorded for it."""


def reason(error: OSError | sqlite3.Error) -> str:
    """Return why an operation failed, in plain words."""
    if isinstance(error, OSError):
        return _OS_REASONS.get(error.errno or 0, error.strerror or str(error))
    # Extended names such as SQLITE_IOERR_WRITE refine the plain ones.
    name = getattr(error, "sqlite_errorname", None) or ""
    for known, text in _SQLITE_REASONS.items():
        if name == known or name.startswith(f"{known}_"):
            return text
    return str(error)


@contextmanager
def told(path: Path, doing: str) -> Iterator[None]:
    """Raise ``StoreError`` for any failure of disk or SQLite inside the block.

    Args:
        path: File or folder that the message names.
        doing: What failed, such as ``"recording results"``.

    Raises:
        StoreError: with one line.
    """
    try:
        yield
    except StoreError:
        raise
    except (OSError, sqlite3.Error) as error:
        raise StoreError(f"{path}: {doing} failed: {reason(error)}.") from error
