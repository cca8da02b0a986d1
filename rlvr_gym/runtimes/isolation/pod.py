"""The tier ``landlock``: for a container that forbids namespaces to root. Weaker than the others, and so only by name.

Each command runs as a user who owns nothing and exists nowhere else, may read the system folders, may write two folders
of its own, and may open no socket. What it does not hide: that other files and processes exist. What it cannot do: show
folders at other paths than their own, so ``/workspace`` is where commands start but no path for them to name.
"""

from __future__ import annotations

import os
import select
import signal
import socket
import stat
from typing import Any

from . import cgroups, child, frames, privileges, seccomp, syscalls
from .child import Identity
from .landlock import Ruleset
from .meters import FolderMeter
from .server import Server, kill_everyone
from .settings import Limits, Plan
from .watch import Meter
from .workspace import WORKSPACE, copy_tree

FIRST_UID = 0x70000000
"""Start of a range that no distribution hands out; each launcher adds its pid, so no two sandboxes share a user."""
_PR_SET_PDEATHSIG, _PR_SET_CHILD_SUBREAPER = 1, 36
_SYSTEM = (
    "/usr",
    "/bin",
    "/sbin",
    "/lib",
    "/lib32",
    "/lib64",
    "/etc/ld.so.cache",
    "/etc/alternatives",
    "/etc/localtime",
)
_DEVICES = ("/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom")


def base() -> str:
    """Return the folder that holds the folders of all such sandboxes."""
    return "/tmp"


def main(control: socket.socket, plan: Plan, caller: int) -> None:
    """Serve a sandbox without namespaces, and clean up after it."""
    identity = Identity(FIRST_UID + os.getpid(), FIRST_UID + os.getpid(), switch=True)
    folder = f"{base()}/{cgroups.name()}"
    _prepare(plan, identity, folder)
    pid = os.fork()
    if not pid:
        try:
            syscalls.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
            _serve(control, plan, identity, folder)
        finally:
            os._exit(0)
    control.close()
    inside = os.pidfd_open(pid)
    select.select([inside, caller], [], [])
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
    kill_user(identity.uid)
    remove(folder)


def _prepare(plan: Plan, identity: Identity, folder: str) -> None:
    os.mkdir(folder, 0o711)
    for name in ("workspace", "tmp"):
        os.mkdir(f"{folder}/{name}")
        os.chown(f"{folder}/{name}", identity.uid, identity.gid)
    if plan.workspace:
        copy_tree(plan.workspace, f"{folder}/workspace", identity.uid, identity.gid)


def _serve(control: socket.socket, plan: Plan, identity: Identity, folder: str) -> None:
    # Orphans come to this process, which can bury them then.
    syscalls.prctl(_PR_SET_CHILD_SUBREAPER, 1)
    os.setsid()
    readable = [*_SYSTEM, *plan.binds.values()]
    rules = Ruleset(readable, [f"{folder}/workspace", f"{folder}/tmp", *_DEVICES])
    privileges.keep_capabilities(privileges.FOR_COMMANDS)
    privileges.forbid_new_privileges()
    privileges.hide_memory()
    seccomp.install(seccomp.pack(seccomp.build([], seccomp.NO_SYSTEM_V)))
    frames.send(control, {"ready": True})
    PodServer(control, plan, identity, folder, rules).serve()


class PodServer(Server):
    """A command server whose commands share the machine's process list."""

    def __init__(
        self, control: socket.socket, plan: Plan, identity: Identity, folder: str, rules: Ruleset
    ) -> None:
        temporary = {"HOME": f"{folder}/tmp", "TMPDIR": f"{folder}/tmp"}
        super().__init__(control, plan._replace(env={**plan.env, **temporary}), identity, None)
        self.workspace = f"{folder}/workspace"
        self._folder = folder
        self._rules = rules

    def meter(self) -> Meter:
        """Return what measures a command."""
        return FolderMeter(self.plan.limits, self._folder, self.identity.uid)

    def confine(self, limits: Limits) -> None:
        """Give up what this process, a command's, has over the command."""
        self._rules.enforce()
        child.settle(self.identity, limits, None)
        self.filter_further()

    def place_of(self, cwd: str) -> str:
        """Return the host folder for a folder of the sandbox."""
        if cwd == WORKSPACE or cwd.startswith(f"{WORKSPACE}/"):
            return self.workspace + cwd[len(WORKSPACE) :]
        return cwd

    def kill(self, _: bool) -> None:
        """Kill all processes of the sandbox's user."""
        kill_user(self.identity.uid)


def kill_user(uid: int) -> None:
    """Kill all processes of a user, under one lock in the kernel: as that user, who may signal no other's."""
    killer = os.fork()
    if not killer:
        try:
            privileges.become(uid, uid)
            kill_everyone(True)
        finally:
            os._exit(0)
    os.waitpid(killer, 0)


def remove(folder: str) -> None:
    """Remove a sandbox's folder, whatever lies in it: paths may be longer than the kernel takes."""
    os.spawnv(os.P_WAIT, "/bin/rm", ["rm", "-rf", "--one-file-system", "--", folder])


def sweep() -> list[str]:
    """Remove the folders of dead launchers, after killing what still runs in them; return them."""
    removed = []
    with os.scandir(base()) as entries:
        dead = [entry.path for entry in entries if cgroups.is_dead(entry.name) and _is_roots(entry)]
    for folder in dead:
        kill_user(FIRST_UID + int(folder.split(".")[-2]))
        remove(folder)
        removed.append(folder)
    return removed


def _is_roots(entry: os.DirEntry[Any]) -> bool:
    """Return whether root made a folder: anybody may make one with such a name in /tmp."""
    found = entry.stat(follow_symlinks=False)
    return stat.S_ISDIR(found.st_mode) and found.st_uid == 0
