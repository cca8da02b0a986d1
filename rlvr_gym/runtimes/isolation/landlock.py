"""Landlock: a process gives up the file system but for some folders, TCP, and signals to processes outside."""

from __future__ import annotations

import os
import stat
import struct
from collections.abc import Iterable

from .syscalls import call

OLDEST_ABI = 6
"""The first that keeps signals and abstract sockets inside (Linux 6.12)."""

_VERSION = 1
_RULE_PATH_BENEATH = 1
_EXECUTE, _WRITE_FILE, _READ_FILE, _READ_DIR = 1, 2, 4, 8
_TRUNCATE, _IOCTL_DEV = 1 << 14, 1 << 15
_ALL_FILES = (1 << 16) - 1
_READ = _EXECUTE | _READ_FILE | _READ_DIR
_OF_A_FILE = _EXECUTE | _WRITE_FILE | _READ_FILE | _TRUNCATE | _IOCTL_DEV
_TCP_BIND_AND_CONNECT = 3
_ABSTRACT_SOCKETS_AND_SIGNALS = 3


def abi() -> int:
    """Return the version that the kernel speaks, 0 for none."""
    try:
        return call("landlock_create_ruleset", 0, 0, _VERSION)
    except OSError:
        return 0


class Ruleset:
    """What stays allowed. Made once, and put on each command."""

    def __init__(self, readable: Iterable[str], writable: Iterable[str]) -> None:
        attributes = struct.pack("QQQ", _ALL_FILES, _TCP_BIND_AND_CONNECT, _ABSTRACT_SOCKETS_AND_SIGNALS)
        self._fd = call("landlock_create_ruleset", attributes, len(attributes), 0)
        for path in readable:
            self._allow(path, _READ)
        for path in writable:
            self._allow(path, _ALL_FILES & ~_IOCTL_DEV)

    def _allow(self, path: str, rights: int) -> None:
        try:
            fd = os.open(path, os.O_PATH | os.O_CLOEXEC)
        except FileNotFoundError:
            return  # not every machine has every folder
        if not stat.S_ISDIR(os.fstat(fd).st_mode):
            rights &= _OF_A_FILE
        call("landlock_add_rule", self._fd, _RULE_PATH_BENEATH, struct.pack("=Qi", rights, fd), 0)
        os.close(fd)

    def enforce(self) -> None:
        """Put the rules on this process, for good."""
        call("landlock_restrict_self", self._fd, 0)
