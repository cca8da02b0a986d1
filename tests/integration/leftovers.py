"""What sandboxes might leave on a machine."""

from __future__ import annotations

import os
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from rlvr_gym.runtimes.isolation import cgroups

LAUNCHER = b"isolation/__main__.py"


class Census(NamedTuple):
    """All that a sandbox could add to."""

    processes: frozenset[str]
    mounts: int
    groups: frozenset[str]
    files: frozenset[str]
    descriptors: int


def census() -> Census:
    """Count launchers and what runs in sandboxes, mounts, control groups, temporary files and our descriptors."""
    groups, _ = cgroups.find()
    return Census(
        processes=frozenset(filter(_of_a_sandbox, (path.name for path in Path("/proc").glob("[0-9]*")))),
        mounts=len(Path("/proc/self/mountinfo").read_text().splitlines()),
        groups=frozenset(
            str(path) for _, place in groups for path in Path(place).glob("rlvr_gym.*") if _is_ours(path.name)
        ),
        files=frozenset(path.name for path in Path(tempfile.gettempdir()).glob("rlvr*")),
        descriptors=len(list(Path("/proc/self/fd").iterdir())),
    )


def _of_a_sandbox(pid: str) -> bool:
    """Return whether a process belongs to a sandbox of ours, or to one whose caller is dead.

    Others may run sandboxes on this machine at the same time.
    """
    try:
        chain = [pid]
        while int(chain[-1]) > 1:
            fields = Path(f"/proc/{chain[-1]}/stat").read_text().rpartition(")")[2].split()
            chain.append(fields[1])
        launchers = [
            at for at, one in enumerate(chain) if LAUNCHER in Path(f"/proc/{one}/cmdline").read_bytes()
        ]
    except (OSError, IndexError):
        return False
    return bool(launchers) and chain[launchers[-1] + 1] in (str(os.getpid()), "1")


def _is_ours(group: str) -> bool:
    """Return whether a control group is of a launcher of ours, or of a dead one."""
    pid, start = group.split(".")[-2:]
    return cgroups.started(int(pid)) != start or _of_a_sandbox(pid)


def new_since(before: Census) -> dict[str, object]:
    """Return what there is now that was not there; what has gone meanwhile does not matter."""
    now = census()
    found: dict[str, object] = {
        name: getattr(now, name) - getattr(before, name) for name in ("processes", "groups", "files")
    }
    for name in ("mounts", "descriptors"):
        found[name] = max(0, getattr(now, name) - getattr(before, name))
    return {name: new for name, new in found.items() if new}


def nothing_new_since(before: Census) -> bool:
    """Return whether there is now no more than there was."""
    return not new_since(before)


def wait_until(claim: Callable[[], bool], patience_s: float = 20.0) -> bool:
    """Return whether ``claim`` comes true in time."""
    until = time.monotonic() + patience_s
    while time.monotonic() < until:
        if claim():
            return True
        time.sleep(0.05)
    return claim()
