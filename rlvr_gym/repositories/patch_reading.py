"""Git-style unified diffs as data: what a patch says, before anything is done with it."""

from __future__ import annotations

import base64
import binascii
import re
import zlib
from collections.abc import Iterator
from dataclasses import dataclass, field

from rlvr_gym.errors import RLVRError

_HUNK = re.compile(rb"@@ -(\d{1,9})(?:,(\d{1,9}))? \+(\d{1,9})(?:,(\d{1,9}))? @@")
_INDEX = re.compile(rb"index ([0-9a-f]{4,64})\.\.([0-9a-f]{4,64})(?: (\d{6}))?$")
_LITERAL = re.compile(rb"literal (\d{1,12})$")
_MODES = (b"100644", b"100755")
_IDLE = (b"similarity index ", b"dissimilarity index ")
_ESCAPES = {"a": 7, "b": 8, "t": 9, "n": 10, "v": 11, "f": 12, "r": 13, '"': 34, "\\": 92}
_NO_NEWLINE = b"\\ "
_MAX_HEADER = 10_000
_MAX_BINARY = 64 << 20
"""Bytes that all binary contents of a patch may have together: a few characters may unpack to gigabytes."""


class PatchError(RLVRError, ValueError):
    """A patch that is malformed, not allowed, or does not fit the files."""


@dataclass(frozen=True, slots=True)
class Hunk:
    """Lines that follow each other in a file, and what stands in their place."""

    start: int
    """Number of the first line, from 1; 0 in a file without lines."""
    before: bytes
    after: bytes
    trailing: bool
    """Whether it ends with lines that stay."""
    added: int
    removed: int


@dataclass(slots=True)
class FilePatch:
    """What a patch says about one file."""

    line: int
    """Number of its first line in the patch."""
    old: str | None = None
    """Path before, None for a new file."""
    new: str | None = None
    """Path after, None for a deleted file."""
    copied: bool = False
    """Whether ``old`` stays."""
    hunks: list[Hunk] = field(default_factory=list)
    binary: bytes | None = None
    """New content that was given as a whole."""
    hashes: tuple[str, str] = ("", "")
    """Git's hashes of the content before and after, whole or shortened."""


def read_patch(text: str) -> list[FilePatch]:
    """Return what a patch says, file by file. A patch of blanks says nothing.

    Raises:
        PatchError: it is malformed, or names a path, a link or a submodule that no patch may touch.
    """
    try:
        data = text.encode()
    except UnicodeEncodeError:
        raise PatchError("the patch is not Unicode text: it holds a lone surrogate") from None
    lines = data.split(b"\n")
    if not lines[-1]:
        lines.pop()
    return list(_Reader(lines).files()) if data.strip() else []


