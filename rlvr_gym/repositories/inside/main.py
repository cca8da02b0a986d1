"""The judge's process: ``python -s -S -B main.py``, with the work on its standard input.

Untrusted code runs in the worker only, which has neither this process's standard streams nor the nonce: that is read when
the worker has started, and marks each line of what is answered.
"""

from __future__ import annotations

import ctypes
import errno
import json
import os
import select
import signal
import sys
import time
from typing import Any

_TAIL = 20_000
"""Bytes of the output that are kept."""
_MOST = 32 << 20
"""Bytes that the worker may say."""
_LINGER_S = 0.2
"""How long what is left in the pipes is read when the worker is gone."""
_DUMPABLE = 4
FULL = 28
"""Exit code where the files do not fit the disk."""


def main() -> None:
    """Do the work that standard input asks for."""
    job = json.loads(_line())
    try:
        for path in job["deleted"]:
            _delete(path)
        for path, size in job["files"]:
            _write(path, _exactly(size))
    except OSError as error:
        if error.errno not in (errno.ENOSPC, errno.EFBIG):
            raise
        sys.exit(FULL)
    watched = {path: _state(path) for path in job["watched"]}
    events, theirs = os.pipe()
    output, printed = os.pipe()
    # From here on no process of this user may look into this one, or take its descriptors.
    libc = ctypes.CDLL(None)
    libc.prctl(_DUMPABLE, 0, 0, 0, 0)
    token = os.urandom(16).hex()
    worker = os.fork()
    if not worker:
        try:
            libc.prctl(_DUMPABLE, 1, 0, 0, 0)
            _begin_worker(job, token, theirs, printed)
        except BaseException:
            # Told on stderr; that no results came is what counts.
            sys.excepthook(*sys.exc_info())
            sys.stderr.flush()
        finally:
            os._exit(70)
    os.close(theirs)
    os.close(printed)
    nonce = _exactly(32).decode()
    listener = Listener(token, nonce)
    listener.answer({"ready": True})
    tail = _follow(worker, events, output, listener)
    if any(_state(path) != state for path, state in watched.items()):
        listener.faults.append("files of the tests were changed while they ran")
    text = tail[-_TAIL:].decode("utf-8", "replace")
    listener.answer(
        {
            "started": listener.started,
            "ended": listener.ended is not None,
            "faults": listener.faults,
            "output": text,
        }
    )


def _exactly(size: int) -> bytes:
    parts = []
    while size:
        part = os.read(0, min(size, 1 << 20))
        if not part:
            raise EOFError("the work ends early")
        parts.append(part)
        size -= len(part)
    return b"".join(parts)


def _line() -> bytes:
    return _exactly(int(_exactly(12)))


def _delete(path: str) -> None:
    os.unlink(path)
    folder = os.path.dirname(path)
    while folder and not os.listdir(folder):
        os.rmdir(folder)
        folder = os.path.dirname(folder)


def _write(path: str, content: bytes) -> None:
    if os.path.dirname(path):
        os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "wb") as file:
        file.write(content)


def _state(path: str) -> tuple[int, ...]:
    """Return what changes with a file, whatever is put back afterwards: nobody can set the time of its last change."""
    try:
        found = os.lstat(path)
    except OSError:
        return ()
    return found.st_ino, found.st_size, found.st_mode, found.st_ctime_ns


def _begin_worker(job: dict[str, Any], token: str, events: int, printed: int) -> None:
    null = os.open(os.devnull, os.O_RDONLY)
    for source, target in ((null, 0), (printed, 1), (printed, 2)):
        os.dup2(source, target)
    # Where it lies tells nothing, and programs that tests start do not get it.
    place = 20 + int(token[:4], 16) % 100
    os.dup2(events, place, inheritable=False)
    os.closerange(3, place)
    os.closerange(place + 1, 256)
    os.setpgid(0, 0)
    import worker  # type: ignore[import-not-found]  # beside this file, which is no package inside

    worker.work(job, token, place)


class Listener:
    """Takes down what the worker says, as long as it is complete and in order."""

    def __init__(self, token: str, nonce: str) -> None:
        self._token = token.encode()
        self._nonce = nonce
        self._rest = b""
        self._next = 0
        self._size = 0
        self._open = ""
        self.started = False
        """Whether pytest could be loaded. Nothing untrusted runs before."""
        self.ended: int | None = None
        """Exit code of pytest, None until its session is over."""
        self.faults: list[str] = []
        """What nobody but tampering code would do."""

    def answer(self, message: dict[str, Any]) -> None:
        """Tell the caller."""
        line = f"{self._nonce} {json.dumps(message)}\n".encode()
        while line:
            line = line[os.write(1, line) :]

    def take(self, data: bytes) -> None:
        """Take down a part of what the worker says."""
        self._size += len(data)
        if self._size > _MOST:
            self._fault("it said too much")
            return
        *lines, self._rest = (self._rest + data).split(b"\n")
        for line in lines:
            try:
                token, number, text = line.split(b" ", 2)
                if token != self._token or int(number) != self._next:
                    raise ValueError("out of order")
                self._event(json.loads(text))
            except (ValueError, KeyError, TypeError):
                self._fault("the channel of the verdicts carries what the harness did not send")
            self._next += 1

    def _event(self, event: dict[str, Any]) -> None:
        kind = event["kind"]
        if kind == "start":
            self.started = True
        elif self.ended is not None:
            self._fault("something was said after the end")
        elif kind == "begin":
            if self._open:
                self._fault("a test began in another")
            self._open = event["id"]
        elif kind == "test":
            if self._open != event["id"]:
                self._fault("a test ended that had not begun")
            self._open = ""
            self.answer({"id": str(event["id"]), "phases": dict(event["phases"])})
        elif kind == "collection":
            self.answer({"id": str(event["id"]), "phases": {"collection": "failed"}})
        elif kind == "fault":
            self._fault(str(event["what"])[:500])
        elif kind == "end":
            if self._open:
                self._fault("the end came in a test")
            self.ended = int(event["code"])
        else:
            self._fault("the channel of the verdicts carries what the harness did not send")

    def _fault(self, what: str) -> None:
        if what not in self.faults and len(self.faults) < 20:
            self.faults.append(what)


def _follow(worker: int, events: int, output: int, listener: Listener) -> bytes:
    """Listen until the worker is gone; return the end of what it printed."""
    tail = b""
    gone = os.pidfd_open(worker)
    sources = {events, output, gone}
    until = None
    while sources & {events, output}:
        wait = None if until is None else max(until - time.monotonic(), 0)
        ready, _, _ = select.select(sources, [], [], wait)
        if gone in ready:
            # What it started may hold the pipes open for ever.
            os.killpg(worker, signal.SIGKILL)
            sources.discard(gone)
            until = time.monotonic() + _LINGER_S
        for fd in ready:
            if fd == gone:
                continue
            data = os.read(fd, 1 << 16)
            if not data:
                sources.discard(fd)
            elif fd == events:
                listener.take(data)
            else:
                tail = (tail + data)[-2 * _TAIL :]
        if until is not None and time.monotonic() >= until:
            break
    return tail


if __name__ == "__main__":
    # The folder of this file: the interpreter put it first.
    sys.path[:] = [os.path.dirname(os.path.abspath(__file__)), *sys.path[1:]]
    main()
