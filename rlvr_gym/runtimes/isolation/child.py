"""What a forked child does before untrusted code gets it, and how trusted errands run under the sandbox's user."""

from __future__ import annotations

import fcntl
import os
import signal
from collections.abc import Mapping, Sequence
from typing import NamedTuple, NoReturn

from . import privileges, rlimits, syscalls
from .cgroups import Group
from .settings import Limits


class Identity(NamedTuple):
    """Whom the sandbox's commands run as."""

    uid: int
    gid: int
    switch: bool
    """Whether to turn into that user; without root the process already is it."""


def sealed_file(content: bytes | memoryview) -> int:
    """Return a descriptor of an unchangeable file in memory that holds ``content``, at its beginning."""
    fd = os.memfd_create("stdin", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
    view = memoryview(content)
    while view:
        view = view[os.write(fd, view) :]
    os.lseek(fd, 0, os.SEEK_SET)
    add_seals, all_seals = 1033, 0xF
    fcntl.fcntl(fd, add_seals, all_seals)
    return fd


def settle(identity: Identity, limits: Limits, group: Group | None) -> None:
    """Enter the limits, and give up what this process has over the untrusted code that follows."""
    if group:
        group.join()
    rlimits.apply(limits, cgroups=group is not None)
    if identity.switch:
        privileges.become(identity.uid, identity.gid)
    os.umask(0o022)
    # Python ignores these, and a program that it starts would too.
    for number in (signal.SIGPIPE, signal.SIGXFSZ, signal.SIGCHLD):
        signal.signal(number, signal.SIG_DFL)


def place(streams: Sequence[int]) -> None:
    """Make ``streams`` the descriptors 0, 1, 2 and so on, and close all others."""
    # None of them is among the targets: those have been open since the launcher began.
    for target, fd in enumerate(streams):
        os.dup2(fd, target, inheritable=target < 3)
    syscalls.close_from(len(streams))


def execute(argv: Sequence[str], cwd: str, env: Mapping[str, str], failure: int) -> NoReturn:
    """Become the program ``argv``, or say on ``failure`` why not."""
    try:
        os.chdir(cwd)
        os.execvpe(argv[0], list(argv), dict(env))
    except (OSError, ValueError) as error:
        code = 127 if isinstance(error, FileNotFoundError) else 126
        os.write(failure, f"{code} {argv[0]!a}: {error}".encode()[:4096])
    os._exit(127)
