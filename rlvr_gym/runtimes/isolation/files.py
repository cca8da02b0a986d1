"""Files of the workspace, read and written as the sandbox's user while no command runs.

Whatever a command left there (links, pipes, devices, files of a terabyte without content), what is opened lies under the
workspace, is a regular file, and is read up to a bound.
"""

from __future__ import annotations

import contextlib
import errno
import json
import os
import stat
from collections.abc import Iterator
from typing import TYPE_CHECKING

from . import syscalls
from .workspace import WORKSPACE

if TYPE_CHECKING:
    from hashlib import _Hash

_CHUNK = 1 << 20
_BLOCK = 1 << 16
_ZERO = bytes(_BLOCK)
_LARGE = 16 << 20
_DEEPEST = 300
"""Folders in folders; a deeper tree would cost a descriptor and a stack frame each."""


def prepare_hashing() -> None:
    """Load what ``snapshot`` and ``manifest`` need, while this process may still read the interpreter's folder.

    Not with the rest: its C library would be a tenth of what a sandbox takes to start.
    """
    import hashlib  # noqa: F401


def _sha256(content: bytes = b"") -> _Hash:
    import hashlib

    return hashlib.sha256(content)


def _folder(workspace: str) -> int:
    return os.open(workspace, os.O_PATH | os.O_DIRECTORY | os.O_CLOEXEC)


def _relative(path: str) -> str:
    """Return ``path`` as seen from the workspace.

    Raises:
        PermissionError: it is absolute and elsewhere.
    """
    if path.startswith(f"{WORKSPACE}/"):
        path = path[len(WORKSPACE) + 1 :]
    if path.startswith("/"):
        raise PermissionError(errno.EPERM, "outside the workspace", path)
    return path


def _open_regular(folder: int, path: str, flags: int, mode: int = 0) -> int:
    try:
        # Without O_NONBLOCK a pipe with nobody at its other end would hold us.
        fd = syscalls.open_beneath(folder, path, flags | os.O_NONBLOCK | os.O_NOCTTY, mode)
    except OSError as error:
        if error.errno in (errno.ELOOP, errno.EXDEV, errno.ENXIO):
            raise PermissionError(errno.EPERM, "a link, a way out, or no regular file", path) from None
        raise OSError(error.errno, os.strerror(error.errno or 0), path) from None
    if not stat.S_ISREG(os.fstat(fd).st_mode):
        os.close(fd)
        raise PermissionError(errno.EPERM, "not a regular file", path)
    return fd


def read(workspace: str, path: str, max_bytes: int) -> bytes:
    """Return the content of a regular file.

    Raises:
        PermissionError: a link, a device, a pipe, or a file that is too large.
    """
    fd = _open_regular(_folder(workspace), _relative(path), os.O_RDONLY)
    size = os.fstat(fd).st_size
    if size > max_bytes:
        raise PermissionError(errno.EPERM, f"too large: {size} bytes are more than {max_bytes}", path)
    chunks = []
    while chunk := os.read(fd, _CHUNK):
        chunks.append(chunk)
    return b"".join(chunks)


def write(workspace: str, path: str, content: bytes, mode: int) -> None:
    """Write a regular file, the folders above it included."""
    folder, parts = _folder(workspace), [part for part in _relative(path).split("/") if part not in ("", ".")]
    if not parts or ".." in parts:
        raise PermissionError(errno.EPERM, "not a path to a file in the workspace", path)
    for depth in range(1, len(parts)):
        above = syscalls.open_beneath(folder, "/".join(parts[: depth - 1]) or ".", os.O_PATH | os.O_DIRECTORY)
        # If what is there is no folder, the next step fails on it.
        with contextlib.suppress(FileExistsError):
            os.mkdir(parts[depth - 1], dir_fd=above)
        os.close(above)
    # Truncated only when it is known for a regular file.
    fd = _open_regular(folder, "/".join(parts), os.O_WRONLY | os.O_CREAT, mode & 0o777)
    os.ftruncate(fd, 0)
    view = memoryview(content)
    while view:
        view = view[os.write(fd, view) :]
    os.fchmod(fd, mode & 0o777)


def snapshot(workspace: str) -> str:
    """Return a hash of paths, kinds, modes and contents.

    Raises:
        PermissionError: the folders lie too deep in each other.
    """
    digest = _sha256()
    for path, what in _entries(os.open(workspace, os.O_RDONLY | os.O_DIRECTORY), b"", 0):
        digest.update(b"%d:%s %s\n" % (len(path), path, what.encode()))
    return digest.hexdigest()


def manifest(workspace: str, max_bytes: int) -> bytes:
    """Return a JSON object from each path to kind, mode and hash, as ``Sandbox.manifest`` says.

    Raises:
        PermissionError: the folders lie too deep in each other, or the answer would be too large.
    """
    lines: list[str] = []
    size = 2
    for path, what in _entries(os.open(workspace, os.O_RDONLY | os.O_DIRECTORY), b"", 0):
        line = f"{json.dumps(os.fsdecode(path[1:]))}: {json.dumps(what)}"
        size += len(line) + 2
        if size > max_bytes:
            raise PermissionError(errno.EPERM, f"a list of all files is larger than {max_bytes} bytes")
        lines.append(line)
    return f"{{{', '.join(lines)}}}".encode()


def _entries(fd: int, prefix: bytes, depth: int) -> Iterator[tuple[bytes, str]]:
    """Yield what a folder holds, in order; by descriptors, since a path may be longer than the kernel takes."""
    if depth > _DEEPEST:
        raise PermissionError(errno.EPERM, f"more than {_DEEPEST} folders in each other")
    for name in sorted(os.fsencode(name) for name in os.listdir(fd)):
        found = os.stat(name, dir_fd=fd, follow_symlinks=False)
        path, kind = prefix + b"/" + name, stat.S_IFMT(found.st_mode)
        # A time stamp or an inode number would differ between two runs of the same commands.
        mode = f"{stat.S_IMODE(found.st_mode):o}"
        if kind == stat.S_IFLNK:
            yield path, f"link {mode} {_sha256(os.readlink(name, dir_fd=fd)).hexdigest()}"
            continue
        if kind not in (stat.S_IFREG, stat.S_IFDIR):
            yield path, f"special {mode} {kind:o}"
            continue
        try:
            inner = os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=fd)
        except PermissionError:
            yield path, f"{'folder' if kind == stat.S_IFDIR else 'file'} {mode} unreadable"
            continue
        if kind == stat.S_IFDIR:
            yield path, f"folder {mode}"
            yield from _entries(inner, path, depth + 1)
        else:
            yield path, f"file {mode} {_hash(inner, found.st_size)}"
        os.close(inner)


def _hash(fd: int, size: int) -> str:
    """Return the SHA-256 of a file's content; of a large one, that of its blocks that are not zero, with their places.

    So holes cost nothing, and equal written zeros.
    """
    digest = _sha256()
    if size <= _LARGE:
        while block := os.read(fd, _CHUNK):
            digest.update(block)
        return digest.hexdigest()
    position = 0
    while position < size:
        try:
            position = os.lseek(fd, position, os.SEEK_DATA) // _BLOCK * _BLOCK
        except OSError:
            break  # only a hole is left
        block = os.pread(fd, _BLOCK, position)
        if not block:
            break
        if block != _ZERO[: len(block)]:
            digest.update(b"%d:" % position + block)
        position += _BLOCK
    return f"{digest.hexdigest()}/{size}"
