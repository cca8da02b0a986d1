"""From a fresh interpreter to a sandbox: the launcher stays outside and cleans up, its child becomes pid 1 inside."""

from __future__ import annotations

import fcntl
import os
import select
import signal
import socket
import struct
import sys
from typing import Protocol

from . import cgroups, frames, pod, privileges, root, seccomp, syscalls, workspace
from .child import Identity
from .server import Server
from .settings import Plan
from .watch import CallerGoneError

_NEWNS, _NEWCGROUP, _NEWUTS, _NEWIPC = 0x00020000, 0x02000000, 0x04000000, 0x08000000
_NEWUSER, _NEWPID, _NEWNET = 0x10000000, 0x20000000, 0x40000000
_PR_SET_PDEATHSIG = 1
_INSIDE_UID = 1000
_SIOCSIFFLAGS, _IFF_UP = 0x8914, 1
"""Address families that programs may open, in a network namespace that has nothing but itself."""


def main(control_fd: int) -> None:
    """Make the sandbox that the first message on the control socket asks for, and clean up after it."""
    os.dup2(control_fd, 3)
    syscalls.close_from(4)
    control = socket.socket(fileno=3)
    request = frames.receive(control)
    if request is None:
        return
    plan = Plan.from_json(request[0])
    if plan.kind == "zygote":
        # For commands it would be a fifth of the time that a start takes.
        from . import warm  # noqa: F401
    caller = os.pidfd_open(plan.parent)
    group = None
    try:
        # A machine out of memory should take a sandbox rather than what watches it.
        with open("/proc/self/oom_score_adj", "w") as file:
            file.write("1000")
        if plan.tier == "landlock":
            pod.main(control, plan, caller)
            return
        if plan.cgroups:
            group = cgroups.Group(plan.cgroups, cgroups.name())
            group.limit(plan.limits.memory_mib + plan.limits.disk_mib << 20, plan.limits.pids)
        identity, owners = _prepare(plan)
        syscalls.unshare(_NEWPID)
        pid = os.fork()
        if not pid:
            _inside(control, plan, identity, owners, group)
        control.close()
        _outlive(pid, caller)
    except OSError as error:
        report(control, error)
    finally:
        if group:
            group.remove()


class Served(Protocol):
    """What answers requests inside."""

    def serve(self) -> None:
        """Answer requests until the caller closes the socket."""
        ...


def report(control: socket.socket, error: OSError) -> None:
    """Tell the caller what the kernel refused."""
    text = error.strerror or str(error)
    frames.send(control, {"error": [error.errno, f"{error.filename}: {text}" if error.filename else text]})


Owners = dict[workspace.Owner, int]
"""User namespaces that shift an owner to the sandbox's user."""


def _prepare(plan: Plan) -> tuple[Identity, Owners]:
    """Return whom commands run as, and how the owners of the given folders are shifted to them."""
    if plan.tier == "root":
        uid = pod.FIRST_UID + os.getpid()
        given = [*plan.binds.values(), *([plan.workspace] if plan.workspace else [])]
        owners = {owner: workspace.shift(owner, uid, uid) for owner in set(map(workspace.owner_of, given))}
        return Identity(uid, uid, switch=True), owners
    uid, gid = os.geteuid(), os.getegid()
    syscalls.unshare(_NEWUSER)
    for name, line in (
        ("setgroups", "deny"),
        ("uid_map", f"{_INSIDE_UID} {uid} 1"),
        ("gid_map", f"{_INSIDE_UID} {gid} 1"),
    ):
        with open(f"/proc/self/{name}", "w") as file:
            file.write(line)
    # Counted per user of the machine, and this is the caller's: nothing inside may use up the caller's share.
    for name, most in (("user_namespaces", 0), ("inotify_instances", 64), ("inotify_watches", 16384)):
        with open(f"/proc/sys/user/max_{name}", "w") as file:
            file.write(str(most))
    return Identity(_INSIDE_UID, _INSIDE_UID, switch=False), {}


def _outlive(pid: int, caller: int) -> None:
    """Wait for pid 1, or for the caller's death, which a socket alone does not tell: a fork may have copied it."""
    inside = os.pidfd_open(pid)
    select.select([inside, caller], [], [])
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)


def _inside(
    control: socket.socket, plan: Plan, identity: Identity, owners: Owners, group: cgroups.Group | None
) -> None:
    """Become pid 1 of the sandbox. Never returns."""
    try:
        # Kept through the drop of capabilities below, since those only get fewer.
        syscalls.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
        try:
            _build(plan, identity, owners)
            served = _served(control, plan, identity, group)
        except OSError as error:
            report(control, error)
            return
        frames.send(control, {"ready": True})
        served.serve()
    except CallerGoneError:
        pass
    except BaseException:
        # The caller reads the last line of it.
        sys.excepthook(*sys.exc_info())
    finally:
        os._exit(0)


def _build(plan: Plan, identity: Identity, owners: Owners) -> None:
    os.setsid()
    syscalls.unshare(_NEWNS | _NEWUTS | _NEWIPC | _NEWNET | _NEWCGROUP)
    socket.sethostname("sandbox")
    _loopback_up()
    shifts = {inside: owners[workspace.owner_of(host)] for inside, host in plan.binds.items() if owners}
    owner = owners[workspace.owner_of(plan.workspace)] if owners and plan.workspace else -1
    source = workspace.Source(plan.workspace, owner)
    trees = root.begin(plan.binds, shifts)
    for namespace in owners.values():
        os.close(namespace)
    root.fill(trees, identity.uid, identity.gid)
    if plan.kind == "zygote":
        root.link_box()
    else:
        source.mount(plan.limits, identity.uid, identity.gid, in_user_namespace=not identity.switch)
    root.mount_proc(hide_others=identity.switch)
    root.enter(plan.hidden, plan.links)
    os.environ.clear()


def _loopback_up() -> None:
    """Let programs in the sandbox talk to each other over 127.0.0.1; nothing else is there."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        request = struct.pack("16sH14x", b"lo", _IFF_UP)
        fcntl.ioctl(any_socket, _SIOCSIFFLAGS, request)


def _served(control: socket.socket, plan: Plan, identity: Identity, group: cgroups.Group | None) -> Served:
    """Return what answers requests, after giving up all that it does not need."""
    if plan.kind == "zygote":
        # It makes namespaces for each run, and each run gives up the rest.
        privileges.keep_capabilities(privileges.FOR_RUNS)
        privileges.hide_memory()
        # Imported by now; this module is out of reach where we are.
        from .warm import Zygote

        zygote = Zygote(control, plan, identity, group)
        zygote.warm_up()
        return zygote
    privileges.keep_capabilities(privileges.FOR_COMMANDS if identity.switch else ())
    privileges.forbid_new_privileges()
    privileges.hide_memory()
    seccomp.install(seccomp.pack(seccomp.build(seccomp.FAMILIES, seccomp.NO_SYSTEM_V)))
    return Server(control, plan, identity, group)
