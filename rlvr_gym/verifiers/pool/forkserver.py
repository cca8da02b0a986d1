"""A small process that forks workers, keeps their exit statuses and takes them along when the parent dies.

It is started fresh, so that it holds none of the parent's threads, locks or memory, has imported what
judges need, and never runs a judge. A new worker is one fork away. It is the one process that waits for
workers: a dead worker stays unreaped until the parent has said that it knows, so that a process id never
names another process.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import json
import os
import select
import signal
import socket
import sys
import traceback
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rlvr_gym.verifiers.pool import wire, worker

CONTROL = 3
"""Descriptor of the parent's messages."""
HEAD = 4
"""Bytes of a message's length."""
_SECOND_MS = 1000


def main() -> None:
    """Serve the parent until it is gone, then end every worker."""
    settings = json.loads(sys.argv[1])
    for fd in [int(entry.name) for entry in Path("/dev/fd").iterdir()]:
        # Whatever the parent had made inheritable; the listing's own descriptor is closed already.
        if fd > CONTROL:
            with contextlib.suppress(OSError):
                os.close(fd)
    server = ForkServer(
        socket.socket(fileno=CONTROL), settings["parent"], worker.Limits(**settings["limits"])
    )
    try:
        # The parent may end in the middle of a message.
        with contextlib.suppress(EOFError):
            server.serve()
    finally:
        server.end_all()


@dataclass(slots=True)
class Child:
    """A worker that has not been reaped."""

    pid: int
    link: socket.socket
    """Held open to tell the parent of the worker's end."""
    died: bool = False
    known: bool = False
    """The parent is done with it."""


@dataclass(slots=True)
class ForkServer:
    """The fork server's state.

    Args:
        control: Socket of the parent's messages.
        parent: Process id of the parent.
        limits: Limits of every worker.
    """

    control: socket.socket
    parent: int
    limits: worker.Limits
    children: dict[int, Child] = field(default_factory=dict)
    wake: tuple[int, int] = field(default_factory=os.pipe)
    """Pipe that a worker's death makes readable."""

    def serve(self) -> None:
        """Handle messages and deaths until the parent is gone."""
        poll = select.poll()
        poll.register(self.control, select.POLLIN)
        wake, tell = self.wake
        os.set_blocking(tell, False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        signal.set_wakeup_fd(tell, warn_on_full_buffer=False)
        poll.register(wake, select.POLLIN)
        while os.getppid() == self.parent:
            # The parent's end closes the socket, unless a process that it forked still holds a copy.
            for fd, _ in poll.poll(_SECOND_MS):
                if fd == wake:
                    os.read(wake, 4096)
                    self._notice()
                elif not self._handle():
                    return

    def _handle(self) -> bool:
        head, fds, _, _ = socket.recv_fds(self.control, HEAD, 2)
        if len(head) < HEAD:
            return False
        message = json.loads(self._read(int.from_bytes(head, "big")))
        if message["do"] == "start":
            self._start(message, fds)
        elif message["do"] == "end":
            self._end(message["number"])
        else:
            self._preload(message["modules"])
        return True

    def _read(self, size: int) -> bytes:
        data = b""
        while len(data) < size:
            piece = self.control.recv(size - len(data))
            if not piece:
                raise EOFError("the parent ended in the middle of a message")
            data += piece
        return data

    def _preload(self, modules: list[str]) -> None:
        for name in modules:
            try:
                importlib.import_module(name)
            except Exception as error:
                # A worker meets the same error where there is a caller to report it to.
                sys.stderr.write(f"verifier pool: {name}: {error}\n")

    def _start(self, message: dict[str, Any], fds: list[int]) -> None:
        link, output = socket.socket(fileno=fds[0]), fds[1]
        references = [text.encode() for text in message["references"]]
        # Without this the first collection of each worker would copy every page it shares with the others.
        gc.freeze()
        server = os.getpid()
        try:
            pid = os.fork()
        except OSError as error:
            # The machine has no room for a process; the caller sees that its worker is lost.
            sys.stderr.write(f"verifier pool: {error}\n")
            link.close()
            os.close(output)
            return
        if pid == 0:
            try:
                signal.set_wakeup_fd(-1)
                signal.signal(signal.SIGCHLD, signal.SIG_DFL)
                for fd in self.wake:
                    os.close(fd)
                self.control.close()
                for child in self.children.values():
                    child.link.close()
                worker.settle(self.limits, server, output)
                worker.serve(link, references)
                os._exit(0)
            except BaseException:
                traceback.print_exc()
            finally:
                os._exit(1)
        os.close(output)
        self.children[message["number"]] = Child(pid, link)

    def _end(self, number: int) -> None:
        child = self.children.get(number)
        if child is None:
            return
        child.known = True
        self._kill(child)
        if child.died:
            self._reap(number)

    def _notice(self) -> None:
        """Tell the parent of workers that have died; it may be waiting for their answer."""
        for number, child in list(self.children.items()):
            flags = os.WEXITED | os.WNOHANG | os.WNOWAIT
            if child.died or (end := os.waitid(os.P_PID, child.pid, flags)) is None:
                continue
            child.died = True
            if child.known:
                self._reap(number)
                continue
            status = end.si_status if end.si_code == os.CLD_EXITED else -end.si_status
            try:
                child.link.setblocking(False)
                child.link.send(wire.frame(wire.DIED, str(status).encode()), wire.NO_SIGPIPE)
            except OSError:
                # The parent has closed its side: it has stopped listening to this worker.
                continue

    def _kill(self, child: Child) -> None:
        for kill in (os.kill, os.killpg):
            try:
                # Both: the group is there once the worker has made itself its leader.
                kill(child.pid, signal.SIGKILL)
            except ProcessLookupError:
                continue

    def _reap(self, number: int) -> None:
        child = self.children.pop(number)
        child.link.close()
        # What the worker started itself may have outlived it; unreaped, its id still names its group.
        self._kill(child)
        os.waitpid(child.pid, 0)

    def end_all(self) -> None:
        """Kill and reap every worker."""
        for number, child in list(self.children.items()):
            self._kill(child)
            self._reap(number)
