"""A patch turned round: what takes back what it does."""

from __future__ import annotations

import re

from rlvr_gym.repositories.patches import PatchError

_HUNK = re.compile(r"@@ -(\d+(?:,\d+)?) \+(\d+(?:,\d+)?) @@(.*)", re.DOTALL)
_GIT = re.compile(r"diff --git a/(.+) b/(.+)")
_SWAPPED = {
    "new file mode ": "deleted file mode ",
    "deleted file mode ": "new file mode ",
    "rename from ": "rename to ",
    "rename to ": "rename from ",
    "old mode ": "new mode ",
    "new mode ": "old mode ",
}
_INDEX = re.compile(r"index ([0-9a-f]+)\.\.([0-9a-f]+)(.*)")


def reversed_patch(text: str) -> str:
    """Return the patch that undoes ``text``.

    Raises:
        PatchError: it has binary content, or copies a file, which the patch alone cannot undo.
    """
    found: list[str] = []
    lines = text.split("\n")
    at = 0
    while at < len(lines):
        line = lines[at]
        if line.startswith(("GIT binary patch", "Binary files ", "copy from ")):
            raise PatchError(f"line {at + 1} of the patch: {line[:40]!r} cannot be undone without the file")
        if hunk := _HUNK.fullmatch(line):
            at = _turn_hunk(lines, at, hunk, found)
            continue
        if line.startswith("--- ") and at + 1 < len(lines) and lines[at + 1].startswith("+++ "):
            found += [f"--- {_side(lines[at + 1][4:], 'b/', 'a/')}", f"+++ {_side(line[4:], 'a/', 'b/')}"]
            at += 2
            continue
        found.append(_head(line))
        at += 1
    return "\n".join(found)


def _side(name: str, prefix: str, other: str) -> str:
    return other + name.removeprefix(prefix) if name.startswith(prefix) else name


def _head(line: str) -> str:
    if git := _GIT.fullmatch(line):
        return f"diff --git a/{git[2]} b/{git[1]}"
    if index := _INDEX.fullmatch(line):
        return f"index {index[2]}..{index[1]}{index[3]}"
    for start, other in _SWAPPED.items():
        if line.startswith(start):
            return other + line.removeprefix(start)
    return line


def _turn_hunk(lines: list[str], at: int, hunk: re.Match[str], found: list[str]) -> int:
    """Add a hunk, turned round; return where the next thing begins."""
    found.append(f"@@ -{hunk[2]} +{hunk[1]} @@{hunk[3]}")
    old, new = (_length(hunk[side]) for side in (1, 2))
    at += 1
    removed: list[str] = []
    added: list[str] = []
    while at < len(lines) and (old > 0 or new > 0 or lines[at].startswith("\\")):
        line = lines[at]
        sign = line[:1] or " "
        if sign == "\\":
            (
                removed
                if lines[at - 1].startswith("+")
                else added
                if lines[at - 1].startswith("-")
                else found
            ).append(line)
        elif sign == "+":
            removed.append(f"-{line[1:]}")
            new -= 1
        elif sign == "-":
            added.append(f"+{line[1:]}")
            old -= 1
        else:
            found += [*removed, *added, line]
            removed, added = [], []
            old, new = old - 1, new - 1
        at += 1
    # What a hunk removes stands before what it adds.
    found += [*removed, *added]
    return at


def _length(text: str) -> int:
    return int(text.partition(",")[2] or 1)
