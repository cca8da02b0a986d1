r"""Warm interpreters inside isolation: each run is a fork of one, with namespaces, limits and a user of its own.

A worker imports ``imports`` once, inside its own isolated root, and forks for each run. What is in its memory a run
can read: give it no expected answers before the run that must not see them.

Example (needs root or user namespaces)::

    with Zygote(imports=("math", "collections")) as zygote:
        result = zygote.run(b"print(input())", stdin=b"hello")      # Result(end=EXITED, code=0, stdout=b"hello\n")
        result = zygote.call(HARNESS, program=b"def f(x): return x + 1", payload=b"41")
        result.channel                                              # bytes that HARNESS sent with send()
"""

from __future__ import annotations

import os
import queue
from collections.abc import Mapping, Sequence
from pathlib import Path

from rlvr_gym.runtimes import launch
from rlvr_gym.runtimes.base import End, Limits, Result, SandboxLostError, Spec, UnavailableError
from rlvr_gym.runtimes.local import Local, LocalRuntime, result

_GRACE_S = 30.0


class Zygote:
    """Runs many small Python programs, each in a fork of a warm isolated interpreter. Safe to call from any thread.

    Args:
        imports: Modules that a worker imports before it forks.
        workers: Interpreters, each of which runs one program at a time; the number of processors by default.
        read_only: Further host folders, and where they appear, read-only.
        path: Folders as they appear inside, put on ``sys.path``.
        limits: What one run may use, unless it says otherwise.
        runtime: Settings of the runtime ``local``.

    Raises:
        UnavailableError: this machine cannot isolate; the message says what is missing.
    """

    def __init__(
        self,
        *,
        imports: Sequence[str] = (),
        workers: int = 0,
        read_only: Mapping[Path, str] | None = None,
        path: Sequence[str] = (),
        limits: Limits | None = None,
        runtime: Local | None = None,
    ) -> None:
        local = LocalRuntime(runtime)
        if lines := local.missing():
            raise UnavailableError(f"A zygote cannot isolate here. Missing: {'; '.join(lines)}.")
        self._limits = limits or Limits()
        spec = Spec(limits=self._limits, read_only=dict(read_only or {}))
        self._plan = launch.plan("zygote", local.tier, spec, imports=tuple(imports), path=tuple(path))
        self._idle: queue.LifoQueue[launch.Connection | None] = queue.LifoQueue()
        self._closed = False
        self._workers: set[launch.Connection] = set()
        try:
            for _ in range(workers or os.cpu_count() or 1):
                self._idle.put(self._start())
        except BaseException:
            self.close()
            raise

    def _start(self) -> launch.Connection:
        worker = launch.Connection(self._plan)
        self._workers.add(worker)
        return worker

    def run(
        self,
        program: str | bytes,
        *,
        stdin: bytes = b"",
        argv: Sequence[str] = (),
        files: Mapping[str, bytes] | None = None,
        limits: Limits | None = None,
    ) -> Result:
        """Return what became of ``program``, run as ``__main__`` in a ``/workspace`` that holds only ``files``.

        Raises:
            SandboxLostError: the zygote is closed.
            UnavailableError: its worker was lost before, and cannot be started again.
        """
        return self._request(None, _bytes(program), b"", stdin, argv, files, limits)

    def call(
        self,
        harness: str | bytes,
        *,
        program: str | bytes = b"",
        payload: bytes = b"",
        stdin: bytes = b"",
        files: Mapping[str, bytes] | None = None,
        limits: Limits | None = None,
    ) -> Result:
        """Return what became of ``harness``, trusted code that handles the untrusted ``program``.

        The harness runs as ``__main__`` with three names: ``program`` (bytes), ``payload`` (bytes), and
        ``send(data: bytes)``, which writes to a private pipe; what arrived there is ``Result.channel``, whatever the
        end was. The pipe is not stdout and has no path, and programs started by exec do not inherit it, but code that
        the harness runs *in this process* can find it: put a nonce into the payload and drop it before such code
        runs, or compare values outside, where the process cannot reach. ``Result.channel`` counts as output.
        """
        return self._request(payload, _bytes(harness), _bytes(program), stdin, (), files, limits)

    def _request(
        self,
        payload: bytes | None,
        program: bytes,
        untrusted: bytes,
        stdin: bytes,
        argv: Sequence[str],
        files: Mapping[str, bytes] | None,
        limits: Limits | None,
    ) -> Result:
        limits = limits or self._limits
        files = files or {}
        parts = [stdin, program, untrusted, payload or b"", *files.values()]
        message = {
            "argv": list(argv),
            "files": list(files),
            "harness": payload is not None,
            "sizes": [len(part) for part in parts],
            "limits": launch.travelling(limits),
        }
        worker = self._idle.get()
        try:
            if self._closed:
                raise SandboxLostError("The zygote is closed.")
            # A worker that was lost is replaced when it is next needed.
            worker = worker or self._start()
            answer, body = worker.request(message, b"".join(parts), timeout_s=limits.wall_s + _GRACE_S)
        except SandboxLostError as error:
            if self._closed:
                raise
            return Result(End.LOST, None, b"", b"", 0.0, str(error))
        finally:
            if worker and worker.closed:
                self._workers.discard(worker)
                worker = None
            self._idle.put(worker)
        return result(answer, body)

    def close(self) -> None:
        """End all workers and everything in them. Calling it again does nothing."""
        self._closed = True
        for worker in list(self._workers):
            worker.close()
        self._workers.clear()

    def __enter__(self) -> Zygote:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _bytes(text: str | bytes) -> bytes:
    return text.encode() if isinstance(text, str) else text
