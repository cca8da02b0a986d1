"""Bytes kept apart from the interpreter's memory, so that nothing of them is left when they are thrown away.

A zygote forks for every run, and what a run can read of its own memory is a copy of the zygote's: with ordinary objects,
freed but not overwritten, that would be the programs, inputs and outputs of earlier runs.
"""

from __future__ import annotations

import mmap
import os
import socket


class Spool:
    """Room for ``size`` bytes, filled from its start."""

    def __init__(self, size: int) -> None:
        self._map = mmap.mmap(-1, max(size, 1), flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
        self._used = 0

    def __len__(self) -> int:
        return self._used

    def read(self, fd: int, most: int) -> int:
        """Read what ``fd`` has, at most so much, without keeping it; return how much it was, 0 at the end."""
        with memoryview(self._map) as whole, whole[self._used : self._used + most] as part:
            return os.readv(fd, [part])

    def receive(self, source: socket.socket, most: int) -> int:
        """Receive at most so many bytes and keep them; return how many it were, 0 at the end."""
        with memoryview(self._map) as whole, whole[self._used : self._used + most] as part:
            got = source.recv_into(part)
        self._used += got
        return got

    def keep(self, count: int) -> None:
        """Keep the next ``count`` of the bytes that were read."""
        self._used += count

    def send(self, to: socket.socket) -> None:
        """Send all that is kept."""
        with memoryview(self._map) as whole, whole[: self._used] as part:
            to.sendall(part)

    def copy(self, start: int, end: int) -> bytes:
        """Return a part as an ordinary object, for a process that may hold one."""
        return self._map[start:end]

    def part(self, start: int, end: int) -> memoryview:
        """Return a view of a part, which has to be gone when this is closed."""
        return memoryview(self._map)[start:end]

    def close(self) -> None:
        """Throw it away."""
        self._map.close()
