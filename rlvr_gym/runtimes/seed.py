"""The content of a prepared folder as messages, for sandboxes that cannot mount it."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

_BATCH = 4 << 20
_ENTRIES = 2000
_PAGE = 4096

Entry = tuple[str, str, int, int]
"""Kind, path in the workspace, mode, and how many bytes of the body are its."""


class Size(NamedTuple):
    """What a folder takes up."""

    bytes: int
    inodes: int


def measure(folder: Path) -> Size:
    """Return the room that the content of ``folder`` takes in memory."""
    found, inodes = 0, 0
    for path, _, _ in _walk(str(folder)):
        status = path.lstat()
        inodes += 1
        if stat.S_ISREG(status.st_mode):
            found += -(-status.st_size // _PAGE) * _PAGE
    return Size(found, inodes)


def batches(folder: Path | None) -> Iterator[tuple[list[Entry], bytes, bool]]:
    """Yield entries, their content, and whether they are the last; at least once."""
    entries: list[Entry] = []
    body = bytearray()
    # A folder that nobody may write to is closed after it was filled.
    closing: list[Entry] = []
    for path, inside, mode in _walk(str(folder)) if folder else ():
        if stat.S_ISLNK(mode):
            target = os.fsencode(path.readlink())
            entries.append(("link", inside, mode, len(target)))
            body += target
        elif stat.S_ISDIR(mode):
            entries.append(("folder", inside, mode, 0))
            closing.append(("mode", inside, mode, 0))
        elif stat.S_ISFIFO(mode):
            entries.append(("pipe", inside, mode, 0))
            closing.append(("mode", inside, mode, 0))
        elif stat.S_ISREG(mode):
            entries.append(("file", inside, mode, 0))
            with path.open("rb") as file:
                while chunk := file.read(_BATCH):
                    entries.append(("file", inside, mode, len(chunk)))
                    body += chunk
                    if len(body) >= _BATCH:
                        yield entries, bytes(body), False
                        entries, body = [], bytearray()
            entries.append(("mode", inside, mode, 0))
        if len(entries) >= _ENTRIES:
            yield entries, bytes(body), False
            entries, body = [], bytearray()
    yield entries, bytes(body), False
    for start in range(0, len(closing), _ENTRIES):
        yield closing[::-1][start : start + _ENTRIES], b"", False
    yield [], b"", True


def _walk(folder: str) -> Iterator[tuple[Path, str, int]]:
    """Yield path, path inside and mode of all that lies in a folder, what is above first; no link is followed."""
    for above, folders, files in os.walk(folder, onerror=_raise):
        for name in [*folders, *files]:
            path = Path(above, name)
            yield path, os.path.relpath(path, folder), path.lstat().st_mode


def _raise(error: OSError) -> None:
    raise error
