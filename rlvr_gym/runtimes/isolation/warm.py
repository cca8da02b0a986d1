"""The zygote: pid 1 of an isolated root, which imports modules once and forks for each program.

Each fork gets its own pid and mount namespace, its own file system to write to, its control group's limits, another user,
and a stricter filter: no sockets but pairs, so one network namespace without any device serves all runs.
"""

from __future__ import annotations

import gc
import importlib
import os
import signal
import socket
import sys
from typing import Any, NoReturn

from . import child, files, frames, privileges, root, seccomp, syscalls
from .cgroups import Group
from .child import Identity
from .meters import GroupMeter, ProcMeter
from .program import run_program
from .server import summary
from .settings import Limits, Plan
from .spool import Spool
from .watch import Meter, Reaper, Watch
from .workspace import WORKSPACE

_NEWNS, _NEWPID = 0x00020000, 0x20000000
_BOX = "/box"
_THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMEXPR_NUM_THREADS")
_CHANNEL, _FAILURE = 3, 4


class Zygote:
    """Answers ``run`` requests until the caller goes away."""

    def __init__(self, control: socket.socket, plan: Plan, identity: Identity, group: Group | None) -> None:
        self._control = control
        self._plan = plan
        self._identity = identity
        self._group = group
        self._own_pids = os.open("/proc/self/ns/pid", os.O_RDONLY | os.O_CLOEXEC)
        further = seccomp.NO_SYSTEM_V if group else (*seccomp.NO_SYSTEM_V, *seccomp.UNCOUNTED)
        self._filter = seccomp.pack(seccomp.build([], further))
        self._reaper = Reaper()

    def warm_up(self) -> None:
        """Import what the programs will want.

        Raises:
            OSError: a module that cannot be imported.
        """
        # One thread per run: a fork takes along none of the threads that a numerical library starts at import.
        os.environ.update(dict.fromkeys(_THREADS, "1"), **self._plan.env)
        sys.path[:0] = self._plan.path
        for module in self._plan.imports:
            try:
                importlib.import_module(module)
            except ImportError as error:
                raise OSError(0, f"import {module}: {error}") from error
        gc.collect()
        # A collection in a fork would write to every object, and so copy every page.
        gc.freeze()

    def serve(self) -> None:
        """Answer requests until the caller closes the socket."""
        while request := frames.receive_spool(self._control):
            self._run(*request)

    def _run(self, message: dict[str, Any], body: Spool) -> None:
        limits = Limits(*message["limits"])
        if self._group:
            self._group.limit(limits.memory_mib + limits.disk_mib << 20, limits.pids)
        meter: Meter = GroupMeter(self._group, limits) if self._group else ProcMeter(limits)
        stdin = child.sealed_file(body.part(0, message["sizes"][0]))
        out, err, channel, failure = os.pipe(), os.pipe(), os.pipe(), os.pipe()
        ends = [stdin, out[1], err[1], channel[1], failure[1]]
        syscalls.unshare(_NEWPID)
        pid = os.fork()
        if not pid:
            self._inside(message, _split(body, message["sizes"]), limits, ends)
        body.close()
        # Children of the namespace's first process cannot be forked from here; the next run makes its own.
        syscalls.setns(self._own_pids, _NEWPID)
        for fd in ends:
            os.close(fd)
        pipes = {"stdout": out[0], "stderr": err[0], "channel": channel[0], "failure": failure[0]}

        def kill(ended: bool) -> None:
            # It is pid 1 of its namespace: once it has ended, so has everything in there.
            if not ended:
                os.kill(pid, signal.SIGKILL)

        watch = Watch(pid, pipes, kill, self._control, self._reaper)
        outcome = watch.run(limits, meter, limits.wall_s, apart=True)
        if why := watch.spools["failure"].copy(0, len(watch.spools["failure"])):
            outcome = outcome._replace(end="lost", code=None, detail=why.decode())
        spools = [watch.spools[name] for name in ("stdout", "stderr", "channel")]
        frames.send_spools(self._control, summary(outcome, [len(spool) for spool in spools]), spools)
        for spool in watch.spools.values():
            spool.close()

    def _inside(
        self, message: dict[str, Any], parts: list[bytes], limits: Limits, streams: list[int]
    ) -> NoReturn:
        """Turn this fork into a run of its own. Never returns."""
        failure = streams[-1]
        try:
            signal.set_wakeup_fd(-1)
            os.setsid()
            self._private_root(limits)
            child.settle(self._identity, limits, self._group)
            child.place(streams)
            failure = _FAILURE
            if not self._identity.switch:
                privileges.keep_capabilities(())
            # What a run holds is its own; and the zygote has to see how much of it is shared.
            privileges.hide_memory(hidden=False)
            privileges.forbid_new_privileges()
            seccomp.install(self._filter)
            os.chdir(WORKSPACE)
            for name, content in zip(message["files"], parts[4:], strict=True):
                files.write(WORKSPACE, name, content, 0o644)
            os.close(failure)
            run_program(
                parts[1], parts[2], parts[3] if message["harness"] else None, message["argv"], _CHANNEL
            )
        except BaseException as error:
            # Of our own steps: the program's failures end in run_program.
            os.write(failure, f"the run did not start: {error!r}"[:4000].encode())
        finally:
            os._exit(125)

    def _private_root(self, limits: Limits) -> None:
        syscalls.unshare(_NEWNS)
        root.scratch(_BOX, limits)
        for name, mode in (("tmp", 0o1777), ("shm", 0o1777), ("workspace", 0o755)):
            root.own_folder(f"{_BOX}/{name}", self._identity.uid, self._identity.gid, mode)
        root.mount_own_proc()


def _split(body: Spool, sizes: list[int]) -> list[bytes]:
    parts, start = [], 0
    for size in sizes:
        parts.append(body.copy(start, start + size))
        start += size
    return parts
