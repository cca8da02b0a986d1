"""The runtime ``local``: our own launcher, no container engine and no program that is not ours."""

from __future__ import annotations

import json
import os
import tempfile
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

from rlvr_gym.config import Config
from rlvr_gym.runtimes import launch
from rlvr_gym.runtimes.base import (
    RUNTIMES,
    End,
    Limits,
    Result,
    SandboxLostError,
    Spec,
    UnavailableError,
)
from rlvr_gym.runtimes.isolation import cgroups, checks, pod

Tier = Literal["root", "unprivileged", "landlock"]

_GRACE_S = 30.0
"""How much longer than a command's limit its server may be silent, on a machine under load."""
_ERRAND_S = 60.0


class Local(Config):
    """Settings of the runtime ``local``."""

    tier: Literal["auto", "root", "unprivileged", "landlock"] = "auto"
    """How to isolate: ``root`` (namespaces, another user, control groups), ``unprivileged`` (a user namespace and
    process limits), or ``auto``: the first as root, the second as anybody else. ``landlock`` is for root in a container
    that forbids namespaces; it hides less (``isolation/pod.py`` says what) and is never chosen by itself."""


class LocalSandbox:
    """A sandbox of the runtime ``local``."""

    def __init__(self, connection: launch.Connection, limits: Limits) -> None:
        self._limits = limits
        self._lock = threading.Lock()
        self._connection = connection
        self._gone = ""

    def _request(
        self, message: dict[str, Any], body: bytes = b"", *, timeout_s: float
    ) -> tuple[dict[str, Any], bytes]:
        with self._lock:
            if self._gone:
                raise SandboxLostError(self._gone)
            try:
                return self._connection.request(message, body, timeout_s=timeout_s)
            except SandboxLostError as error:
                self._gone = self._gone or str(error)
                raise

    def exec(
        self,
        argv: Sequence[str],
        *,
        stdin: bytes = b"",
        cwd: str = "/workspace",
        env: Mapping[str, str] | None = None,
        wall_s: float | None = None,
    ) -> Result:
        """Return what became of a command; when it ends, so has everything that it started.

        Raises:
            SandboxLostError: the sandbox is gone; never for what the command did.
        """
        if not argv:
            raise ValueError("A command needs at least the name of a program.")
        limit = self._limits.wall_s if wall_s is None else wall_s
        message = {"do": "exec", "argv": list(argv), "cwd": cwd, "env": dict(env or {}), "wall_s": limit}
        try:
            answer, body = self._request(message, stdin, timeout_s=limit + _GRACE_S)
        except ValueError as error:
            # Too large to be sent; for whoever wrote the command it is one that does not start.
            return Result(End.EXITED, 126, b"", f"cannot start: {error}\n".encode(), 0.0)
        return result(answer, body)

    def read(self, path: str, *, max_bytes: int = 10_000_000) -> bytes:
        """Return the content of a regular file under ``/workspace``; links are not followed.

        Raises:
            FileNotFoundError: no such file.
            PermissionError: a link, a device, a pipe, or a file that is too large.
        """
        _, content = self._errand({"what": "read", "path": path, "max_bytes": max_bytes})
        return content

    def write(self, path: str, content: bytes, *, mode: int = 0o644) -> None:
        """Write a file under ``/workspace``, its folders included; links are not followed."""
        self._errand({"what": "write", "path": path, "mode": mode}, content)

    def snapshot(self) -> str:
        """Return a hash of all that the workspace holds: paths, kinds, modes and contents."""
        answer, _ = self._errand({"what": "snapshot"})
        found: str = answer["hash"]
        return found

    def manifest(self, *, max_bytes: int = 20_000_000) -> Mapping[str, str]:
        """Return all that the workspace holds: kind, mode and hash by path, as ``Sandbox.manifest`` says.

        Raises:
            PermissionError: there is so much that the list is longer than ``max_bytes``, or folders lie too deep.
        """
        _, content = self._errand({"what": "manifest", "max_bytes": max_bytes})
        found: dict[str, str] = json.loads(content)
        return found

    def _errand(self, message: dict[str, Any], body: bytes = b"") -> tuple[dict[str, Any], bytes]:
        answer, content = self._request({"do": "file", **message}, body, timeout_s=_ERRAND_S)
        if "error" in answer:
            code, text = answer["error"]
            # OSError picks the subclass that belongs to the code: FileNotFoundError, PermissionError.
            raise OSError(code, text, message.get("path", "/workspace"))
        return answer, content

    def stop(self) -> None:
        """End everything in the sandbox and remove what it left on the host. Calling it again does nothing."""
        self._gone = self._gone or "The sandbox was stopped."
        self._connection.close()

    def __enter__(self) -> LocalSandbox:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()


def result(answer: Mapping[str, Any], body: bytes) -> Result:
    """Return the result that an answer carries: stdout, stderr and the channel follow each other in the body."""
    parts, start = [], 0
    for size in answer["sizes"]:
        parts.append(body[start : start + size])
        start += size
    stdout, stderr, channel = [*parts, b""][:3]
    return Result(
        End(answer["end"]), answer["code"], stdout, stderr, answer["seconds"], answer["detail"], channel
    )


class LocalRuntime:
    """Starts sandboxes of namespaces, a system-call filter and limits."""

    def __init__(self, config: Local | None = None) -> None:
        self.tier: Tier
        """How this runtime isolates."""
        asked = config.tier if config else "auto"
        if asked == "auto":
            self.tier = "root" if os.geteuid() == 0 else "unprivileged"
        else:
            self.tier = asked
        self._works = False

    def missing(self) -> list[str]:
        """Return what keeps this machine from isolating with this runtime, one line each; nothing when it can."""
        if self._works:
            return []
        lines = checks.missing(self.tier)
        if lines:
            return lines
        # The rest shows by trying: a container may forbid any single step.
        with tempfile.TemporaryDirectory() as folder:
            try:
                with self._start(Spec(workspace=Path(folder))) as sandbox:
                    done = sandbox.exec(["/bin/sh", "-c", "true"])
            except OSError as error:
                return [str(error)]
        if done.code != 0:
            return [f"a shell that starts inside: {done.stderr.decode(errors='replace').strip()}"]
        self._works = True
        self.sweep()
        return []

    def start(self, spec: Spec) -> LocalSandbox:
        """Return a started sandbox.

        Raises:
            UnavailableError: when ``missing`` says something; never a weaker sandbox instead.
        """
        lines = self.missing()
        if lines:
            raise UnavailableError(
                f"The runtime 'local' (tier {self.tier}) cannot isolate here. Missing: {'; '.join(lines)}."
            )
        return self._start(spec)

    def _start(self, spec: Spec) -> LocalSandbox:
        return LocalSandbox(launch.Connection(launch.plan("commands", self.tier, spec)), spec.limits)

    def sweep(self) -> list[str]:
        """Remove what killed processes of this library left on the machine, and return it.

        A runtime does so itself when it is first used. Everything else (processes, mounts, files) is gone with them.
        """
        if self.tier == "landlock":
            return pod.sweep()
        return cgroups.sweep(checks.groups(self.tier))


RUNTIMES.add(
    "local",
    LocalRuntime,
    config=Local,
    summary="Namespaces, a system-call filter and limits by our own launcher; root or not.",
)
