"""How much a command uses while it runs: asked of its control group, or of /proc where there is none."""

from __future__ import annotations

import os
import resource

from .cgroups import Group
from .settings import Limits

_PAGE = os.sysconf("SC_PAGE_SIZE")
_TICKS = os.sysconf("SC_CLK_TCK")


class GroupMeter:
    """Reads a control group; the kernel itself keeps memory and pids in it."""

    def __init__(self, group: Group, limits: Limits) -> None:
        self._group = group
        self._limits = limits
        self._start = group.usage()

    def exceeded(self) -> str:
        """Return ``memory`` or ``cpu`` when the command is over that limit, else nothing."""
        now = self._group.usage()
        if now.oom_kills > self._start.oom_kills:
            return "memory"
        return "cpu" if now.cpu_s - self._start.cpu_s > self._limits.cpu_s else ""


class ProcMeter:
    """Adds up the processes that this one can see besides itself, or those of one user.

    Args:
        limits: What the command may use.
        uid: User whose processes belong to the command; -1 where all that can be seen do.
    """

    def __init__(self, limits: Limits, uid: int = -1) -> None:
        self._limits = limits
        self._reaped = _reaped_s()
        self._uid = uid

    def exceeded(self) -> str:
        """Return ``memory`` or ``cpu`` when the command is over that limit, else nothing."""
        limit = self._limits.memory_mib << 20
        pids = [name for name in os.listdir("/proc") if name.isdigit() and name != str(os.getpid())]
        if self._uid >= 0:
            pids = [pid for pid in pids if _owner(pid) == self._uid]
        if sum(map(_resident, pids)) > limit and sum(map(_share, pids)) > limit:
            return "memory"
        cpu_s = sum(map(_cpu_s, pids)) + _reaped_s() - self._reaped
        return "cpu" if cpu_s > self._limits.cpu_s else ""


class FolderMeter(ProcMeter):
    """Measures the folder too, where no file system of its own limits it."""

    def __init__(self, limits: Limits, folder: str, uid: int) -> None:
        super().__init__(limits, uid)
        self._folder = folder

    def exceeded(self) -> str:
        """Return ``memory``, ``cpu`` or ``output`` (the folder) when the command is over that limit, else nothing."""
        return super().exceeded() or ("output" if self._is_full() else "")

    def _is_full(self) -> bool:
        blocks, files = 0, 0
        for _, folders, names, fd in os.fwalk(self._folder, onerror=None):
            for name in (*folders, *names):
                try:
                    blocks += os.stat(name, dir_fd=fd, follow_symlinks=False).st_blocks
                except OSError:
                    continue  # removed since it was listed
                files += 1
                if files > self._limits.inodes or blocks * 512 > self._limits.disk_mib << 20:
                    return True
        return False


def _owner(pid: str) -> int:
    try:
        return os.stat(f"/proc/{pid}").st_uid
    except OSError:
        return -1


def _reaped_s() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def _file(pid: str, name: str) -> str:
    try:
        with open(f"/proc/{pid}/{name}") as file:
            return file.read()
    except OSError:
        return ""  # gone by now, or not for us to read


def _resident(pid: str) -> int:
    fields = _file(pid, "statm").split()
    return int(fields[1]) * _PAGE if fields else 0


def _share(pid: str) -> int:
    """Return a process's memory, with what it shares divided among those who share it."""
    for line in _file(pid, "smaps_rollup").splitlines():
        if line.startswith("Pss:"):
            return int(line.split()[1]) << 10
    # A process that hides from us is charged for everything that it maps.
    return _resident(pid)


def _cpu_s(pid: str) -> float:
    fields = _file(pid, "stat").rpartition(")")[2].split()
    # utime, stime, and of the children that it has waited for
    return sum(map(int, fields[11:15])) / _TICKS if fields else 0.0
