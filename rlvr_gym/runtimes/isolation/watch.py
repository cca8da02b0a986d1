"""Runs a child to its end: collects what it writes, and kills it at its limits."""

from __future__ import annotations

import contextlib
import os
import select
import signal
import socket
import time
from collections.abc import Callable, Mapping
from typing import NamedTuple, Protocol

from .settings import Limits
from .spool import Spool

_TICK_S = 0.05
_CHUNK = 1 << 16


class CallerGoneError(Exception):
    """The control socket has closed: nobody waits for the result, and the sandbox has to end."""


class Meter(Protocol):
    """What a command uses."""

    def exceeded(self) -> str:
        """Return ``memory`` or ``cpu`` when the command is over that limit, else nothing."""
        ...


class Outcome(NamedTuple):
    """What became of a child; ``end`` is a value of ``rlvr_gym.runtimes.base.End``."""

    end: str
    code: int | None
    detail: str
    seconds: float
    outputs: dict[str, bytes]
    """What it wrote; empty where it was left in the spools."""


class Reaper:
    """Wakes this process when a child ends: it is pid 1, and gets every orphan of the sandbox too."""

    def __init__(self) -> None:
        self.wake, self._bell = os.pipe2(os.O_CLOEXEC | os.O_NONBLOCK)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.set_wakeup_fd(self._bell, warn_on_full_buffer=False)

    def reap(self, child: int) -> int | None:
        """Bury all that have ended; return the wait status of ``child`` when it is among them."""
        with contextlib.suppress(BlockingIOError):
            os.read(self.wake, _CHUNK)
        status = None
        while True:
            try:
                pid, ended = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                return status
            if not pid:
                return status
            if pid == child:
                status = ended


class Watch:
    """Watches one child.

    Args:
        child: Its pid.
        pipes: Read ends of its pipes, by name; they are closed in the end.
        kill: Sends a signal that ends the child and all that it started; called with whether the child has ended.
        control: Socket to the caller, watched for its going away.
    """

    def __init__(
        self,
        child: int,
        pipes: Mapping[str, int],
        kill: Callable[[bool], None],
        control: socket.socket,
        reaper: Reaper,
    ) -> None:
        self._child = child
        self._kill = kill
        self._control = control
        self._reaper = reaper
        self._open = {fd: name for name, fd in pipes.items()}
        self.spools: dict[str, Spool] = {}
        """What the child wrote, by the names of the pipes."""
        self._room = 0
        for fd in self._open:
            os.set_blocking(fd, False)

    def run(self, limits: Limits, meter: Meter, wall_s: float, *, apart: bool = False) -> Outcome:
        """Return what became of the child; when this returns, it and all that it started have ended.

        Args:
            limits: What it may use.
            meter: What it uses.
            wall_s: Its time by the clock.
            apart: Leave what it wrote in ``spools``, which the caller then has to close.

        Raises:
            CallerGoneError: the caller went away.
        """
        self._room = limits.output_bytes
        self.spools = {name: Spool(self._room + _CHUNK) for name in self._open.values()}
        start = time.monotonic()
        stopped, status = self._until_end(start + wall_s, meter)
        self._kill(status is not None)
        status = self._bury(status)
        self._drain()
        seconds = time.monotonic() - start
        code = os.waitstatus_to_exitcode(status)
        if self._room < 0:
            stopped = stopped or "output"
        if not stopped and ((over := meter.exceeded()) == "memory" or (over and code == -signal.SIGKILL)):
            stopped = over
        end = {"": "exited", "wall": "timeout", "cpu": "timeout"}.get(stopped, stopped)
        detail = {"wall": f"{wall_s:g} s of wall-clock time", "cpu": f"{limits.cpu_s:g} s of CPU time"}.get(
            stopped, ""
        )
        return Outcome(end, None if stopped else code, detail, seconds, {} if apart else self._outputs())

    def _until_end(self, deadline: float, meter: Meter) -> tuple[str, int | None]:
        """Return why the child has to be killed, or its wait status when it ended by itself."""
        poller = select.poll()
        for fd in self._open:
            poller.register(fd, select.POLLIN)
        poller.register(self._reaper.wake, select.POLLIN)
        poller.register(self._control, 0)  # hang-up is always reported
        status = self._reaper.reap(self._child)
        checked = time.monotonic()
        while status is None:
            now = time.monotonic()
            if now >= deadline:
                return "wall", None
            for fd, events in poller.poll(max(1.0, min(_TICK_S, deadline - now) * 1000)):
                if fd in self._open:
                    if not self._read(fd):
                        poller.unregister(fd)
                elif fd == self._reaper.wake:
                    status = self._reaper.reap(self._child)
                elif events:
                    raise CallerGoneError
            if self._room < 0:
                return "output", status
            if status is None and now - checked >= _TICK_S:
                checked = now
                if over := meter.exceeded():
                    return over, None
        return "", status

    def _read(self, fd: int) -> bool:
        """Take what a pipe holds; return whether more may come."""
        try:
            got = self.spools[self._open[fd]].read(fd, _CHUNK)
        except BlockingIOError:
            return True
        if not got:
            del self._open[fd]
            os.close(fd)
            return False
        if self._room > 0:
            self.spools[self._open[fd]].keep(min(got, self._room))
        self._room -= got
        return True

    def _outputs(self) -> dict[str, bytes]:
        found = {name: spool.copy(0, len(spool)) for name, spool in self.spools.items()}
        for spool in self.spools.values():
            spool.close()
        return found

    def _bury(self, status: int | None) -> int:
        """Wait for all children, orphans too, and return the watched child's status."""
        while True:
            try:
                pid, ended = os.waitpid(-1, 0)
            except ChildProcessError:
                break
            if pid == self._child:
                status = ended
        assert status is not None
        return status

    def _drain(self) -> None:
        # All writers are dead, so each pipe gives what it holds and then its end.
        for fd in list(self._open):
            while self._room >= 0 and self._read(fd):
                pass
        for fd in self._open:
            os.close(fd)
        self._open = {}
