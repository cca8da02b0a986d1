"""System calls that Python does not have, through the C library."""

from __future__ import annotations

import ctypes
import errno
import os
import struct

from .syscall_numbers import number

_libc = ctypes.CDLL(None, use_errno=True)
_libc.syscall.restype = ctypes.c_long

AT_FDCWD = -100
_AT_EMPTY_PATH, _AT_RECURSIVE = 0x1000, 0x8000
_OPEN_TREE_CLONE = 1
_MOVE_FROM_EMPTY_PATH = 4

MOUNT_READ_ONLY, MOUNT_NOSUID, MOUNT_NODEV, MOUNT_NOEXEC = 1, 2, 4, 8
_MOUNT_IDMAP = 0x00100000

RESOLVE_NO_MAGICLINKS, RESOLVE_NO_SYMLINKS, RESOLVE_BENEATH = 0x02, 0x04, 0x08


def _check(result: int, what: str) -> int:
    if result < 0:
        code = ctypes.get_errno()
        raise OSError(code, f"{what}: {os.strerror(code)}")
    return result


def _long(value: int | bytes) -> ctypes.c_long | bytes:
    return value if isinstance(value, bytes) else ctypes.c_long(value)


def call(name: str, *arguments: int | bytes) -> int:
    """Return the result of a system call.

    Raises:
        OSError: with the call's name.
    """
    result: int = _libc.syscall(ctypes.c_long(number(name)), *map(_long, arguments))
    return _check(result, name)


def unshare(flags: int) -> None:
    """Move this process into new namespaces."""
    _check(_libc.unshare(flags), "unshare")


def setns(fd: int, kind: int) -> None:
    """Move this process (its children, for pids) into the namespace behind ``fd``."""
    _check(_libc.setns(fd, kind), "setns")


def prctl(option: int, second: int = 0, third: int = 0, fourth: int = 0, fifth: int = 0) -> int:
    """Return the result of prctl."""
    arguments = [ctypes.c_ulong(value) for value in (second, third, fourth, fifth)]
    return _check(_libc.prctl(option, *arguments), f"prctl {option}")


def mount(source: str, target: str, kind: str, flags: int = 0, options: str = "") -> None:
    """Mount a file system of ``kind`` at ``target``."""
    encoded = [text.encode() for text in (source, target, kind)]
    done = _libc.mount(*encoded, ctypes.c_ulong(flags), options.encode() or None)
    _check(done, f"mount {kind or source} at {target}")


def unmount(target: str) -> None:
    """Detach what is mounted at ``target``, now or when its last user is gone."""
    detach = 2
    _check(_libc.umount2(target.encode(), detach), f"umount {target}")


def pivot_root(new: str, old: str) -> None:
    """Make ``new`` the root, and put the old root at ``old``."""
    call("pivot_root", new.encode(), old.encode())


def close_from(first: int) -> None:
    """Close all descriptors from ``first`` on."""
    _check(
        _libc.syscall(ctypes.c_long(number("close_range")), first, ctypes.c_uint(0xFFFFFFFF), 0),
        "close_range",
    )


def clone_tree(path: str) -> int:
    """Return a descriptor of a detached copy of the mount tree at ``path``."""
    flags = _OPEN_TREE_CLONE | os.O_CLOEXEC | _AT_RECURSIVE
    return call("open_tree", AT_FDCWD, os.fsencode(path), flags)


def attach_tree(tree: int, target: str) -> None:
    """Mount what ``clone_tree`` returned."""
    call("move_mount", tree, b"", AT_FDCWD, os.fsencode(target), _MOVE_FROM_EMPTY_PATH)


def restrict_tree(tree: int, flags: int) -> None:
    """Set ``flags`` on a detached tree and on what is mounted in it."""
    attributes = struct.pack("QQQQ", flags, 0, 0, 0)
    call("mount_setattr", tree, b"", _AT_EMPTY_PATH | _AT_RECURSIVE, attributes, len(attributes))


def shift_tree(tree: int, owners: int) -> bool:
    """Shift the owners in a detached tree as the user namespace ``owners`` says; return whether this can be done."""
    attributes = struct.pack("QQQQ", _MOUNT_IDMAP, 0, 0, owners)
    try:
        call("mount_setattr", tree, b"", _AT_EMPTY_PATH, attributes, len(attributes))
    except OSError as error:
        if error.errno in (errno.EINVAL, errno.EPERM, errno.EOPNOTSUPP):
            return False
        raise
    return True


def open_beneath(folder: int, path: str, flags: int, mode: int = 0) -> int:
    """Return a descriptor of ``path`` under ``folder``, with no link followed on the way.

    Raises:
        OSError: ELOOP for a link, EXDEV for a way out.
    """
    resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS
    how = struct.pack("QQQ", flags | os.O_CLOEXEC, mode, resolve)
    return call("openat2", folder, os.fsencode(path), how, len(how))
