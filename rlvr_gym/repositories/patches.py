"""Patches: applied to files as data, and made from files. Nothing here runs git or touches a disk."""

from __future__ import annotations

import bisect
from collections.abc import Callable

from rlvr_gym.repositories.patch_reading import FilePatch, Hunk, PatchError, read_patch
from rlvr_gym.repositories.patch_writing import blob_hash, make_patch

__all__ = ["PatchError", "apply_patch", "changed_lines", "make_patch", "paths_of"]

_MAX_SEARCH = 200 << 20
"""Bytes that may be searched for hunks that are not where they say: their number times the length of the file."""
_NONE = "0" * 40
_MAX_CONTENT = 256 << 20
"""Bytes that all files may have together after it: a patch may copy a large file often."""


def apply_patch(text: str, read: Callable[[str], bytes | None]) -> dict[str, bytes | None]:
    """Return the content of each file that a patch changes, None for one that it deletes.

    What it accepts, ``git apply`` accepts, with the same outcome. Context has to be there exactly; at another line
    than the patch says only where it is found once. Modes are read and ignored.

    Args:
        text: A git-style diff with ``a/`` and ``b/``, also without the ``diff --git`` lines.
        read: Returns the content of a file by its path, None where there is none.

    Raises:
        PatchError: it is malformed, does not fit, or touches what no patch may: paths outside the repository, ``.git``,
            links, submodules.
    """
    files = read_patch(text)
    search = _Search()
    gone = {file.old for file in files if file.old is not None and file.new != file.old and not file.copied}
    found: dict[str, bytes | None] = dict.fromkeys(gone)
    seen: set[str] = set()
    size = 0
    for file in files:
        target = file.new or file.old
        assert target is not None, "a read patch has a name for each file"
        if target in seen or (file.new is None and file.old in seen):
            raise PatchError(f"line {file.line} of the patch: {target} is changed twice")
        seen.add(target)
        before = _before(file, read)
        after = _applied(file, before, search) if file.binary is None else _replaced(file, before)
        size += len(after)
        if size > _MAX_CONTENT:
            raise PatchError(f"the patch makes files of more than {_MAX_CONTENT >> 20} MiB")
        if file.new is None:
            if after:
                raise PatchError(
                    f"line {file.line} of the patch: {file.old} is deleted, but lines of it are left"
                )
            continue
        if file.new != file.old:
            _free(file, read, gone)
        found[file.new] = after
    _no_file_is_a_folder(found)
    return found


def changed_lines(text: str) -> int:
    """Return how many lines a patch adds and removes.

    Raises:
        PatchError: it is malformed.
    """
    return sum(hunk.added + hunk.removed for file in read_patch(text) for hunk in file.hunks)


def paths_of(text: str) -> tuple[str, ...]:
    """Return the paths that a patch names, before and after, sorted.

    Raises:
        PatchError: it is malformed.
    """
    return tuple(sorted({path for file in read_patch(text) for path in (file.old, file.new) if path}))


def _before(file: FilePatch, read: Callable[[str], bytes | None]) -> bytes:
    if file.old is None:
        return b""
    before = read(file.old)
    if before is None:
        raise PatchError(f"line {file.line} of the patch: there is no file {file.old}")
    return before


def _free(file: FilePatch, read: Callable[[str], bytes | None], gone: set[str]) -> None:
    """Make sure that nothing lies where a new file is to lie."""
    assert file.new is not None, "a deleted file lies nowhere"
    parts = file.new.split("/")
    for count in range(1, len(parts) + 1):
        path = "/".join(parts[:count])
        if path not in gone and read(path) is not None:
            raise PatchError(f"line {file.line} of the patch: there is a file {path} already")


def _no_file_is_a_folder(found: dict[str, bytes | None]) -> None:
    files = {path for path, content in found.items() if content is not None}
    for path in files:
        parts = path.split("/")
        for count in range(1, len(parts)):
            if (folder := "/".join(parts[:count])) in files:
                raise PatchError(f"the patch makes {folder} both a file and the folder of {path}")


class _Search:
    """Looks for hunks that are not where they say, within bounds."""

    def __init__(self) -> None:
        self._left = _MAX_SEARCH

    def place(self, content: bytes, part: bytes, start: int, whole_end: bool) -> int | None:
        """Return where whole lines ``part`` lie in ``content`` from ``start`` on, None unless exactly once."""
        self._left -= len(content) - start
        if self._left < 0:
            raise PatchError("too many hunks are not where the patch says")
        if whole_end:
            at = len(content) - len(part)
            fits = at >= start and content.endswith(part) and content[at - 1 : at] in (b"", b"\n")
            return at if fits else None
        # With the end of the line before it, so that no find is in the middle of a line.
        wanted, text = b"\n" + part, b"\n" + content[start:]
        at = text.find(wanted)
        if at < 0 or text.find(wanted, at + 1) >= 0:
            return None
        return start + at


def _replaced(file: FilePatch, before: bytes) -> bytes:
    """Return a content that is given whole. Nothing but the hashes tells whether it is meant for this one."""
    assert file.binary is not None, "only such files are replaced"
    hashes = (
        _NONE if file.old is None else blob_hash(before),
        _NONE if file.new is None else blob_hash(file.binary),
    )
    if file.hashes != hashes:
        raise PatchError(
            f"line {file.line} of the patch: {file.new or file.old} has other contents than its 'index' line says in full"
        )
    return file.binary


def _applied(file: FilePatch, before: bytes, search: _Search) -> bytes:
    if not file.hunks:
        return before
    starts = [0]
    for line in before.split(b"\n"):
        starts.append(starts[-1] + len(line) + 1)
    pieces: list[bytes] = []
    done = shift = 0
    for number, hunk in enumerate(file.hunks, 1):
        at = _place(hunk, before, starts, done, shift, search)
        if at is None:
            raise PatchError(
                f"line {file.line} of the patch: hunk {number} of {file.old or file.new} does not fit the file"
            )
        pieces += before[done:at], hunk.after
        done = at + len(hunk.before)
        shift = bisect.bisect_left(starts, at) - max(hunk.start - 1, 0)
    return b"".join([*pieces, before[done:]])


def _place(
    hunk: Hunk, before: bytes, starts: list[int], done: int, shift: int, search: _Search
) -> int | None:
    """Return where a hunk goes, None where it does not fit. The rules are those of ``git apply``."""
    part = hunk.before
    # A line without an end can only be the last.
    whole_end = not hunk.trailing or not part.endswith(b"\n")
    if hunk.start <= 1:
        fits = not done and before.startswith(part) and (not whole_end or len(part) == len(before))
        return 0 if fits else None
    line = hunk.start - 1 + shift
    expected = starts[line] if 0 <= line < len(starts) else len(before) + 1
    if done <= expected <= len(before) - len(part) and before.startswith(part, expected):
        ends = not whole_end or expected + len(part) == len(before)
        if ends and before[expected - 1 : expected] in (b"", b"\n"):
            return expected
    return search.place(before, part, done, whole_end)
