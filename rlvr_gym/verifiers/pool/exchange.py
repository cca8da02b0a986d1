"""One call on one worker, without its waiting."""

from __future__ import annotations

import time

from rlvr_gym.verifiers.pool import wire
from rlvr_gym.verifiers.pool.process import Lost, WorkerHandle


class Exchange:
    """What has come back for one call: it is fed bytes and says until when to wait for more.

    Args:
        worker: The worker, whose job is about to be sent.
        function: Number of the function.
        timeout_s: Limit of the call, counted from when the worker is up and has imported the function.
        start_s: Limit of getting there.
    """

    def __init__(self, worker: WorkerHandle, function: int, timeout_s: float, start_s: float) -> None:
        self._worker = worker
        self._function = function
        self._timeout_s = timeout_s
        self._buffer = b""
        self.running = self._may_run()
        self._begun = time.monotonic()
        self.deadline = self._begun + (timeout_s if self.running else start_s)
        self.reply: tuple[bytes, bytes] | None = None
        """Kind and body, once they are here."""

    @property
    def seconds(self) -> float:
        """Time since the function began."""
        return time.monotonic() - self._begun

    @property
    def clean(self) -> bool:
        """Whether nothing but one reply has come."""
        return self.reply is not None and not self._buffer

    def _may_run(self) -> bool:
        return self._worker.pid is not None and self._function in self._worker.loaded

    def feed(self, data: bytes) -> None:
        """Take bytes of the worker's link.

        Raises:
            Lost: at the end of the stream or when the bytes make no sense.
        """
        if not data:
            raise Lost("the worker closed its link")
        self._buffer += data
        while len(self._buffer) >= wire.HEAD.size:
            kind, size = wire.HEAD.unpack_from(self._buffer)
            if size > wire.MAX_REPLY:
                raise Lost("the worker sent a reply that is no reply")
            end = wire.HEAD.size + size
            if len(self._buffer) < end:
                return
            body, self._buffer = self._buffer[wire.HEAD.size : end], self._buffer[end:]
            self._take(kind, body)

    def _take(self, kind: bytes, body: bytes) -> None:
        if kind == wire.READY:
            self._worker.pid = int(body)
        elif kind == wire.LOADED:
            self._worker.loaded.add(self._function)
        elif self.reply is not None:
            raise Lost("the worker answered twice")
        else:
            self.reply = kind, body
        if not self.running and self._may_run():
            self.running = True
            self._begun = time.monotonic()
            self.deadline = self._begun + self._timeout_s
