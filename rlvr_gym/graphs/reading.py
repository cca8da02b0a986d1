"""Files read with bounds: whatever a file holds, its fault is named with its line, and memory stays small."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import BinaryIO

from rlvr_gym.errors import DataError, did_you_mean

MAX_LINE_BYTES = 1 << 20
"""A line of more bytes is refused before it is read to its end: such a file is no table."""
_BLOCK_BYTES = 1 << 18
# Tab and newline are what the format is made of. U+2028 and U+2029 end lines for everything that shows a text; the byte
# order mark says how a file is written and is in no name; the last two are no characters, and XML refuses them.
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")
_CONTROL_IN_NAME = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")
_LONE = re.compile("[\ud800-\udfff]")
_UTF8_MARK = b"\xef\xbb\xbf"
# The longer marks first: that of UTF-32 begins with that of UTF-16.
_OTHER_MARKS = {
    b"\xff\xfe\0\0": "UTF-32",
    b"\0\0\xfe\xff": "UTF-32",
    b"\xff\xfe": "UTF-16",
    b"\xfe\xff": "UTF-16",
}
_FEW = 5000
"""The nearest of so many names is found in the blink of an eye."""


def opened(path: Path) -> BinaryIO:
    """Return a regular file opened for reading.

    Raises:
        DataError: no such file, with the nearest name beside it; a folder, a pipe, or a file that may not be read.
    """
    try:
        mode = path.stat().st_mode
        # Opening a pipe would wait for whoever writes to it.
        file = path.open("rb") if stat.S_ISREG(mode) else None
    except (FileNotFoundError, NotADirectoryError):
        raise DataError(f"{path}: no such file.{_beside(path)}") from None
    except OSError as error:
        raise DataError(f"{path}: {error.strerror}.") from None
    except ValueError as error:
        # A NUL in a name, which no file has.
        raise DataError(f"{shown(str(path))}: {error}.") from None
    if file is None:
        raise DataError(f"{path}: {'a folder, not a file' if stat.S_ISDIR(mode) else 'not a regular file'}.")
    return file


def rows(path: Path) -> Iterator[tuple[int, list[str]]]:
    """Yield the number and the tab-separated fields of each line that is not empty; nothing is quoted or escaped.

    Raises:
        DataError: a file that cannot be read, is not UTF-8, holds control characters or a line beyond all bounds.
    """
    for first, text in _blocks(path):
        for number, line in enumerate(text.split("\n"), start=first):
            if line:
                yield number, line.split("\t")


def whole(path: Path, max_bytes: int) -> bytes:
    """Return all of a file that cannot be read line by line.

    Raises:
        DataError: a file that cannot be read, is empty, or is larger than ``max_bytes``, of which no more is read.
    """
    with opened(path) as file:
        size = os.fstat(file.fileno()).st_size
        # It may be growing.
        content = file.read(max_bytes + 1) if size <= max_bytes else b""
    if max(size, len(content)) > max_bytes:
        raise DataError(f"{path}: larger than {max_bytes / (1 << 20):g} MiB, the most that max_mib allows.")
    if not content.strip():
        raise DataError(f"{path}: the file is empty.")
    return content


def decoded(path: Path, content: bytes) -> str:
    """Return the text of a whole file.

    Raises:
        DataError: it is not UTF-8, with line and byte.
    """
    return _text(path, _without_mark(path, content), 1)


def flaw(name: str) -> str:
    """Return what is wrong with an id or a name, as the rest of a sentence about it; empty when nothing is."""
    if not name.strip():
        return "is empty"
    if found := _CONTROL_IN_NAME.search(name):
        return f"holds the control character U+{ord(found.group()):04X}"
    if found := _LONE.search(name):
        return f"holds half a character, the lone surrogate U+{ord(found.group()):04X}"
    if name != name.strip():
        return "begins or ends with a space"
    return ""


def near(name: str, known: Collection[str]) -> str:
    """Return `did_you_mean` in time that stays short however many names are known."""
    if len(known) > _FEW:
        alike = (
            other
            for other in known
            if abs(len(other) - len(name)) <= 2 and (other[:2] == name[:2] or other[-2:] == name[-2:])
        )
        known = [other for other, _ in zip(alike, range(_FEW), strict=False)]
        # A few names out of so many are no list of what is known.
        return found if (found := did_you_mean(name, known)).startswith(" Did") else ""
    return did_you_mean(name, known)


def shown(name: str) -> str:
    """Return a name in quotes for a message: at most 60 characters, nothing that a terminal would obey."""
    cut = name if len(name) <= 60 else f"{name[:57]}..."
    return f"'{cut}'" if cut.isprintable() and "'" not in cut else repr(cut)


def _blocks(path: Path) -> Iterator[tuple[int, str]]:
    """Yield some whole lines at a time with the number of the first; Windows' line ends become plain ones."""
    number = 1
    with opened(path) as file:
        rest = _without_mark(path, file.read(_BLOCK_BYTES))
        while True:
            cut = rest.rfind(b"\n") + 1
            if (rest.find(b"\n") if cut else len(rest)) >= MAX_LINE_BYTES:
                raise DataError(f"{path}:{number}: the line is longer than {MAX_LINE_BYTES >> 20} MiB.")
            if cut:
                yield number, _text(path, rest[:cut], number)
                number += rest.count(b"\n")
            block = file.read(_BLOCK_BYTES)
            if not block:
                break
            rest = rest[cut:] + block
        if rest[cut:]:
            yield number, _text(path, rest[cut:], number)


def _without_mark(path: Path, content: bytes) -> bytes:
    for mark, encoding in _OTHER_MARKS.items():
        if content.startswith(mark):
            raise DataError(f"{path}:1: the file is {encoding}; save it as UTF-8.")
    return content.removeprefix(_UTF8_MARK)


def _text(path: Path, content: bytes, first: int) -> str:
    try:
        text = content.decode("utf-8").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        before = content[: error.start]
        byte = error.start - (before.rfind(b"\n") + 1) + 1
        raise DataError(
            f"{path}:{first + before.count(10)}: not UTF-8 at byte {byte} of the line (0x{content[error.start]:02x})."
        ) from None
    if found := _CONTROL.search(text):
        line = first + text.count("\n", 0, found.start())
        column = found.start() - text.rfind("\n", 0, found.start())
        raise DataError(f"{path}:{line}: control character U+{ord(found.group()):04X} at column {column}.")
    return text


def _beside(path: Path) -> str:
    """Return a hint at the file that may have been meant."""
    try:
        names = [other.name for other, _ in zip(path.parent.iterdir(), range(_FEW), strict=False)]
    except OSError:
        return ""
    found = did_you_mean(path.name, names)
    return found if found.startswith(" Did") else ""
