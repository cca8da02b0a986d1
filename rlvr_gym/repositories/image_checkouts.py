"""Prepared folders of repositories that lie in images: copied out once, changed to what the agent is given, history cut.

The commits, remotes and tags of an image's ``.git`` are never copied: later ones hold the solution.
"""

from __future__ import annotations

import hashlib
import json
import os
import stat
import struct
from collections.abc import Iterator, Mapping
from pathlib import Path

from rlvr_gym.errors import TaskError
from rlvr_gym.repositories.checkouts import cache_folder, making
from rlvr_gym.repositories.history import write_history
from rlvr_gym.repositories.patches import PatchError, apply_patch
from rlvr_gym.runtimes.docker import DockerRuntime

_FORMAT = "image checkout 1"
"""Part of each hash; changes when the same image would be prepared otherwise."""
_ENTRY = struct.Struct(">10I20sH")
_HAS_MORE_FLAGS = 0x4000


def pristine(runtime: DockerRuntime, image: str, folder: str) -> Path:
    """Return a folder with the content of ``folder`` of an image, made once for each image; nobody may write to it.

    Its ``.git`` is that of the image: no sandbox may see it.

    Raises:
        TaskError: the image has no such folder.
        UnavailableError: the image is not in the engine, or there is no engine.
    """
    place = cache_folder("images") / _hash(runtime.image_id(image), folder)
    if not place.exists():
        with making(place.parent):
            if not place.exists():
                part = place.with_suffix(".part")
                part.mkdir()
                try:
                    runtime.copy_out(image, folder, part)
                except (FileNotFoundError, ValueError) as error:
                    raise TaskError(f"image '{image}': {error}.") from None
                part.rename(place)
    return place


def image_checkout(source: Path, setup_patch: str, removed: tuple[str, ...]) -> Path:
    """Return a folder with the files of `pristine` as the agent is given them, and a history of one commit.

    Args:
        source: What `pristine` returned.
        setup_patch: Turns the image's files into the state that the agent is given.
        removed: Paths of files and folders that the agent is not given.

    Raises:
        TaskError: the patch does not fit the image's files.
    """
    place = cache_folder("checkouts") / _hash(source.name, setup_patch, *removed)
    if not place.exists():
        with making(place.parent):
            if not place.exists():
                _prepare(source, place.with_suffix(".part"), setup_patch, removed)
                place.with_suffix(".part").rename(place)
    return place


def tracked(source: Path) -> tuple[str, ...]:
    """Return the regular files that belong to the repository: those in its index, all where there is none to be read.

    Others are built: compiled extensions, environments, caches.
    """
    there = [path for path, kind in _walk(source) if stat.S_ISREG(kind)]
    try:
        known = _index_paths((source / ".git/index").read_bytes())
    except (OSError, ValueError, struct.error):
        return tuple(there)
    return tuple(path for path in there if path in known)


class FolderFiles(Mapping[str, bytes]):
    """The regular files of a prepared folder, read when they are asked for.

    Args:
        base: What `image_checkout` returned.
        source: What `pristine` returned, to list only what belongs to the repository: built files, which may be many
            and large, are then found by their names all the same.
    """

    def __init__(self, base: Path, source: Path | None = None) -> None:
        self._base = base
        there = [path for path, kind in _walk(base) if stat.S_ISREG(kind)]
        if source is not None:
            known = frozenset(tracked(source))
            # What the image does not have comes from the task.
            there = [path for path in there if path in known or not (source / path).exists()]
        self._listed = tuple(there)

    def __getitem__(self, path: str) -> bytes:
        """Return the content of a file."""
        content = content_of(self._base, path)
        if content is None:
            raise KeyError(path)
        return content

    def __iter__(self) -> Iterator[str]:
        return iter(self._listed)

    def __len__(self) -> int:
        return len(self._listed)


def content_of(folder: Path, path: str) -> bytes | None:
    """Return the content of a regular file of a prepared folder; None for others, and for what lies behind a link."""
    place = folder
    if path.startswith(("/", ".git/")) or ".." in path.split("/"):
        return None
    try:
        for part in path.split("/"):
            place = place / part
            if place.is_symlink():
                return None
        return place.read_bytes() if place.is_file() else None
    except OSError:
        # Such as a name that is too long to be one.
        return None


def _prepare(source: Path, part: Path, setup_patch: str, removed: tuple[str, ...]) -> None:
    part.mkdir()
    for path, kind in _walk(source):
        target = part / path
        if any(path == name or path.startswith(f"{name}/") for name in removed):
            continue
        if stat.S_ISDIR(kind):
            target.mkdir()
        elif stat.S_ISLNK(kind):
            target.symlink_to((source / path).readlink())
        else:
            # The same file: neither copy is ever written to.
            os.link(source / path, target)
    if setup_patch:
        try:
            changed = apply_patch(setup_patch, lambda path: content_of(part, path))
        except PatchError as error:
            raise TaskError(f"The task's patch does not fit the files of its image: {error}") from None
        for path, content in changed.items():
            _write(part / path, content)
    files = FolderFiles(part, source)
    write_history(
        part / ".git",
        {path: (content, bool((part / path).stat().st_mode & 0o100)) for path, content in files.items()},
    )


def _write(target: Path, content: bytes | None) -> None:
    mode = target.stat().st_mode & 0o777 if target.exists() else 0o644
    target.unlink(missing_ok=True)
    if content is not None:
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(content)
        target.chmod(mode)


def _walk(root: Path) -> Iterator[tuple[str, int]]:
    """Yield path and kind of all below ``root`` but ``.git``, what is above first; no link is followed."""
    for folder, folders, names in os.walk(root):
        if Path(folder) == root:
            folders[:] = [name for name in folders if name != ".git"]
        for name in [*folders, *names]:
            path = Path(folder, name)
            if path != root / ".git":
                yield path.relative_to(root).as_posix(), path.lstat().st_mode


def _index_paths(content: bytes) -> frozenset[str]:
    """Return the paths in an index file of git.

    Raises:
        ValueError: a version that is not read.
    """
    signature, version, count = struct.unpack_from(">4sII", content)
    if signature != b"DIRC" or version not in (2, 3, 4):
        raise ValueError(f"an index of version {version}")
    found, at, path = [], 12, b""
    for _ in range(count):
        flags = _ENTRY.unpack_from(content, at)[-1]
        start = at + _ENTRY.size + (2 if version >= 3 and flags & _HAS_MORE_FLAGS else 0)
        if version == 4:
            cut, start = _varint(content, start)
            end = content.index(b"\0", start)
            path = path[: len(path) - cut] + content[start:end]
            at = end + 1
        else:
            end = content.index(b"\0", start)
            path = content[start:end]
            # Padded with one NUL at least, up to a multiple of eight.
            at += (end - at + 8) // 8 * 8
        found.append(path.decode("utf-8", "surrogateescape"))
    return frozenset(found)


def _varint(content: bytes, at: int) -> tuple[int, int]:
    value = content[at] & 0x7F
    while content[at] & 0x80:
        at += 1
        value = ((value + 1) << 7) | (content[at] & 0x7F)
    return value, at + 1


def _hash(*parts: str) -> str:
    return hashlib.sha256(json.dumps([_FORMAT, *parts]).encode()).hexdigest()[:32]
