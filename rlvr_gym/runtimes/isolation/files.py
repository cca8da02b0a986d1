"""Files of the workspace, read and written as the sandbox's user while no command runs.

Whatever a command left there (links, pipes, devices, files of a terabyte without content), what is opened lies under the
workspace, is a regular file, and is read up to a bound.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import os
import stat

from . import syscalls
from .workspace import WORKSPACE

_CHUNK = 1 << 20
_BLOCK = 1 << 16
_ZERO = bytes(_BLOCK)
_DEEPEST = 300
"""Folders in folders; a deeper tree would cost a descriptor and a stack frame each."""


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
    digest = hashlib.sha256()
    _add_folder(digest, os.open(workspace, os.O_RDONLY | os.O_DIRECTORY), b"", 0)
    return digest.hexdigest()


def _add_folder(digest: hashlib._Hash, fd: int, prefix: bytes, depth: int) -> None:
    """Hash what a folder holds; by descriptors, since a path may be longer than the kernel takes."""
    if depth > _DEEPEST:
        raise PermissionError(errno.EPERM, f"more than {_DEEPEST} folders in each other")
    for name in sorted(os.fsencode(name) for name in os.listdir(fd)):
        found = os.stat(name, dir_fd=fd, follow_symlinks=False)
        path, kind = prefix + b"/" + name, stat.S_IFMT(found.st_mode)
        # A time stamp or an inode number would differ between two runs of the same commands.
        digest.update(b"%d:%s %o\n" % (len(path), path, found.st_mode))
        if kind == stat.S_IFLNK:
            target = os.readlink(name, dir_fd=fd)
            digest.update(b"%d:%s\n" % (len(target), target))
        elif kind in (stat.S_IFREG, stat.S_IFDIR):
            flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
            try:
                inner = os.open(name, flags, dir_fd=fd)
            except PermissionError:
                digest.update(b"unreadable\n")
                continue
            if kind == stat.S_IFDIR:
                _add_folder(digest, inner, path, depth + 1)
            else:
                _add_content(digest, inner, found.st_size)
            os.close(inner)


def _add_content(digest: hashlib._Hash, fd: int, size: int) -> None:
    """Hash the blocks that are not zero, with their places, so that holes cost nothing and equal written zeros."""
    digest.update(b"%d\n" % size)
    position = 0
    while position < size:
        try:
            position = os.lseek(fd, position, os.SEEK_DATA) // _BLOCK * _BLOCK
        except OSError:
            return  # only a hole is left
        block = os.pread(fd, _BLOCK, position)
        if not block:
            return
        if block != _ZERO[: len(block)]:
            digest.update(b"%d:" % position + block)
        position += _BLOCK
