"""The command server as pid 1 of a container, which an engine has isolated already.

It has the same user as the commands, as without root. On top of the engine's filter of system calls comes ours, before
anything untrusted runs.
"""

from __future__ import annotations

import errno
import os
import socket
import stat

from . import frames, privileges, seccomp
from .cgroups import Group
from .child import Identity
from .server import Server
from .settings import Limits, Plan
from .watch import CallerGoneError
from .workspace import WORKSPACE

_GROUPS = "/sys/fs/cgroup"
_NO_LIMIT = 1 << 60


class ContainerGroup(Group):
    """The control group that the engine made and keeps: read from inside, never written."""

    def __init__(self) -> None:
        if os.path.exists(f"{_GROUPS}/memory.events"):
            self._kinds = {"v2": _GROUPS}
            self._folders = {"v2": _GROUPS}
            self._cpu = self._open("v2", "cpu.stat")
            self._events = self._open("v2", "memory.events")
        else:
            self._kinds = self._folders = {kind: f"{_GROUPS}/{kind}" for kind in ("memory", "cpuacct")}
            self._cpu = self._open("cpuacct", "cpuacct.usage")
            self._events = self._open("memory", "memory.oom_control")

    def missing(self) -> list[str]:
        """Return which limits the engine has not set, though it was told to."""
        pids = _GROUPS if "v2" in self._kinds else f"{_GROUPS}/pids"
        name = "memory.max" if "v2" in self._kinds else "memory.limit_in_bytes"
        memory = f"{self._folders.get('v2') or self._folders['memory']}/{name}"
        limits = {"memory": memory, "processes": f"{pids}/pids.max"}
        return [f"a limit of {what}" for what, path in limits.items() if _number(path) >= _NO_LIMIT]

    def join(self) -> None:
        """Offer this process, a command's, to the killer of a machine out of memory: the server has the same limit."""
        # A hidden process may not write its own files. Nothing else runs in here when a command starts.
        privileges.hide_memory(hidden=False)
        with open("/proc/self/oom_score_adj", "w") as file:
            file.write("1000")


def _number(path: str) -> int:
    with open(path) as file:
        text = file.read().strip()
    return _NO_LIMIT if text == "max" else int(text)


def _missing(group: ContainerGroup, limits: Limits) -> list[str]:
    """Return what an engine has left out: some take a setting, and ignore it."""
    lines = group.missing()
    if os.getuid() == 0:
        lines.append("a user that is not root")
    with open("/proc/self/status") as file:
        status = dict(line.rstrip().split(":\t", 1) for line in file if ":\t" in line)
    lines += [f"no capabilities ({name})" for name in ("CapEff", "CapPrm", "CapBnd") if int(status[name], 16)]
    for folder in ("/tmp", "/dev/shm"):
        found = os.statvfs(folder)
        if found.f_blocks * found.f_frsize > max(limits.disk_mib, 1) << 20:
            lines.append(f"a limit of bytes at {folder}")
        # 0 where the caller knows that the engine has no such limit.
        if limits.inodes and found.f_files > max(limits.inodes, 16):
            lines.append(f"a limit of inodes at {folder}")
    with open("/proc/net/route") as file:
        if len(file.readlines()) > 1:
            lines.append("no network")
    return lines


def main(path: str) -> None:
    """Connect to the caller's socket, and serve it as long as it is there."""
    # As pid 1 this process is spared all signals from inside, and its end ends everything else.
    control = socket.socket(socket.AF_UNIX)
    control.connect(path)
    request = frames.receive(control)
    if request is None:
        return
    plan = Plan.from_json(request[0])
    try:
        group = ContainerGroup()
        if lines := _missing(group, plan.limits):
            frames.send(control, {"error": [errno.EPERM, f"the engine left out: {'; '.join(lines)}"]})
            return
        os.environ.clear()
        privileges.forbid_new_privileges()
        # Its descriptors too: the socket to the caller is one of them.
        privileges.hide_memory()
        seccomp.install(seccomp.pack(seccomp.build(seccomp.FAMILIES, seccomp.NO_SYSTEM_V)))
        frames.send(control, {"ready": True})
        if not _filled(control):
            return
        Server(control, plan, Identity(os.getuid(), os.getgid(), switch=False), group).serve()
    except CallerGoneError:
        pass
    except OSError as error:
        frames.send(control, {"error": [error.errno, error.strerror or str(error)]})


def _filled(control: socket.socket) -> bool:
    """Take what the workspace begins with; return whether the caller is still there."""
    os.umask(0)
    while request := frames.receive(control):
        message, body = request
        start = 0
        for kind, path, mode, size in message["entries"]:
            _put(kind, f"{WORKSPACE}/{path}", mode, body[start : start + size])
            start += size
        frames.send(control, {"taken": True})
        if message["last"]:
            return True
    return False


def _put(kind: str, path: str, mode: int, content: bytes) -> None:
    """Make one entry. Nothing but the caller's own entries is there yet, and no folder among them is a link."""
    if kind == "folder":
        os.mkdir(path)
    elif kind == "link":
        os.symlink(os.fsdecode(content), path)
    elif kind == "pipe":
        os.mkfifo(path)
    elif kind == "file":
        with open(path, "ab") as file:
            file.write(content)
    elif kind == "mode":
        os.chmod(path, stat.S_IMODE(mode))
