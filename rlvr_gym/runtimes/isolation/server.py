"""The command server: pid 1 of an agent's sandbox, which runs one command after another and answers over a socket.

It is trusted and small. Commands run as another user (root) or cannot reach its memory (unprivileged), and the socket is
closed before they start. When a command ends, everything else in the pid namespace is killed.
"""

from __future__ import annotations

import contextlib
import errno
import json
import os
import signal
import socket
from collections.abc import Callable
from typing import Any

from . import child, files, frames, privileges, seccomp
from .cgroups import Group
from .child import Identity
from .meters import GroupMeter, ProcMeter
from .settings import Limits, Plan
from .watch import Meter, Outcome, Reaper, Watch
from .workspace import WORKSPACE

_ERRAND_S = 30.0
_HEAD_ROOM = 1 << 16


class Server:
    """Answers the caller's requests until it goes away."""

    def __init__(self, control: socket.socket, plan: Plan, identity: Identity, group: Group | None) -> None:
        self._control = control
        self.plan = plan
        self.identity = identity
        self.workspace = WORKSPACE
        """Where the workspace lies for this process."""
        self._group = group
        # Without root a command may signal pid 1, and the kernel spares it only what it has no handler for.
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        self._reaper = Reaper()
        self._stricter = b"" if group else seccomp.pack(seccomp.refuse_only(seccomp.UNCOUNTED))

    def serve(self) -> None:
        """Answer requests until the caller closes the socket."""
        while request := frames.receive(self._control):
            message, body = request
            operations: dict[str, Callable[[dict[str, Any], bytes], None]] = {
                "exec": self._exec,
                "file": self._file,
            }
            operations[message["do"]](message, body)

    def meter(self) -> Meter:
        """Return what measures a command."""
        limits = self.plan.limits
        return GroupMeter(self._group, limits) if self._group else ProcMeter(limits)

    def confine(self, limits: Limits) -> None:
        """Give up what this process, a command's, has over the command."""
        child.settle(self.identity, limits, self._group)
        self.filter_further()

    def filter_further(self) -> None:
        """Refuse this process, a command's, what this server itself needs and nothing would bound."""
        if self._stricter:
            seccomp.install(self._stricter)

    def place_of(self, cwd: str) -> str:
        """Return where a folder of the sandbox lies for this process."""
        return cwd

    def kill(self, ended: bool) -> None:
        """Kill all that a command started."""
        kill_everyone(ended)

    def _exec(self, message: dict[str, Any], body: bytes) -> None:
        limits = self.plan.limits
        meter = self.meter()
        stdin, out, err, failure = child.sealed_file(body), os.pipe(), os.pipe(), os.pipe()
        pid = os.fork()
        if not pid:
            try:
                os.setsid()
                self.confine(limits)
                child.place([stdin, out[1], err[1], failure[1]])
                environment = {**self.plan.env, **message["env"]}
                child.execute(message["argv"], self.place_of(message["cwd"]), environment, 3)
            finally:
                os._exit(127)
        for fd in (stdin, out[1], err[1], failure[1]):
            os.close(fd)
        pipes = {"stdout": out[0], "stderr": err[0], "failure": failure[0]}
        outcome = self._watch(pid, pipes).run(limits, meter, message["wall_s"])
        answer(self._control, _with_failure(outcome), ("stdout", "stderr"))

    def _watch(self, pid: int, pipes: dict[str, int]) -> Watch:
        return Watch(pid, pipes, self.kill, self._control, self._reaper)

    def _file(self, message: dict[str, Any], body: bytes) -> None:
        """Run an errand on the workspace in a child that is the sandbox's user."""
        if message["what"] not in ("read", "write"):
            files.prepare_hashing()
        reply = os.pipe()
        pid = os.fork()
        if not pid:
            try:
                if self.identity.switch:
                    privileges.become(self.identity.uid, self.identity.gid)
                os.umask(0o022)
                with open(reply[1], "wb") as file:
                    file.write(_errand(self.workspace, message, body))
            finally:
                os._exit(0)
        os.close(reply[1])
        limits = self.plan.limits._replace(output_bytes=message.get("max_bytes", 0) + _HEAD_ROOM)
        outcome = self._watch(pid, {"reply": reply[0]}).run(limits, NoMeter(), _ERRAND_S)
        head, _, content = outcome.outputs["reply"].partition(b"\n")
        if not head:
            failure = {"error": [errno.ETIMEDOUT, f"the workspace did not answer within {_ERRAND_S:g} s"]}
            frames.send(self._control, failure)
        else:
            frames.send(self._control, json.loads(head), content)


class NoMeter:
    """For errands of our own code, which are bounded by their time and their output."""

    def exceeded(self) -> str:
        """Return nothing."""
        return ""


def _errand(workspace: str, message: dict[str, Any], body: bytes) -> bytes:
    """Return the reply: a line of JSON, then content."""
    content = b""
    answered: dict[str, Any] = {}
    try:
        if message["what"] == "read":
            content = files.read(workspace, message["path"], message["max_bytes"])
        elif message["what"] == "write":
            files.write(workspace, message["path"], body, message["mode"])
        elif message["what"] == "manifest":
            content = files.manifest(workspace, message["max_bytes"])
        else:
            answered = {"hash": files.snapshot(workspace)}
    except Exception as error:  # whatever it is, the caller gets to know
        code = getattr(error, "errno", None) or errno.EINVAL
        answered = {"error": [code, getattr(error, "strerror", None) or str(error)]}
    return json.dumps(answered).encode() + b"\n" + content


def kill_everyone(_: bool) -> None:
    """Kill all processes of this pid namespace but the caller, its pid 1.

    The kernel signals all of them under one lock, so not even a program that forks as fast as it can slips through.
    """
    with contextlib.suppress(ProcessLookupError):
        os.kill(-1, signal.SIGKILL)


def _with_failure(outcome: Outcome) -> Outcome:
    """Return what a shell would: a program that cannot be started is an exit code and a line on stderr."""
    failure = outcome.outputs["failure"]
    if not failure or outcome.end != "exited":
        return outcome
    code, _, why = failure.partition(b" ")
    return outcome._replace(
        code=int(code), outputs={**outcome.outputs, "stderr": b"cannot start " + why + b"\n"}
    )


def answer(control: socket.socket, outcome: Outcome, streams: tuple[str, ...]) -> None:
    """Send an outcome: the streams follow each other in the body."""
    parts = [outcome.outputs[name] for name in streams]
    frames.send(control, summary(outcome, [len(part) for part in parts]), b"".join(parts))


def summary(outcome: Outcome, sizes: list[int]) -> dict[str, Any]:
    """Return the message that tells of an outcome, whose streams have these sizes."""
    return {
        "end": outcome.end,
        "code": outcome.code,
        "detail": outcome.detail,
        "seconds": outcome.seconds,
        "sizes": sizes,
    }
