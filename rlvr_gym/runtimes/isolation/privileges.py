"""Giving up what root can do: capabilities, users, and the hope of getting them back."""

from __future__ import annotations

import os
import struct

from .syscalls import call, prctl

# Numbers from linux/capability.h.
_CHOWN, _DAC_OVERRIDE, _FOWNER, _KILL, _SETGID, _SETUID, _SETPCAP, _SYS_ADMIN = 0, 1, 3, 5, 6, 7, 8, 21
FOR_COMMANDS = (_KILL, _SETGID, _SETUID, _SETPCAP)
"""What pid 1 needs to turn its children into another user, and to kill them."""
FOR_RUNS = (*FOR_COMMANDS, _CHOWN, _DAC_OVERRIDE, _FOWNER, _SYS_ADMIN)
"""What a zygote needs to make namespaces and mounts for each run."""

_LAST = 63
_PR_SET_DUMPABLE, _PR_CAPBSET_READ, _PR_CAPBSET_DROP = 4, 23, 24
_PR_SET_NO_NEW_PRIVS, _PR_SET_SECUREBITS, _PR_CAP_AMBIENT = 38, 28, 47
_AMBIENT_CLEAR_ALL = 4
_VERSION_3 = 0x20080522


def keep_capabilities(kept: tuple[int, ...]) -> None:
    """Drop all capabilities but ``kept``, from the bounding set too, so that no program can bring them back."""
    for capability in range(_LAST + 1):
        if capability in kept:
            continue
        try:
            if prctl(_PR_CAPBSET_READ, capability):
                prctl(_PR_CAPBSET_DROP, capability)
        except OSError:
            break  # past the last one that this kernel knows, or no SETPCAP: then there is none to give away
    prctl(_PR_CAP_AMBIENT, _AMBIENT_CLEAR_ALL)
    _set_capabilities(kept)


def _set_capabilities(kept: tuple[int, ...]) -> None:
    mask = sum(1 << capability for capability in kept)
    low, high = mask & 0xFFFFFFFF, mask >> 32
    # effective, permitted, inheritable of the low half, then of the high half
    data = struct.pack("6I", low, low, 0, high, high, 0)
    call("capset", struct.pack("Ii", _VERSION_3, 0), data)


def forbid_new_privileges() -> None:
    """Make set-user-id files and file capabilities without effect from now on, for children too."""
    prctl(_PR_SET_NO_NEW_PRIVS, 1)


def hide_memory(*, hidden: bool = True) -> None:
    """Close this process's memory, environment and descriptors to processes of the same user, or open them again."""
    prctl(_PR_SET_DUMPABLE, int(not hidden))


def become(uid: int, gid: int) -> None:
    """Turn into another user for good, with no groups and no capabilities."""
    for capability in FOR_RUNS:
        prctl(_PR_CAPBSET_DROP, capability)
    os.setgroups([])
    os.setresgid(gid, gid, gid)
    os.setresuid(uid, uid, uid)
    _set_capabilities(())
