"""Limits that the kernel keeps per process or per user."""

from __future__ import annotations

import resource

from .settings import Limits


def _lower(kind: int, wanted: int) -> None:
    # Root in a container may lack CAP_SYS_RESOURCE, and then cannot raise a hard limit.
    _, hard = resource.getrlimit(kind)
    value = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    resource.setrlimit(kind, (value, value))


def apply(limits: Limits, *, cgroups: bool) -> None:
    """Limit this process and its children; without control groups also its memory and its user's processes."""
    _lower(resource.RLIMIT_CORE, 0)
    # A second above: the watching process ends a command at its limit and can say so.
    _lower(resource.RLIMIT_CPU, int(limits.cpu_s) + 2)
    # A sparse file of any size would fit on any disk, and stall whoever reads it.
    _lower(resource.RLIMIT_FSIZE, limits.disk_mib << 20)
    _lower(resource.RLIMIT_NOFILE, limits.open_files)
    _lower(resource.RLIMIT_MEMLOCK, 64 << 10)
    _lower(resource.RLIMIT_MSGQUEUE, 64 << 10)
    _lower(resource.RLIMIT_SIGPENDING, 1024)
    _lower(resource.RLIMIT_NICE, 0)
    _lower(resource.RLIMIT_RTPRIO, 0)
    if not cgroups:
        _lower(resource.RLIMIT_NPROC, limits.pids)
        # Private writable memory: reserved address space, which some languages take by the terabyte, does not count.
        _lower(resource.RLIMIT_DATA, limits.memory_mib << 20)
