"""The parent's side of the fork server and of one worker."""

from __future__ import annotations

import contextlib
import fcntl
import itertools
import json
import os
import select
import signal
import socket
import sys
import threading
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from rlvr_gym.verifiers.pool import wire
from rlvr_gym.verifiers.pool.forkserver import CONTROL, HEAD
from rlvr_gym.verifiers.pool.reference import search_path
from rlvr_gym.verifiers.pool.worker import Limits

_BOOT = "import sys; sys.path[:] = sys.argv[2:]; from rlvr_gym.verifiers.pool.forkserver import main; main()"
_ENVIRONMENT = {
    # sympy would pick whatever integer type is installed, and some cannot be interrupted or differ in results.
    "SYMPY_GROUND_TYPES": "python",
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    # One order of sets in every worker: the same input gives the same verdict.
    "PYTHONHASHSEED": "0",
}
_TAIL = 4096
"""Bytes that are kept of what a worker prints."""
_PIECE = 1 << 18
_CLOSE_S = 5.0


class Lost(Exception):
    """The worker is gone or no longer makes sense; its caller may try another."""


class ForkServerHandle:
    """The fork server as the parent sees it, for use from any thread."""

    def __init__(self, limits: Limits) -> None:
        self._limits = limits
        self._control, self._pid = self._spawn()
        self._preloaded: set[str] = set()
        self._numbers = itertools.count(1)
        self._lock = threading.Lock()

    def _spawn(self) -> tuple[socket.socket, int]:
        settings = json.dumps({"parent": os.getpid(), "limits": asdict(self._limits)})
        with contextlib.ExitStack() as ours_only, contextlib.ExitStack() as both:
            null = os.open(os.devnull, os.O_RDWR)
            both.callback(os.close, null)
            ours, theirs = socket.socketpair()
            ours_only.callback(ours.close)
            both.callback(theirs.close)
            # Away from the low numbers, so that placing it in the child overwrites nothing still to be placed.
            high = fcntl.fcntl(theirs.fileno(), fcntl.F_DUPFD_CLOEXEC, 16)
            both.callback(os.close, high)
            pid = os.posix_spawn(
                sys.executable,
                # -P: a json.py in the working directory must not be taken for the library's.
                [sys.executable, "-P", "-c", _BOOT, settings, *search_path()],
                {**os.environ, **_ENVIRONMENT},
                file_actions=[
                    (os.POSIX_SPAWN_DUP2, null, 0),
                    (os.POSIX_SPAWN_DUP2, null, 1),
                    (os.POSIX_SPAWN_DUP2, high, CONTROL),
                ],
                # Not in the terminal's foreground group: an interrupt from the keyboard is the parent's affair.
                setsid=True,
                setsigmask=(),
            )
            ours.settimeout(_CLOSE_S)
            ours_only.pop_all()
        return ours, pid

    def preload(self, modules: Sequence[str]) -> None:
        """Import modules before any later worker is forked."""
        new = [name for name in modules if name not in self._preloaded]
        if new:
            self._preloaded.update(new)
            self._send({"do": "preload", "modules": new})

    def start(self, references: Sequence[bytes]) -> WorkerHandle:
        """Return a worker that is being forked; it can be sent a job at once.

        Raises:
            Lost: the fork server is gone.
            OSError: this process may open no more descriptors.
        """
        read, write = os.pipe()
        try:
            ours, theirs = socket.socketpair()
        except OSError:
            os.close(read)
            os.close(write)
            raise
        handle = WorkerHandle(self, next(self._numbers), ours, read)
        try:
            message = {
                "do": "start",
                "number": handle.number,
                "references": [data.decode() for data in references],
            }
            self._send(message, [theirs.fileno(), write])
        except Lost:
            handle.close()
            raise
        finally:
            theirs.close()
            os.close(write)
        return handle

    def end(self, number: int) -> None:
        """Have a worker killed and reaped."""
        # When the server is gone its workers are too.
        with contextlib.suppress(Lost):
            self._send({"do": "end", "number": number})

    def _send(self, message: dict[str, Any], fds: Sequence[int] = ()) -> None:
        body = json.dumps(message).encode()
        data = len(body).to_bytes(HEAD, "big") + body
        try:
            with self._lock:
                sent = socket.send_fds(self._control, [data], list(fds), wire.NO_SIGPIPE)
                self._control.sendall(data[sent:], wire.NO_SIGPIPE)
        except OSError as error:
            raise Lost(f"the fork server is gone: {error}") from None

    def forget(self) -> None:
        """Close this process's copies in a fork of the parent; the workers are not its own."""
        self._control.close()

    def close(self) -> None:
        """End the server and all workers, and wait until they are gone."""
        self._control.close()
        deadline = time.monotonic() + _CLOSE_S
        with contextlib.suppress(ChildProcessError):
            while os.waitpid(self._pid, os.WNOHANG) == (0, 0):
                if time.monotonic() > deadline:
                    # It hangs in an import. Its workers die with it.
                    os.kill(self._pid, signal.SIGKILL)
                    os.waitpid(self._pid, 0)
                    return
                time.sleep(0.001)


@dataclass(slots=True, eq=False)
class WorkerHandle:
    """One worker; used by one call at a time."""

    server: ForkServerHandle
    number: int
    link: socket.socket
    output: int
    """Descriptor of what it prints, on standard output and error."""
    pid: int | None = None
    """Known once the worker is up."""
    loaded: set[int] = field(default_factory=set)
    """Numbers of the functions it has imported."""
    jobs: int = 0
    heard: bool = False
    """Whether all it printed has been read."""
    tail: bytearray = field(default_factory=bytearray)
    poll: select.poll = field(default_factory=select.poll)

    def __post_init__(self) -> None:
        self.link.setblocking(False)
        os.set_blocking(self.output, False)
        self.poll.register(self.link, select.POLLIN)
        self.poll.register(self.output, select.POLLIN)

    def alive(self) -> bool:
        """Return false for an idle worker that has died or closed its link."""
        try:
            return self.link.recv(1, socket.MSG_PEEK) == wire.READY
        except BlockingIOError:
            return True
        except OSError:
            return False

    def send(self, data: memoryview) -> int:
        """Return how many bytes the worker's link took, 0 when it is full.

        Raises:
            Lost: the worker has closed it.
        """
        try:
            return self.link.send(data, wire.NO_SIGPIPE)
        except BlockingIOError:
            return 0
        except OSError as error:
            raise Lost(str(error)) from None

    def receive(self) -> bytes | None:
        """Return bytes of the worker's link, None when there are none yet, nothing at its end."""
        try:
            return self.link.recv(_PIECE)
        except BlockingIOError:
            return None
        except OSError:
            return b""

    def drain(self) -> None:
        """Read what the worker printed, so that it never waits for a reader."""
        try:
            data = os.read(self.output, _PIECE)
        except BlockingIOError:
            return
        self.tail += data
        del self.tail[:-_TAIL]
        if not data:
            self.heard = True
            self.poll.unregister(self.output)

    def message(self) -> str:
        """Return the end of what the worker printed, on one line."""
        if not self.heard:
            self.drain()
        return " ".join(self.tail.decode("utf-8", "replace").split())[-200:]

    def kill(self) -> None:
        """Kill the worker and all it started, at once."""
        if self.pid is not None:
            # It stays unreaped until the server hears of it, so the id is still its own.
            with contextlib.suppress(ProcessLookupError):
                os.killpg(self.pid, signal.SIGKILL)

    def close(self) -> None:
        """Close this process's ends."""
        self.link.close()
        os.close(self.output)
