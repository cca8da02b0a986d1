"""Where tests run: in forks of a warm isolated interpreter, or as commands in a sandbox of any runtime."""

from __future__ import annotations

import atexit
import json
import os
import threading
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, Protocol

from rlvr_gym.runtimes.base import Limits, Result, Sandbox
from rlvr_gym.runtimes.local import Local
from rlvr_gym.runtimes.zygote import Zygote

_INSIDE = Path(__file__).parent / "inside"
_MOUNTED = "/opt/code"
_PACKAGE = "code_inside"
_IMPORTS = (
    *(
        "bisect",
        "collections",
        "ctypes",
        "dataclasses",
        "datetime",
        "fractions",
        "functools",
        "heapq",
        "itertools",
    ),
    *("json", "math", "operator", "random", "re", "socket", "statistics", "string", "subprocess", "typing"),
)
"""What candidates and judges import most."""
ZYGOTE: Mapping[str, Any] = {
    "imports": (*_IMPORTS, f"{_PACKAGE}.main", f"{_PACKAGE}.quitters"),
    "read_only": {_INSIDE: f"{_MOUNTED}/{_PACKAGE}"},
    "path": (_MOUNTED,),
}
"""What a zygote for tests is made with."""
_HARNESS = f"import json\nfrom {_PACKAGE}.main import main\nmain(json.loads(program), send)\n"
# Runs in the sandbox; what it executes is the text of our own modules.
_BOOT = f"""
import json, os, sys, types
job = json.loads(sys.stdin.buffer.read())
sys.modules["{_PACKAGE}"] = types.ModuleType("{_PACKAGE}")
for name, text in job["sources"].items():
    module = sys.modules["{_PACKAGE}." + name] = types.ModuleType("{_PACKAGE}." + name)
    module.__package__ = "{_PACKAGE}"
    exec(compile(text, name, "exec"), module.__dict__)
channel = os.dup(1)
def send(data):
    while data:
        data = data[os.write(channel, data):]
sys.modules["{_PACKAGE}.main"].main(job, send)
"""
"""Starts the same code in a new interpreter, which is sent the text of the modules."""


class Runner(Protocol):
    """Runs one test."""

    def report(self, job: dict[str, Any], limits: Limits) -> Result:
        """Return what became of a job of ``inside.main``; its line is in ``Result.channel``.

        Raises:
            SandboxLostError: the sandbox is gone.
        """
        ...

    def program(self, code: str, stdin: str, limits: Limits) -> Result:
        """Return what became of code that was run as a program.

        Raises:
            SandboxLostError: the sandbox is gone.
        """
        ...


class ZygoteRunner:
    """Runs every test in a sandbox of its own.

    Args:
        zygote: Made with ``ZYGOTE``.
    """

    def __init__(self, zygote: Zygote) -> None:
        self._zygote = zygote

    def report(self, job: dict[str, Any], limits: Limits) -> Result:
        """Return what became of a job, done in a fork of an interpreter that has the modules loaded."""
        if job["mode"] == "check":
            job = {**job, "boot": _BOOT, "sources": _sources()}
        return self._zygote.call(_HARNESS, program=json.dumps(job).encode(), limits=limits)

    def program(self, code: str, stdin: str, limits: Limits) -> Result:
        """Return what became of code that was run as a program."""
        return self._zygote.run(code, stdin=stdin.encode(), limits=limits)


class SandboxRunner:
    """Runs every test as a command of its own in one sandbox, with the sandbox's limits."""

    def __init__(self, sandbox: Sandbox) -> None:
        self._sandbox = sandbox

    def report(self, job: dict[str, Any], limits: Limits) -> Result:
        """Return what became of a job, done in a new interpreter; stdout is its channel."""
        job = {**job, "boot": _BOOT, "sources": _sources()}
        argv = ["python3", "-I", "-S", "-c", _BOOT]
        result = self._sandbox.exec(argv, stdin=json.dumps(job).encode(), wall_s=limits.wall_s)
        return Result(
            result.end, result.code, b"", result.stderr, result.seconds, result.detail, channel=result.stdout
        )

    def program(self, code: str, stdin: str, limits: Limits) -> Result:
        """Return what became of code that was run as a program."""
        self._sandbox.write("/workspace/solution.py", code.encode())
        argv = ["python3", "-I", "/workspace/solution.py"]
        return self._sandbox.exec(argv, stdin=stdin.encode(), wall_s=limits.wall_s)


@cache
def _sources() -> dict[str, str]:
    return {
        name: (_INSIDE / f"{name}.py").read_text(encoding="utf-8")
        for name in ("plain", "peers", "main", "quitters")
    }


class _Shared:
    """The zygotes of this process, started when they are first needed. A fork of this process starts its own."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._zygotes: dict[Local, Zygote] = {}
        self._of_parent: list[Zygote] = []
        os.register_at_fork(after_in_child=self._forget)
        atexit.register(self.close)

    def get(self, local: Local) -> Zygote:
        with self._lock:
            if local not in self._zygotes:
                self._zygotes[local] = Zygote(**ZYGOTE, runtime=local)
            return self._zygotes[local]

    def close(self) -> None:
        with self._lock:
            for zygote in self._zygotes.values():
                zygote.close()
            self._zygotes.clear()

    def _forget(self) -> None:
        self._lock = threading.Lock()
        # Kept, not dropped: to end them is for the process that started them.
        self._of_parent += self._zygotes.values()
        self._zygotes = {}


_shared = _Shared()


def shared_zygote(local: Local) -> Zygote:
    """Return the zygote of this process for these settings of the runtime ``local``.

    Raises:
        UnavailableError: this machine cannot isolate; the message says what is missing.
    """
    return _shared.get(local)
