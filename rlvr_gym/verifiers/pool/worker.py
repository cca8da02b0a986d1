"""The worker's side: take a job, run it, answer with data."""

from __future__ import annotations

import ctypes
import os
import pickle
import resource
import signal
import socket
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, BinaryIO

from rlvr_gym.verifiers.pool import reply, wire
from rlvr_gym.verifiers.pool.reference import Reference

_PR_SET_PDEATHSIG = 1
_serving = False


def in_worker() -> bool:
    """Return whether this process is a worker, where a judge is under a limit already."""
    return _serving


@dataclass(frozen=True, slots=True)
class Limits:
    """What a worker may use."""

    memory_mib: int
    open_files: int


def settle(limits: Limits, server: int, output: int) -> None:
    """Make the freshly forked process a worker: own group, limits, dies with the fork server.

    Args:
        limits: What it may use.
        server: Process id of the fork server.
        output: Descriptor that becomes its standard output and error; some libraries print why they abort on the
            one, some on the other.
    """
    os.setsid()
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != server:
        # It ended before it could have taken us with it.
        os._exit(1)
    os.dup2(output, 1)
    os.dup2(output, 2)
    os.close(output)
    limit(resource.RLIMIT_AS, limits.memory_mib << 20)
    limit(resource.RLIMIT_CORE, 0)
    limit(resource.RLIMIT_NOFILE, limits.open_files)


def limit(kind: int, amount: int) -> None:
    """Lower a resource limit for good; one that is lower already stays."""
    hard = resource.getrlimit(kind)[1]
    amount = amount if hard == resource.RLIM_INFINITY else min(amount, hard)
    resource.setrlimit(kind, (amount, amount))


def serve(link: socket.socket, references: Sequence[bytes]) -> None:
    """Run jobs until the link closes.

    Args:
        link: Where jobs come from and replies go to.
        references: Functions to import before the worker says that it is ready.
    """
    global _serving
    _serving = True
    for data in references:
        try:
            Reference.decode(data).load()
        except Exception as error:
            # The first call of that function meets the same error and reports it to the caller.
            sys.stderr.write(f"{error}\n")
    link.sendall(wire.frame(wire.READY, str(os.getpid()).encode()))
    functions: dict[int, Callable[..., Any]] = {}
    jobs = link.makefile("rb")
    while head := _read(jobs, wire.JOB.size):
        number, reference_size, size, cpu_s, several = wire.JOB.unpack(head)
        reference = jobs.read(reference_size)
        arguments = jobs.read(size)
        try:
            if reference:
                functions[number] = Reference.decode(reference).load()
                link.sendall(wire.frame(wire.LOADED))
            answer = wire.frame(wire.VALUE, _run(functions[number], arguments, cpu_s, several))
        except MemoryError:
            answer = wire.frame(wire.MEMORY)
        except BaseException as error:
            answer = wire.frame(wire.ERROR, reply.pack_error(error))
        link.sendall(answer)


def _read(jobs: BinaryIO, size: int) -> bytes:
    """Return nothing when the parent has hung up, in whatever way."""
    try:
        return jobs.read(size)
    except ConnectionError:
        return b""


def _run(function: Callable[..., Any], arguments: bytes, cpu_s: float, several: bool) -> bytes:
    hard = resource.getrlimit(resource.RLIMIT_CPU)[1]
    # Counted from what earlier jobs used. It ends the worker even where nobody is left to watch the clock.
    resource.setrlimit(resource.RLIMIT_CPU, (int(time.process_time() + cpu_s) + 1, hard))
    # Written by the parent. A response is a plain string in it, and what goes back is JSON.
    data = pickle.loads(arguments)
    if several:
        return b"[" + b",".join(reply.pack_value(function(*each)) for each in data) + b"]"
    return reply.pack_value(function(*data))
