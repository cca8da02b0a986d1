"""Control groups, version 1 and 2: the memory, the processes and the CPU time of a sandbox as a whole.

Names carry the process that made them, so that a later start can remove what a killed one left (``sweep``).
"""

from __future__ import annotations

import contextlib
import os
import signal
import time
from collections.abc import Iterable
from typing import NamedTuple

PREFIX = "rlvr_gym"
Groups = tuple[tuple[str, str], ...]
"""(kind, folder): kind is ``v2``, or the controller's name under version 1."""

_V1 = ("memory", "pids", "cpuacct")


def _read(path: str) -> str:
    with open(path) as file:  # pathlib takes longer to import than a sandbox to start
        return file.read()


def find(
    mounts: str = "/proc/self/mountinfo", membership: str = "/proc/self/cgroup"
) -> tuple[Groups, list[str]]:
    """Return the groups that this process may make children in, and what is missing for memory and pids limits."""
    own = {}
    for line in _read(membership).splitlines():
        _, controllers, path = line.split(":", 2)
        for controller in controllers.split(",") if controllers else ["v2"]:
            own[controller] = path
    places: dict[str, str] = {}
    for line in _read(mounts).splitlines():
        left, _, right = line.partition(" - ")
        root, point = left.split()[3:5]
        kind, _, options = right.split(maxsplit=2)
        if kind == "cgroup":
            for controller in set(_V1) & set(options.split(",")) & set(own):
                places[controller] = point + _below(own[controller], root)
        elif kind == "cgroup2" and "v2" in own:
            places["v2"] = point + _below(own["v2"], root)
    if {"memory", "pids"} <= set(places):
        return _writable([(kind, places[kind]) for kind in _V1 if kind in places])
    if "v2" in places:
        return _delegated(places["v2"])
    return (), ["no control groups are mounted with the memory and pids controllers"]


def _below(path: str, root: str) -> str:
    """Return ``path`` as seen under a mount whose root is ``root``."""
    if root != "/" and path.startswith(root):
        path = path[len(root) :]
    return "" if path == "/" else path.rstrip("/")


def _writable(places: list[tuple[str, str]]) -> tuple[Groups, list[str]]:
    missing = [
        f"no right to make control groups in {place}" for _, place in places if not os.access(place, os.W_OK)
    ]
    return ((), missing) if missing else (tuple(places), [])


def _delegated(own: str) -> tuple[Groups, list[str]]:
    """Return the nearest group above that hands the controllers down: one with processes of its own may not."""
    place = own
    while os.path.exists(f"{place}/cgroup.subtree_control"):
        handed = _read(f"{place}/cgroup.subtree_control").split()
        if {"memory", "pids"} <= set(handed):
            if os.access(place, os.W_OK) and os.access(f"{place}/cgroup.procs", os.W_OK):
                return (("v2", place),), []
            return (), [f"no right to make control groups in {place}"]
        place = place.rpartition("/")[0]
    return (), [
        f"no control group above {own} hands down the memory and pids controllers (Delegate=yes in systemd)"
    ]


def name() -> str:
    """Return a name that says which process made the group: pid namespace, pid and its start."""
    pid = os.getpid()
    space = os.stat("/proc/self/ns/pid").st_ino
    return f"{PREFIX}.{space}.{pid}.{started(pid)}"


def started(pid: int) -> str:
    """Return when a process began, in ticks since the machine's start; empty when there is none.

    One that has ended counts as none, though its parent has not asked for its end: an init may be slow to.
    """
    try:
        fields = _read(f"/proc/{pid}/stat").rpartition(")")[2].split()
    except OSError:
        return ""
    return "" if fields[0] in "ZX" else fields[19]


def is_dead(label: str) -> bool:
    """Return whether ``label`` is a name that a process of this pid namespace made, which is no more."""
    parts = label.split(".")
    space = str(os.stat("/proc/self/ns/pid").st_ino)
    if len(parts) != 4 or parts[:2] != [PREFIX, space] or not parts[2].isdecimal():
        return False
    return started(int(parts[2])) != parts[3]


class Usage(NamedTuple):
    """What a group has used."""

    cpu_s: float
    oom_kills: int


