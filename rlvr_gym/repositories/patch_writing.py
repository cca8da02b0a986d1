"""Git-style patches made from files."""

from __future__ import annotations

import base64
import hashlib
import zlib
from collections.abc import Iterator, Mapping

from rlvr_gym.repositories.line_diffs import Budget, Edit, edits

_CONTEXT = 3
_LINE = 52
"""Bytes of one line of base 85."""
_NONE = "0" * 40
_ESCAPES = {7: "a", 8: "b", 9: "t", 10: "n", 11: "v", 12: "f", 13: "r", 34: '"', 92: "\\"}


def make_patch(before: Mapping[str, bytes], after: Mapping[str, bytes]) -> str:
    """Return the patch that turns the files ``before`` into ``after``, by path; nothing where they are the same.

    ``apply_patch`` and ``git apply`` both take it. Files that are no UTF-8 text are given whole, in base 85. The time
    is bounded: where many lines differ in many places, more of them than differ may be replaced.
    """
    budget = Budget()
    return "".join(
        _file_patch(path, before.get(path), after.get(path), budget)
        for path in sorted(before.keys() | after.keys())
        if before.get(path) != after.get(path)
    )


def blob_hash(content: bytes) -> str:
    """Return the hash by which git names a content."""
    return hashlib.sha1(b"blob %d\0" % len(content) + content, usedforsecurity=False).hexdigest()


def _file_patch(path: str, old: bytes | None, new: bytes | None, budget: Budget) -> str:
    a, b = _quoted(f"a/{path}"), _quoted(f"b/{path}")
    lines = [f"diff --git {a} {b}\n"]
    if old is None:
        lines.append("new file mode 100644\n")
    if new is None:
        lines.append("deleted file mode 100644\n")
    hashes = [_NONE if content is None else blob_hash(content) for content in (old, new)]
    mode = " 100644" if old is not None and new is not None else ""
    lines.append(f"index {hashes[0]}..{hashes[1]}{mode}\n")
    if not _is_text(old or b"") or not _is_text(new or b""):
        return "".join([*lines, "GIT binary patch\n", _literal(new or b""), _literal(old or b"")])
    if not old and not new:
        return "".join(lines)
    # Where a name ends would be unclear with spaces in it; git too ends such a one with a tab.
    tab = "\t" if " " in path else ""
    lines.append("--- /dev/null\n" if old is None else f"--- {a}{tab}\n")
    lines.append("+++ /dev/null\n" if new is None else f"+++ {b}{tab}\n")
    return "".join([*lines, *_hunks(_lines(old or b""), _lines(new or b""), budget)])


def _is_text(content: bytes) -> bool:
    if b"\0" in content:
        return False
    try:
        content.decode()
    except UnicodeDecodeError:
        return False
    return True


def _lines(content: bytes) -> list[bytes]:
    # Not splitlines(), which ends lines at a lone carriage return too.
    *whole, rest = content.split(b"\n")
    return [line + b"\n" for line in whole] + ([rest] if rest else [])


def _quoted(name: str) -> str:
    """Return a name as git writes it: quoted where it has signs that are no plain ASCII."""
    data = name.encode()
    if all(32 <= byte < 127 and byte not in (34, 92) for byte in data):
        return name
    parts = []
    for byte in data:
        if byte in _ESCAPES:
            parts.append("\\" + _ESCAPES[byte])
        else:
            parts.append(chr(byte) if 32 <= byte < 127 else f"\\{byte:03o}")
    return f'"{"".join(parts)}"'


def _literal(content: bytes) -> str:
    packed = zlib.compress(content)
    lines = [f"literal {len(content)}\n"]
    for start in range(0, len(packed), _LINE):
        part = packed[start : start + _LINE]
        letter = chr(64 + len(part)) if len(part) <= 26 else chr(70 + len(part))
        padded = part + bytes(-len(part) % 4)
        lines.append(letter + base64.b85encode(padded).decode() + "\n")
    return "".join([*lines, "\n"])


def _hunks(old: list[bytes], new: list[bytes], budget: Budget) -> Iterator[str]:
    groups: list[list[Edit]] = []
    for edit in edits(old, new, budget):
        if groups and edit.old_start - groups[-1][-1].old_end <= 2 * _CONTEXT:
            groups[-1].append(edit)
        else:
            groups.append([edit])
    for group in groups:
        yield from _hunk(group, old, new)


def _hunk(group: list[Edit], old: list[bytes], new: list[bytes]) -> Iterator[str]:
    first, last = group[0], group[-1]
    before = min(_CONTEXT, first.old_start)
    old_start, new_start = first.old_start - before, first.new_start - before
    old_end = min(len(old), last.old_end + _CONTEXT)
    new_end = last.new_end + old_end - last.old_end
    yield f"@@ -{_range(old_start, old_end)} +{_range(new_start, new_end)} @@\n"
    at = old_start
    for edit in group:
        yield from (_marked(" ", line) for line in old[at : edit.old_start])
        yield from (_marked("-", line) for line in old[edit.old_start : edit.old_end])
        yield from (_marked("+", line) for line in new[edit.new_start : edit.new_end])
        at = edit.old_end
    yield from (_marked(" ", line) for line in old[at:old_end])


def _range(start: int, end: int) -> str:
    # A range without lines is named by the line before it.
    count = end - start
    return f"{start + 1 if count else start},{count}"


def _marked(mark: str, line: bytes) -> str:
    text = mark + line.decode()
    return text if text.endswith("\n") else f"{text}\n\\ No newline at end of file\n"
