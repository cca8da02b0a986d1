"""The sandbox of one episode: actions happen in it one after another, and what they leave is read out as a patch."""

from __future__ import annotations

import hashlib
import os
import secrets
import time
import weakref
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from rlvr_gym.envs.swe_play.actions import SUBMITTED, Action, ActionError, Command, Edit, read_action
from rlvr_gym.envs.swe_play.edits import edited
from rlvr_gym.envs.swe_play.texts import told
from rlvr_gym.repositories.patches import make_patch
from rlvr_gym.repositories.suites import Workspace
from rlvr_gym.runtimes.base import End, Runtime, Sandbox, SandboxLostError, UnavailableError

# Output of both kinds in the order of writing; the text comes on stdin, where no limit of arguments holds.
_RUN = ("/bin/bash", "-c", 'exec 2>&1; IFS= read -r -d "" command; eval "$command"')
_MAX_EDITED = 2_000_000
_LEFT_OUT = frozenset({".git", "__pycache__", ".pytest_cache"})
_MIN_COMMAND_S = 1.0


class TooMuchError(Exception):
    """The changes are larger than they may be."""


class Terms(NamedTuple):
    """What an episode may use, besides the limits of its sandbox."""

    command_s: float
    """Time of one command."""
    episode_s: float
    """Time of all commands together."""
    observation_chars: int
    max_patch_bytes: int
    """Content of all changed files together."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What an action came to."""

    text: str
    submitted: bool = False


class Session:
    """A sandbox, started when first needed, and what was done in it so far.

    Methods raise SandboxLostError when it is gone or does not start, and UnavailableError when this machine cannot
    isolate.
    """

    def __init__(self, workspace: Callable[[], Workspace], runtime: Runtime, terms: Terms) -> None:
        self.responses: tuple[str, ...] = ()
        """What was played, in order."""
        self.seconds = 0.0
        """Time that commands took."""
        self._make_workspace = workspace
        self._runtime = runtime
        self._terms = terms
        self._process = os.getpid()
        self._started: Sandbox | None = None
        self._stop: Callable[[], object] | None = None

    @property
    def _sandbox(self) -> Sandbox:
        if self._started is None:
            self._started = self._start()
            # When nobody holds the session any more, and at the end of the process.
            self._stop = weakref.finalize(self, _stop, self._started, self._process)
        return self._started

    @cached_property
    def _workspace(self) -> Workspace:
        return self._make_workspace()

    def _start(self) -> Sandbox:
        try:
            return self._runtime.start(self._workspace.spec)
        except UnavailableError as error:
            if self._runtime.missing():
                raise
            # It worked before: this machine is at its end for the moment.
            raise SandboxLostError(str(error)) from error

    def play(self, response: str) -> Outcome:
        """Carry out the action of a response; one that holds none, or an impossible one, is answered with an error.

        Raises:
            SandboxLostError: the sandbox is gone.
        """
        self.responses += (response,)
        try:
            return self._act(read_action(response))
        except ActionError as error:
            return Outcome(f"Error: {error}")

    @property
    def ours(self) -> bool:
        """Whether this process started the sandbox; a fork's requests would mix with those of its parent."""
        return self._process == os.getpid()

    @property
    def out_of_time(self) -> bool:
        """Whether the time of all commands together is used up."""
        return self.seconds >= self._terms.episode_s

    def _act(self, action: Action) -> Outcome:
        if isinstance(action, Edit):
            return self._edit(action)
        if action.submits:
            return Outcome("Submitted.", submitted=True)
        return self._run(action)

    def _run(self, command: Command) -> Outcome:
        left_s = max(self._terms.episode_s - self.seconds, _MIN_COMMAND_S)
        started = time.monotonic()
        result = self._sandbox.exec(
            _RUN, stdin=command.text.encode(), wall_s=min(self._terms.command_s, left_s)
        )
        self.seconds += time.monotonic() - started
        if result.end is End.LOST:
            raise SandboxLostError(result.detail or "The sandbox is gone.")
        text = told(result, self._terms.observation_chars)
        first_line = result.stdout.lstrip().split(b"\n", 1)[0].strip()
        return Outcome(text, submitted=result.code == 0 and first_line == SUBMITTED.encode())

    def _edit(self, edit: Edit) -> Outcome:
        # Outside of what follows: that it does not start is no error of the agent's.
        sandbox = self._sandbox
        try:
            before = sandbox.read(edit.path, max_bytes=_MAX_EDITED)
        except FileNotFoundError:
            before = None
        except SandboxLostError:
            raise
        except OSError as error:
            raise ActionError(f"{edit.path}: {error.strerror}.") from None
        content = edited(edit, before)
        try:
            sandbox.write(edit.path, content, mode=self._mode(edit.path) if before is not None else 0o644)
        except SandboxLostError:
            raise
        except OSError as error:
            raise ActionError(f"{edit.path}: {error.strerror}.") from None
        verb = "changed" if before is not None else "made"
        num_lines = content.count(b"\n")
        return Outcome(f"{edit.path}: {verb}, {num_lines} lines.")

    def _mode(self, path: str) -> int:
        found = self._sandbox.manifest().get(_relative(path), "file 644").split(" ")
        return int(found[1], 8)

    def fingerprint(self) -> str:
        """Return a hash of what the workspace holds, without git's own files, which hold time stamps.

        Raises:
            SandboxLostError: the sandbox is gone.
        """
        try:
            files = self._files()
        except TooMuchError:
            # Nobody can say that it equals another.
            return secrets.token_hex(32)
        digest = hashlib.sha256()
        for path, what in sorted(files.items()):
            digest.update(f"{len(path)}:{path} {what}\n".encode("utf-8", "surrogateescape"))
        return digest.hexdigest()

    def patch(self) -> str:
        """Return what the workspace holds other than it began with; only contents of regular files count.

        It is made from the files themselves: git's own are the agent's to write.

        Raises:
            SandboxLostError: the sandbox is gone.
            TooMuchError: the changes are larger than they may be.
        """
        if self._started is None:
            return ""
        base = self._workspace.files()
        found = {path: what for path, what in self._files().items() if what.startswith("file ")}
        before: dict[str, bytes] = {path: content for path, content in base.items() if path not in found}
        after: dict[str, bytes] = {}
        size = 0
        for path, what in found.items():
            if path in base and what.endswith(hashlib.sha256(base[path]).hexdigest()):
                continue
            try:
                content = self._sandbox.read(path, max_bytes=self._terms.max_patch_bytes - size)
            except SandboxLostError:
                raise
            except OSError as error:
                raise TooMuchError(f"{path}: {error.strerror}") from None
            size += len(content)
            after[path] = content
            if path in base:
                before[path] = base[path]
        return make_patch(before, after)

    def _files(self) -> Mapping[str, str]:
        try:
            found = self._sandbox.manifest()
        except SandboxLostError:
            raise
        except OSError as error:
            raise TooMuchError(str(error.strerror)) from None
        return {path: what for path, what in found.items() if _LEFT_OUT.isdisjoint(path.split("/"))}

    def stop(self) -> None:
        """End everything in the sandbox and remove what it left on the host. Calling it again does nothing."""
        if self._stop is not None:
            self._stop()


def _stop(sandbox: Sandbox, process: int) -> None:
    if process == os.getpid():
        sandbox.stop()


def _relative(path: str) -> str:
    parts = path.removeprefix("/workspace/").split("/")
    return "/".join(part for part in parts if part not in ("", "."))