class Group:
    """A control group in every hierarchy that is needed, with open files: the paths vanish with the old root."""

    def __init__(self, groups: Groups, label: str) -> None:
        self._kinds = dict(groups)
        self._folders = {kind: f"{place}/{label}" for kind, place in groups}
        for folder in self._folders.values():
            os.mkdir(folder)
        self._procs = [self._open(kind, "cgroup.procs", os.O_WRONLY) for kind in self._folders]
        self._limited = (0, 0)
        if "v2" in self._kinds:
            self._cpu = self._open("v2", "cpu.stat")
            self._events = self._open("v2", "memory.events")
            self._memory = [self._open("v2", "memory.max", os.O_WRONLY)]
            self._pids = self._open("v2", "pids.max", os.O_WRONLY)
            # Swapped-out memory would not count.
            self._write_if_there("v2", "memory.swap.max", b"0")
        else:
            self._cpu = self._open("cpuacct", "cpuacct.usage") if "cpuacct" in self._kinds else -1
            self._events = self._open("memory", "memory.oom_control")
            files = ["memory.limit_in_bytes", "memory.memsw.limit_in_bytes"]
            self._memory = [
                self._open("memory", file, os.O_WRONLY) for file in files if self._has("memory", file)
            ]
            self._pids = self._open("pids", "pids.max", os.O_WRONLY)

    def _has(self, kind: str, file: str) -> bool:
        return os.path.exists(f"{self._folders[kind]}/{file}")  # swap is not accounted everywhere

    def _write_if_there(self, kind: str, file: str, value: bytes) -> None:
        if self._has(kind, file):
            fd = self._open(kind, file, os.O_WRONLY)
            os.write(fd, value)
            os.close(fd)

    def _open(self, kind: str, file: str, flags: int = os.O_RDONLY) -> int:
        return os.open(f"{self._folders[kind]}/{file}", flags | os.O_CLOEXEC)

    def limit(self, memory_bytes: int, pids: int) -> None:
        """Limit memory, swap included, and processes."""
        if self._limited == (memory_bytes, pids):
            return
        # Memory may never exceed memory and swap together: up goes the second first, down the first.
        raised = self._limited[0] and memory_bytes > self._limited[0]
        order = self._memory[::-1] if raised else self._memory
        for fd in order:
            os.pwrite(fd, b"%d" % memory_bytes, 0)
        os.pwrite(self._pids, b"%d" % pids, 0)
        self._limited = (memory_bytes, pids)

    def join(self) -> None:
        """Move this process in."""
        for procs in self._procs:
            os.write(procs, b"0")

    def usage(self) -> Usage:
        """Return what has been used so far."""
        events = _values(os.pread(self._events, 4096, 0))
        cpu_s = 0.0
        if "v2" in self._kinds:
            cpu_s = _values(os.pread(self._cpu, 4096, 0)).get("usage_usec", 0) / 1e6
        elif self._cpu >= 0:
            cpu_s = int(os.pread(self._cpu, 64, 0)) / 1e9
        return Usage(cpu_s, events.get("oom_kill", 0))

    def remove(self) -> None:
        """Kill what is in the group, and remove it."""
        remove(self._folders.values())


def _values(text: bytes) -> dict[str, int]:
    pairs = (line.split() for line in text.decode().splitlines())
    return {pair[0]: int(pair[1]) for pair in pairs if len(pair) == 2}


def remove(folders: Iterable[str], *, patience_s: float = 5.0) -> None:
    """Kill all processes in ``folders`` and remove them; what cannot be removed in time stays for the next sweep."""
    until = time.monotonic() + patience_s
    for folder in folders:
        while True:
            try:
                os.rmdir(folder)
            except FileNotFoundError:
                break
            except OSError:
                if time.monotonic() > until:
                    break
                _kill_members(folder)
                time.sleep(0.002)
            else:
                break


def _kill_members(folder: str) -> None:
    try:
        members = _read(f"{folder}/cgroup.procs").split()
    except OSError:
        return
    for pid in members:
        # 0 stands for a process of another pid namespace, and to kill would mean our own group.
        if pid != "0":
            # It may be gone between the list and the signal.
            with contextlib.suppress(ProcessLookupError):
                os.kill(int(pid), signal.SIGKILL)


def sweep(groups: Groups) -> list[str]:
    """Remove the groups that dead launchers left, and return their folders; other launchers' stay."""
    removed = []
    for _, place in groups:
        for entry in os.listdir(place):
            if is_dead(entry):
                remove([f"{place}/{entry}"])
                removed.append(f"{place}/{entry}")
    return removed
