"""The parent's side of the judging process: whatever the audited thing does, a question ends."""

from __future__ import annotations

import contextlib
import json
import os
import select
import signal
import subprocess
import sys
import tempfile
import time
from typing import IO

from rlvr_gym.errors import UsageError
from rlvr_gym.testing.audit.child import request
from rlvr_gym.testing.audit.target import Target
from rlvr_gym.types import Json
from rlvr_gym.verifiers.pool.reference import search_path

_BOOT = "import sys; sys.path[:] = sys.argv[2:]; from rlvr_gym.testing.audit.child import main; main()"
_START_S = 120.0
_PATIENCE = 3.0
"""A process that does not compute may be waiting for a busy machine, and is given so many times the limit."""
_LINE = 300


class Lost(Exception):
    """The judging process is gone, and what it was asked will not be answered."""

    def __init__(self, message: str, *, hung: bool) -> None:
        super().__init__(message)
        self.hung = hung


class Judging:
    """One judging process, started anew whenever it was lost.

    Args:
        target: What it judges with.
        hash_seed: ``PYTHONHASHSEED`` of the process, which orders its sets.
    """

    def __init__(self, target: Target, *, hash_seed: int = 0) -> None:
        self._target = target
        self._hash_seed = hash_seed
        self._process: subprocess.Popen[bytes] | None = None
        self._output: IO[bytes] | None = None
        self._replies = -1
        self._rest = b""
        self.examples: list[Json] = []

    def __enter__(self) -> Judging:
        return self

    def __exit__(self, *_: object) -> None:
        self.end()

    def ask(self, do: str, *, limit_s: float, **arguments: object) -> Json:
        """Return the answer to one request.

        Raises:
            Lost: the process computed for ``limit_s`` or did nothing for three times as long, or died.
            UsageError: the target cannot be opened.
        """
        self.start()
        return self._exchange(request(do, **arguments), limit_s)

    def start(self) -> None:
        """Start the process, if none runs.

        Raises:
            Lost: it died or hung while it imported the target.
            UsageError: the target cannot be opened.
        """
        if self._process is not None:
            return
        read, write = os.pipe()
        self._output = tempfile.TemporaryFile()  # noqa: SIM115 - as long as the process lives
        self._replies, self._rest = read, b""
        try:
            self._process = subprocess.Popen(
                # -P: a json.py in the working directory must not be taken for the library's.
                [sys.executable, "-P", "-c", _BOOT, str(write), *search_path()],
                stdin=subprocess.PIPE,
                stdout=self._output,
                stderr=self._output,
                pass_fds=[write],
                start_new_session=True,
                env={**os.environ, "PYTHONHASHSEED": str(self._hash_seed)},
            )
        finally:
            os.close(write)
        # Settings may hold paths, which are read from text again.
        target = json.dumps(self._target.to_dict(), default=str)
        opened = self._exchange(target.encode() + b"\n", _START_S)
        if "error" in opened:
            self.end()
            raise UsageError(opened["error"])
        self.examples = opened["examples"]

    def _exchange(self, line: bytes, limit_s: float) -> Json:
        process = self._process
        assert process is not None, "a process that was started"
        assert process.stdin is not None, "its input is a pipe"
        try:
            process.stdin.write(line)
            process.stdin.flush()
        except OSError:
            raise self._died() from None
        start, used = time.monotonic(), _cpu_s(process.pid)
        poll = select.poll()
        poll.register(self._replies, select.POLLIN)
        while b"\n" not in self._rest:
            waited = time.monotonic() - start
            rest = limit_s - waited
            if poll.poll(1000 * rest if rest > 0 else 50):
                piece = os.read(self._replies, 1 << 16)
                if not piece:
                    raise self._died()
                self._rest += piece
            elif waited >= limit_s:
                computed = _cpu_s(process.pid) - used
                if computed >= 0.9 * limit_s or waited >= _PATIENCE * limit_s:
                    self.end()
                    raise Lost(
                        f"no answer within {waited:.1f} s ({computed:.1f} s of them computing)", hung=True
                    )
        reply, self._rest = self._rest.split(b"\n", 1)
        return json.loads(reply)

    def _died(self) -> Lost:
        process, output = self._process, self._output
        assert process is not None, "it ran"
        assert output is not None, "it had an output"
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(timeout=5.0)
        status = process.returncode
        if status is None:
            how = "it closed its answers"
        elif status < 0:
            how = f"it died of {signal.Signals(-status).name}"
        else:
            how = f"it exited with status {status}"
        output.seek(0, os.SEEK_END)
        output.seek(max(0, output.tell() - 4 * _LINE))
        lines = output.read().decode("utf-8", "replace").strip().splitlines()
        self.end()
        return Lost(f"the process is gone: {how}" + (f" ({lines[-1][:_LINE]})" if lines else ""), hung=False)

    def end(self) -> None:
        """Kill the process with all that it started itself; a second call does nothing."""
        process = self._process
        if process is None:
            return
        if process.poll() is None:
            # It leads a group of its own.
            os.killpg(process.pid, signal.SIGKILL)
        assert process.stdin is not None, "its input is a pipe"
        with contextlib.suppress(OSError):
            process.stdin.close()
        process.wait()
        os.close(self._replies)
        if self._output is not None:
            self._output.close()
        self._process = None


def _cpu_s(pid: int) -> float:
    """Return the CPU time of a process so far; 0 for one that is gone."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:  # noqa: PTH123 - read often while waiting
            fields = file.read().rpartition(b")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
