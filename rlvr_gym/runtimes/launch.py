"""Starts the launcher in a clean process and talks to it: what ``local`` sandboxes and zygotes share."""

from __future__ import annotations

import contextlib
import os
import socket
import subprocess
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rlvr_gym.runtimes.base import Limits, SandboxLostError, Spec, UnavailableError
from rlvr_gym.runtimes.isolation import checks, frames, interpreter, settings

_MAIN = Path(__file__).parent / "isolation" / "__main__.py"
_START_S = 60.0
_STOP_S = 20.0


def plan(
    kind: str, tier: str, spec: Spec, *, imports: tuple[str, ...] = (), path: tuple[str, ...] = ()
) -> settings.Plan:
    """Return what the launcher needs to know to start ``spec``.

    Raises:
        FileNotFoundError: a folder that is not there.
        UnavailableError: the tier cannot show a folder where the spec wants it.
    """
    binds = {
        **interpreter.folders(),
        **{inside: str(host.resolve(strict=True)) for host, inside in spec.read_only.items()},
    }
    if tier == "landlock":
        if moved := [inside for inside, host in binds.items() if inside != host]:
            raise UnavailableError(
                f"The tier landlock shows folders at their own paths only, not at {moved[0]}."
            )
        if spec.hidden or spec.links:
            raise UnavailableError(
                "The tier landlock has no root of its own, and so cannot hide folders or make links there: "
                f"{', '.join([*spec.hidden, *spec.links])}."
            )
    env = {"PATH": interpreter.search_path(), "HOME": "/tmp", "LANG": "C.UTF-8", **spec.env}
    return settings.Plan(
        kind=kind,
        tier=tier,
        limits=travelling(spec.limits),
        workspace=str(spec.workspace.resolve(strict=True)) if spec.workspace else "",
        binds=binds,
        env=env,
        imports=imports,
        path=path,
        cgroups=checks.groups(tier),
        parent=os.getpid(),
        hidden=spec.hidden,
        links=dict(spec.links),
    )


def travelling(limits: Limits) -> settings.Limits:
    """Return the limits as the launcher takes them."""
    return settings.Limits(*(getattr(limits, name) for name in settings.Limits._fields))


class Connection:
    """A started launcher. One request at a time.

    Raises:
        UnavailableError: the kernel refused a step; the message names it.
    """

    def __init__(self, plan: settings.Plan) -> None:
        ours, theirs = socket.socketpair()
        self._socket = ours
        self._errors = os.fdopen(os.memfd_create("launcher-errors"), "rb")
        self._closing = threading.Lock()
        command = [interpreter.executable(), "-I", "-S", "-X", "utf8", str(_MAIN), str(theirs.fileno())]
        with theirs:
            # The environment is empty: /proc/1/environ would show it to what runs inside.
            self._process = subprocess.Popen(
                command,
                env={},
                cwd="/",
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=self._errors,
                pass_fds=[theirs.fileno()],
                start_new_session=True,
            )
        try:
            answer, _ = self.request(plan._asdict(), timeout_s=_START_S)
        except SandboxLostError as error:
            raise UnavailableError(f"The launcher did not start: {error}") from error
        if "error" in answer:
            self.close()
            raise UnavailableError(f"This machine refused a step of isolation: {answer['error'][1]}.")

    def request(
        self, message: Mapping[str, Any], body: bytes = b"", *, timeout_s: float
    ) -> tuple[dict[str, Any], bytes]:
        """Return the answer to ``message``.

        Raises:
            SandboxLostError: the sandbox is gone, or did not answer in time and was ended.
            ValueError: the message is too large; nothing was sent.
        """
        encoded = frames.encode(message, body)
        try:
            self._socket.settimeout(timeout_s)
            # What refuses and ends at once closes its side, but has said why before.
            with contextlib.suppress(BrokenPipeError):
                self._socket.sendall(encoded)
                self._socket.sendall(body)
            answer = frames.receive(self._socket)
        except OSError as error:
            answer, why = None, str(error)
        except BaseException:
            # Its answer would be taken for the answer to the next request.
            self.close()
            raise
        else:
            why = "it closed"
        if answer is None:
            said = self._last_words()
            self.close()
            raise SandboxLostError(f"The sandbox is gone: {said or why}.")
        return answer

    def _last_words(self) -> str:
        with contextlib.suppress(OSError, ValueError):
            lines = os.pread(self._errors.fileno(), 1 << 16, 0).decode(errors="replace").strip().splitlines()
            return lines[-1] if lines else ""
        return ""

    @property
    def closed(self) -> bool:
        """Whether the sandbox has been ended."""
        return self._socket.fileno() < 0

    def close(self) -> None:
        """End the sandbox, and wait until its launcher has cleaned up."""
        # A thread that waits for an answer wakes up by this, and would not by close alone.
        with contextlib.suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)
        with self._closing:
            self._socket.close()
            try:
                self._process.wait(_STOP_S)
            except subprocess.TimeoutExpired:
                # Its death takes pid 1 of the sandbox along, and with that everything inside.
                self._process.kill()
                self._process.wait()
            self._errors.close()