class _Reader:
    def __init__(self, lines: list[bytes]) -> None:
        self._lines = lines
        self._at = 0
        self._binary = 0

    def files(self) -> Iterator[FilePatch]:
        # Git passes over other words. Here they would make two answers of one: a text about a patch, and the patch.
        while self._more():
            if not self._lines[self._at].strip():
                self._at += 1
            elif self._starts():
                yield self._file()
            else:
                raise self._error(
                    "neither 'diff --git a/... b/...' or '--- a/...' nor a part of the file before it"
                )

    def _more(self) -> bool:
        return self._at < len(self._lines)

    def _error(self, what: str) -> PatchError:
        shown = self._lines[self._at][:60].decode(errors="replace") if self._more() else "the end"
        return PatchError(f"line {min(self._at, len(self._lines)) + 1} of the patch ({shown}): {what}")

    def _starts(self) -> bool:
        line = self._lines[self._at]
        return line.startswith(b"diff --git ") or (line.startswith(b"--- ") and self._next(b"+++ "))

    def _next(self, start: bytes) -> bool:
        return self._at + 1 < len(self._lines) and self._lines[self._at + 1].startswith(start)

    def _file(self) -> FilePatch:
        found = FilePatch(self._at + 1)
        names: list[tuple[str, str]] | None = None
        created = deleted = renamed = bare = False
        line = self._lines[self._at]
        if line.startswith(b"diff --git "):
            names = self._header(line[len(b"diff --git ") :])
            self._at += 1
        while self._more():
            line = self._lines[self._at]
            word, _, rest = line.partition(b" mode ")
            if word in (b"old", b"new", b"new file", b"deleted file") and rest:
                self._mode(rest)
                created |= word == b"new file"
                deleted |= word == b"deleted file"
            elif match := _INDEX.match(line):
                self._mode(match[3] or b"100644")
                found.hashes = match[1].decode(), match[2].decode()
            elif line.startswith((b"rename from ", b"copy from ")):
                found.old, renamed = self._name(line.partition(b" from ")[2]), True
                found.copied = line.startswith(b"copy")
            elif line.startswith((b"rename to ", b"copy to ")):
                found.new, renamed = self._name(line.partition(b" to ")[2]), True
            elif line.startswith(b"--- ") and self._next(b"+++ "):
                self._sides(found, renamed)
                bare = True
                break
            elif line == b"GIT binary patch":
                self._at += 1
                found.binary = self._literal()
                if self._more() and _LITERAL.match(self._lines[self._at]):
                    self._literal()  # the way back
                break
            elif not line.startswith(_IDLE):
                break
            self._at += 1
        if names is not None and not renamed and not bare:
            same = [old for old, new in names if old == new]
            if len(same) != 1:
                raise self._error("two names in 'diff --git', and no 'rename from' and 'rename to'")
            found.old, found.new = (None if created else same[0]), (None if deleted else same[0])
        self._consistent(found, names, created, deleted, renamed)
        while self._more() and (match := _HUNK.match(self._lines[self._at])):
            found.hunks.append(self._hunk(match))
        if bare and not found.hunks:
            raise self._error("a file without a hunk '@@ -line,count +line,count @@'")
        return found

    def _consistent(
        self,
        found: FilePatch,
        names: list[tuple[str, str]] | None,
        created: bool,
        deleted: bool,
        renamed: bool,
    ) -> None:
        old, new = found.old or found.new, found.new or found.old
        if old is None or new is None or (renamed and None in (found.old, found.new)):
            raise self._error("a file with only one of its two names")
        if not renamed and old != new:
            raise self._error(f"two names for one file, {old} and {new}, and no 'rename from'")
        if (created and found.old is not None) or (deleted and found.new is not None):
            raise self._error(f"{old} is new or deleted, and yet has a content before or after")
        if names is not None and (old, new) not in names:
            raise self._error(f"'diff --git' names another file than {new}")

    def _mode(self, mode: bytes) -> None:
        if mode not in _MODES:
            kind = {b"120000": "a link", b"160000": "a submodule"}.get(mode, "no regular file")
            raise self._error(f"mode {mode.decode(errors='replace')[:20]} is {kind}: only 100644 and 100755")

    def _header(self, rest: bytes) -> list[tuple[str, str]]:
        """Return the pairs of paths that the two names of a header may be: spaces leave more than one reading."""
        if len(rest) > _MAX_HEADER:
            raise self._error("a name that is too long")
        text = self._text(rest)
        splits = [i for i in range(len(text)) if text[i] == " " and text[i + 1 :].startswith(("b/", '"b/'))]
        found = []
        for split in splits:
            try:
                found.append((self._side(text[:split], "a/"), self._side(text[split + 1 :], "b/")))
            except PatchError:
                continue
        if not found:
            raise self._error("no two names a/... and b/... of an allowed path")
        return found

    def _sides(self, found: FilePatch, renamed: bool) -> None:
        sides = []
        for prefix, start in (("a/", b"--- "), ("b/", b"+++ ")):
            name = self._text(self._lines[self._at][len(start) :]).split("\t", 1)[0]
            sides.append(None if name == "/dev/null" else self._side(name, prefix))
            self._at += 1
        if renamed and sides != [found.old, found.new]:
            self._at -= 1
            raise self._error("other names than those of 'rename from' and 'rename to'")
        found.old, found.new = sides

    def _text(self, line: bytes) -> str:
        # Whole lines of a text that was encoded here.
        if len(line) > _MAX_HEADER:
            raise self._error("a name that is too long")
        return line.decode()

    def _side(self, name: str, prefix: str) -> str:
        plain = self._unquoted(name)
        if not plain.startswith(prefix):
            raise self._error(f"the path {plain[:60]!r} does not start with {prefix}")
        return self._allowed(plain[len(prefix) :])

    def _name(self, name: bytes) -> str:
        return self._allowed(self._unquoted(self._text(name)))

    def _allowed(self, path: str) -> str:
        if why := path_fault(path):
            raise self._error(f"the path {path[:60]!r} {why}")
        return path

    def _unquoted(self, name: str) -> str:
        if not name.startswith('"'):
            return name
        if len(name) < 2 or not name.endswith('"'):
            raise self._error("a name whose quotation has no end")
        out, inner, i = bytearray(), name[1:-1], 0
        while i < len(inner):
            if inner[i] == '"':
                raise self._error("a quotation mark inside a quoted name")
            if inner[i] != "\\":
                out += inner[i].encode()
                i += 1
            elif inner[i + 1 : i + 2] in _ESCAPES and i + 1 < len(inner):
                out.append(_ESCAPES[inner[i + 1]])
                i += 2
            elif re.fullmatch("[0-3][0-7][0-7]", inner[i + 1 : i + 4]):
                out.append(int(inner[i + 1 : i + 4], 8))
                i += 4
            else:
                raise self._error("a backslash in a quoted name that means nothing")
        try:
            return out.decode()
        except UnicodeDecodeError:
            raise self._error("a name that is no UTF-8") from None

    def _hunk(self, match: re.Match[bytes]) -> Hunk:
        start, olds, news = int(match[1]), int(match[2] or 1), int(match[4] or 1)
        self._at += 1
        before: list[bytes] = []
        after: list[bytes] = []
        added = removed = trailing = 0
        last = b""
        while olds or news or (self._more() and self._lines[self._at].startswith(_NO_NEWLINE)):
            if not self._more():
                raise self._error("the hunk has fewer lines than its '@@' says")
            line = self._lines[self._at]
            # Some tools cut blanks at the end of lines, and with them the mark of an empty line that stays.
            mark, content = line[:1] or b" ", line[1:] + b"\n"
            if mark == b"\\" and last:
                # Only the last line of a file has no end.
                for side, marks in ((before, b" -"), (after, b" +")):
                    if last in marks:
                        side[-1] = side[-1][:-1]
                last = b""
                self._at += 1
                continue
            olds -= mark in (b" ", b"-")
            news -= mark in (b" ", b"+")
            if mark not in (b" ", b"-", b"+") or olds < 0 or news < 0:
                raise self._error("not a line of the hunk before it, which is shorter than its '@@' says")
            if mark != b"+":
                before.append(content)
            if mark != b"-":
                after.append(content)
            added += mark == b"+"
            removed += mark == b"-"
            trailing = trailing + 1 if mark == b" " else 0
            last = mark
            self._at += 1
        if not added and not removed:
            raise self._error("the hunk before it changes nothing")
        if any(not line.endswith(b"\n") for side in (before, after) for line in side[:-1]):
            raise self._error("the hunk before it has a line without an end that is not the last")
        return Hunk(start, b"".join(before), b"".join(after), trailing > 0, added, removed)

    def _literal(self) -> bytes:
        match = _LITERAL.match(self._lines[self._at]) if self._more() else None
        if match is None:
            raise self._error("a binary content that is not given as 'literal SIZE'")
        size = int(match[1])
        self._at += 1
        packed = bytearray()
        while self._more() and (line := self._lines[self._at]):
            letter = line[:1]
            count = ord(letter) - 64 if b"A" <= letter <= b"Z" else ord(letter) - 70
            try:
                part = base64.b85decode(line[1:])
            except ValueError:
                raise self._error("a line of a binary content that is no base 85") from None
            if not letter.isalpha() or not 0 <= len(part) - count < 4:
                raise self._error("a line of a binary content whose length is wrong")
            packed += part[:count]
            self._at += 1
        self._at += self._more()
        self._binary += size
        if self._binary > _MAX_BINARY:
            raise self._error(f"more than {_MAX_BINARY >> 20} MiB of binary contents")
        unpacker = zlib.decompressobj()
        try:
            content = unpacker.decompress(bytes(packed), size + 1)
        except (zlib.error, binascii.Error):
            raise self._error("the binary content before it is damaged") from None
        if len(content) != size or not unpacker.eof or unpacker.unused_data:
            raise self._error(f"the binary content before it does not have its {size} bytes")
        return content


def path_fault(path: str) -> str:
    """Return why no patch may touch a path, nothing when it may."""
    parts = path.split("/")
    if path.startswith("/"):
        return "is absolute"
    if "\0" in path:
        return "holds a NUL"
    if ".." in parts:
        return "leaves the repository"
    if "" in parts or "." in parts:
        return "has an empty part"
    if any(part.lower() in (".git", "git~1") for part in parts):
        return "lies in git's own folder"
    if any(len(part.encode()) > 255 for part in parts) or len(path.encode()) > 1000:
        return "is too long"
    return ""
