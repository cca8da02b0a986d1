"""Sandboxes of a task: what they see, where, and what commands changed in them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from rlvr_gym.repositories.harbor.errors import UnsupportedError
from rlvr_gym.repositories.harbor.settings import TaskFile
from rlvr_gym.repositories.places import WORKSPACE, installed_packages
from rlvr_gym.runtimes.base import Limits, Sandbox, Spec
from rlvr_gym.runtimes.isolation import interpreter

PACKAGES = "/packages"
TESTS = "/tests"
SOLUTION = "/solution"
LOGS = "/logs"
_LOGS_AT = "/tmp/logs"
PATH = f"{PACKAGES}/bin:{interpreter.search_path()}"
"""Where commands are looked for, outside images."""
_TAKEN = (
    "bin",
    "dev",
    "etc",
    "lib",
    "lib32",
    "lib64",
    "libx32",
    "packages",
    "proc",
    "sbin",
    "tmp",
    "usr",
    "var",
)
_TASK_OWN = ("logs", "solution", "tests")
_LARGEST = 64 << 20


@dataclass(frozen=True, slots=True)
class Start:
    """What a sandbox of a task starts with."""

    workspace: Path
    workdir: str
    """Where the agent works."""
    env: Mapping[str, str] = field(default_factory=dict)
    packages: Path | None = None
    image: str = ""

    def variables(self) -> dict[str, str]:
        """Return the environment of commands."""
        if self.packages is None:
            return dict(self.env)
        path = [self.env["PYTHONPATH"]] if "PYTHONPATH" in self.env else []
        own = {"PATH": PATH, "PYTHONDONTWRITEBYTECODE": "1", "PYTHONHASHSEED": "0"}
        return {**own, **self.env, "PYTHONPATH": ":".join([*path, PACKAGES])}


def spec_of(
    start: Start,
    limits: Limits,
    *,
    workspace: Path | None = None,
    read_only: Mapping[Path, str] | None = None,
) -> Spec:
    """Return what a sandbox is started with: the working folder at its own path, and ``/logs`` to write to.

    Args:
        start: The task's.
        limits: Of the sandbox.
        workspace: Another working folder than that of ``start``.
        read_only: Further host folders, such as the tests.
    """
    shown = dict(read_only or {})
    hidden: tuple[str, ...] = ()
    if start.packages is not None:
        shown[start.packages] = PACKAGES
        # Only what the task names may be there, as in its image.
        hidden = installed_packages()
    links = {LOGS: _LOGS_AT}
    if start.workdir != WORKSPACE:
        links[start.workdir] = WORKSPACE
    return Spec(
        limits=limits,
        workspace=workspace or start.workspace,
        read_only=shown,
        hidden=hidden,
        links=links,
        env=start.variables(),
        image=start.image,
    )


def make_logs(sandbox: Sandbox) -> None:
    """Make the folders that Harbor mounts under ``/logs``."""
    sandbox.exec(
        ["mkdir", "-p", *(f"{_LOGS_AT}/{name}" for name in ("agent", "verifier", "artifacts"))], cwd="/"
    )


def require_workdir(workdir: str, *, where: str) -> None:
    """Check that a working folder can be shown at its path.

    Raises:
        UnsupportedError: it is the root, or lies in a folder of the system or of Harbor.
    """
    if not workdir.startswith("/") or ".." in workdir.split("/"):
        raise UnsupportedError(f"{where}: the working folder '{workdir}' is no absolute path.")
    first = workdir.split("/")[1]
    if not first:
        raise UnsupportedError(f"{where}: there is no WORKDIR; the whole system cannot be the repository.")
    if first in _TAKEN or first in _TASK_OWN or workdir.startswith(f"{WORKSPACE}/"):
        raise UnsupportedError(f"{where}: WORKDIR {workdir} lies in a folder that is taken; /app would do.")


def build_limits(settings: TaskFile) -> Limits:
    """Return the limits of a ``RUN`` line."""
    seconds = settings.environment.build_timeout_sec
    return _limits(settings, seconds)


def solution_limits(settings: TaskFile) -> Limits:
    """Return the limits of ``solution/solve.sh``."""
    return _limits(settings, settings.agent.timeout_sec or 600.0)


def verifier_limits(settings: TaskFile) -> Limits:
    """Return the limits of ``tests/test.sh`` where the caller has none of its own."""
    return _limits(settings, settings.verifier.timeout_sec)


def _limits(settings: TaskFile, seconds: float) -> Limits:
    environment = settings.environment
    return Limits(
        wall_s=seconds,
        cpu_s=seconds * (environment.cpus or 1),
        memory_mib=environment.memory_mb or 2048,
        pids=256,
        disk_mib=min(environment.storage_mb or 1024, 4096),
        inodes=50_000,
        open_files=1024,
    )


def changes(
    sandbox: Sandbox, before: Mapping[str, str], after: Mapping[str, str], *, where: str
) -> dict[str, tuple[bytes, bool] | None]:
    """Return the files that differ between two manifests, with content and whether executable; None for deleted.

    Args:
        sandbox: Still in the state of ``after``.
        before: Manifest of an earlier state.
        after: Manifest of the present one.
        where: Names in messages what made the changes.

    Raises:
        UnsupportedError: a link, a pipe, an unreadable file, or too much.
    """
    found: dict[str, tuple[bytes, bool] | None] = {}
    size = 0
    for path in sorted(before.keys() | after.keys()):
        was, is_now = before.get(path, ""), after.get(path, "")
        if was == is_now:
            continue
        kind, mode, *_ = (is_now or "nothing 0").split(" ")
        if kind in ("folder", "nothing"):
            if was.startswith("file"):
                found[path] = None
            continue
        if kind != "file" or is_now.endswith("unreadable"):
            raise UnsupportedError(f"{where}: {path}: only plain files can be taken out, not a {kind}.")
        content = sandbox.read(path, max_bytes=_LARGEST)
        size += len(content)
        if size > _LARGEST:
            raise UnsupportedError(f"{where}: more than {_LARGEST >> 20} MiB changed.")
        found[path] = content, bool(int(mode, 8) & 0o100)
    return found
