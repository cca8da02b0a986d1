"""What a runtime is: a place where untrusted commands run with limits, and from which nothing gets out but bytes."""

from __future__ import annotations

import enum
import posixpath
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

from rlvr_gym.errors import RLVRError
from rlvr_gym.registry import Registry


class UnavailableError(RLVRError, OSError):
    """This machine cannot isolate with a runtime; the message says what is missing."""


class SandboxLostError(RLVRError, OSError):
    """A sandbox that is gone; says nothing about what ran in it."""


class End(enum.StrEnum):
    """How a command ended. Only the first says anything about what it did; the last says nothing about it."""

    EXITED = "exited"
    """By itself; ``code`` is its exit code, negative for a signal that it brought upon itself."""
    TIMEOUT = "timeout"
    """Killed at its wall-clock or CPU limit."""
    MEMORY = "memory"
    """Killed at its memory limit."""
    OUTPUT = "output"
    """Killed because it wrote more than it may."""
    LOST = "lost"
    """The sandbox itself failed."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What one sandbox may use."""

    wall_s: float = 10.0
    """Wall-clock time of one command, in seconds."""
    cpu_s: float = 10.0
    """CPU time of one command, in seconds."""
    memory_mib: int = 512
    """Memory of all processes of the sandbox together."""
    pids: int = 64
    """Processes and threads at once."""
    disk_mib: int = 256
    """Bytes written to the workspace and to temporary files together."""
    inodes: int = 20_000
    """Files and folders made."""
    output_bytes: int = 1_000_000
    """Bytes of stdout and stderr together; a command that writes more is killed."""
    open_files: int = 256
    """Descriptors of one process."""


_WRITABLE = ("workspace", "tmp", "dev", "proc")


@dataclass(frozen=True, slots=True)
class Spec:
    """What a sandbox is started with."""

    limits: Limits = Limits()
    workspace: Path | None = None
    """A prepared folder: its content appears at ``/workspace``, writable, and stays as it is on the host."""
    read_only: Mapping[Path, str] = field(default_factory=dict)
    """Further host folders, and where they appear, read-only."""
    hidden: tuple[str, ...] = ()
    """Folders inside that appear empty and read-only; one that is not there hides nothing. For what would give the
    answer away: ``site-packages`` may hold the very package that is to be repaired."""
    links: Mapping[str, str] = field(default_factory=dict)
    """Symbolic links in the sandbox's own root, by their paths: ``{"/app": "/workspace"}`` lets the workspace appear at
    ``/app`` too. What lies at such a path in an image is replaced."""
    env: Mapping[str, str] = field(default_factory=dict)
    """The whole environment besides PATH, HOME and LANG; nothing of the caller's is passed on."""
    image: str = ""
    """Image, for runtimes that have images."""
    opened: tuple[str, ...] = ()
    """Folders of the image that everybody may enter in the sandbox, such as ``/root`` where an image keeps its Python
    there: better than commands that run as root."""

    def __post_init__(self) -> None:
        for what, paths in (("hidden", self.hidden), ("links", self.links), ("opened", self.opened)):
            for path in paths:
                # Not normal: `..` and `//` would mean another place than they seem to.
                if (
                    not path.startswith("/")
                    or path == "/"
                    or posixpath.normpath(path) != path
                    or "\0" in path
                ):
                    raise ValueError(
                        f"Spec.{what}: {path!r} is not an absolute path without '..', like '/app'."
                    )
                if path.split("/")[1] in _WRITABLE:
                    raise ValueError(f"Spec.{what}: {path!r} lies where the sandbox's commands may write.")


@dataclass(frozen=True, slots=True)
class Result:
    """What became of a command."""

    end: End
    code: int | None
    """Exit code, None unless it exited by itself."""
    stdout: bytes
    stderr: bytes
    seconds: float
    """Wall-clock time."""
    detail: str = ""
    """Why, where ``end`` does not say it all."""
    channel: bytes = b""
    """What trusted code in the sandbox sent over its private pipe (``Zygote.call``)."""


@runtime_checkable
class Sandbox(Protocol):
    """A started sandbox. Its methods may be called from any thread, one command at a time."""

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
        ...

    def read(self, path: str, *, max_bytes: int = 10_000_000) -> bytes:
        """Return the content of a regular file under ``/workspace``; links are not followed.

        Raises:
            FileNotFoundError: no such file.
            PermissionError: a link, a device, a pipe, or a file that is too large.
        """
        ...

    def write(self, path: str, content: bytes, *, mode: int = 0o644) -> None:
        """Write a file under ``/workspace``, its folders included; links are not followed."""
        ...

    def snapshot(self) -> str:
        """Return a hash of all that the workspace holds: paths, kinds, modes and contents."""
        ...

    def manifest(self, *, max_bytes: int = 20_000_000) -> Mapping[str, str]:
        """Return all that the workspace holds: kind, mode and hash by path from the workspace. Links are not followed.

        A value is such as ``file 644 <hash>``, ``folder 755``, ``link 777 <hash>``, ``special ...`` (pipes, sockets).
        The hash of a file of up to 16 MiB is the SHA-256 of its content; that of an unreadable one is ``unreadable``.

        Raises:
            PermissionError: there is so much that the list is longer than ``max_bytes``, or folders lie too deep.
        """
        ...

    def stop(self) -> None:
        """End everything in the sandbox and remove what it left on the host. Calling it again does nothing."""
        ...

    def __enter__(self) -> Sandbox: ...

    def __exit__(self, *_: object) -> None: ...


class Runtime(Protocol):
    """Starts sandboxes."""

    def missing(self) -> list[str]:
        """Return what keeps this machine from isolating with this runtime, one line each; nothing when it can."""
        ...

    def start(self, spec: Spec) -> Sandbox:
        """Return a started sandbox.

        Raises:
            UnavailableError: when ``missing`` says something; never a weaker sandbox instead.
        """
        ...


RUNTIMES: Registry[Callable[[Any], Runtime]] = Registry("runtime", "rlvr_gym.runtimes")
"""Factories ``factory(config) -> Runtime``."""


def make_runtime(table: str | Mapping[str, Any], *, where: str = "runtime") -> Runtime:
    """Return the runtime that ``table`` names.

    Raises:
        ConfigError: an unknown name or a wrong setting.
    """
    entry, config = RUNTIMES.resolve(table, where=where)
    runtime: Runtime = entry.value(config)
    return runtime
