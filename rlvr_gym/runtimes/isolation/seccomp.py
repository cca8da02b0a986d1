"""The filter of system calls: a classic BPF program, built by hand.

It names what is refused, since programs under test may use all the rest, but a call that is newer than this file is
refused too. Without it a network namespace would still let a program open AF_VSOCK sockets, which lead out of a virtual
machine.
"""

from __future__ import annotations

import ctypes
import errno
import socket
import stat
import struct
from collections.abc import Sequence

from .syscall_numbers import ARCHITECTURES, LAST_KNOWN, machine, number
from .syscalls import call

ALLOW = 0x7FFF0000
KILL = 0x80000000
_ERRNO = 0x00050000
REFUSE = _ERRNO | errno.EPERM
UNKNOWN = _ERRNO | errno.ENOSYS

_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _AND, _JUMP, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x54, 0x05, 0x06
_NUMBER_AT, _ARCHITECTURE_AT, _ARGUMENTS_AT = 0, 4, 16
_X32_BIT = 0x40000000

# CLONE_NEWNS, CGROUP, UTS, IPC, USER, PID, NET and TIME.
NEW_NAMESPACE = (
    0x00020000 | 0x02000000 | 0x04000000 | 0x08000000 | 0x10000000 | 0x20000000 | 0x40000000 | 0x80
)
_CLONE_NAMESPACE = NEW_NAMESPACE & ~0x80  # the low byte of clone's flags is a signal, not CLONE_NEWTIME

_SET_MODE_FILTER, _GET_ACTION_AVAIL = 1, 2
_TIOCSTI, _TIOCLINUX = 0x5412, 0x541C

FAMILIES = (socket.AF_UNIX, socket.AF_INET, socket.AF_INET6)
"""Address families of a sandbox whose network namespace leads nowhere."""

_REFUSED = (
    # other processes' memory
    "ptrace process_vm_readv process_vm_writev process_madvise process_mrelease kcmp pidfd_getfd "
    # mounts and roots
    "mount umount2 pivot_root chroot fsopen fsmount fsconfig fspick move_mount open_tree open_tree_attr mount_setattr "
    "swapon swapoff quotactl quotactl_fd acct "
    # namespaces
    "setns "
    # large or troubled parts of the kernel that programs under test do without
    "bpf perf_event_open userfaultfd io_uring_setup io_uring_enter io_uring_register keyctl add_key request_key "
    "fanotify_init memfd_secret vmsplice lookup_dcookie mbind set_mempolicy set_mempolicy_home_node migrate_pages "
    "move_pages "
    # files by number, which step around paths
    "name_to_handle_at open_by_handle_at "
    # the machine itself
    "kexec_load kexec_file_load init_module finit_module delete_module reboot syslog iopl ioperm modify_ldt "
    "settimeofday clock_settime clock_adjtime adjtimex sethostname setdomainname vhangup nfsservctl uselib ustat sysfs "
    "_sysctl"
).split()

_OF_A_PROCESS = ("prlimit64", "sched_setaffinity", "sched_setattr", "sched_setparam", "sched_setscheduler")
_PRIO_USER, _IOPRIO_USER = 2, 3

NO_SYSTEM_V = ("shmget", "msgget", "semget", "mq_open")
"""Calls that make what outlives a process: memory that no process has any more, and names for whoever comes next."""
UNCOUNTED = ("memfd_create",)
"""Files that no file system bounds: refused where no control group counts them."""

Instruction = tuple[int, int, int, int]


def _step(code: int, value: int, when_true: int = 0, when_false: int = 0) -> Instruction:
    return (code, when_true, when_false, value & 0xFFFFFFFF)


def _argument(index: int) -> Instruction:
    # The low half: every argument that is judged here is an int in the kernel, or has its flags in the low half.
    return _step(_LOAD, _ARGUMENTS_AT + 8 * index)


def _refuse() -> list[Instruction]:
    return [_step(_RETURN, REFUSE)]


def _allow_only(index: int, values: Sequence[int]) -> list[Instruction]:
    steps = [_argument(index)]
    for position, value in enumerate(values):
        steps.append(_step(_EQUAL, value, when_true=len(values) - position))
    return [*steps, _step(_RETURN, REFUSE), _step(_RETURN, ALLOW)]


def _refuse_bits(index: int, bits: int) -> list[Instruction]:
    return [
        _argument(index),
        _step(_ANY_BIT, bits, when_false=1),
        _step(_RETURN, REFUSE),
        _step(_RETURN, ALLOW),
    ]


def _refuse_values(index: int, values: Sequence[int], *, mask: int = 0xFFFFFFFF) -> list[Instruction]:
    steps = [_argument(index), _step(_AND, mask)]
    for position, value in enumerate(values):
        steps.append(_step(_EQUAL, value, when_true=len(values) - position))
    return [*steps, _step(_RETURN, ALLOW), _step(_RETURN, REFUSE)]


def _refuse_pair(first: int, second: int) -> list[Instruction]:
    """Refuse when the first argument is ``first``, or the second ``second``."""
    refuse, allow = _step(_RETURN, REFUSE), _step(_RETURN, ALLOW)
    steps = [
        _argument(0),
        _step(_EQUAL, first, when_true=2),
        _argument(1),
        _step(_EQUAL, second, when_false=1),
    ]
    return [*steps, refuse, allow]


def _rules(
    families: Sequence[int], further: Sequence[str], architecture: str
) -> dict[int, list[Instruction]]:
    devices = (stat.S_IFCHR, stat.S_IFBLK)
    rules = {name: _refuse() for name in [*_REFUSED, *further]}
    rules |= {
        "socket": _allow_only(0, families),
        "socketpair": _allow_only(0, [socket.AF_UNIX]),
        "clone": _refuse_bits(0, _CLONE_NAMESPACE),
        "unshare": _refuse_bits(0, NEW_NAMESPACE),
        # Its flags lie behind a pointer, where a filter cannot look; the C library falls back to clone.
        "clone3": [_step(_RETURN, UNKNOWN)],
        # 0 and 0xffffffff (ask), and the two that setarch and old programs use.
        "personality": _allow_only(0, [0, 0x8, 0x20000, 0x20008, 0xFFFFFFFF]),
        "ioctl": _refuse_values(1, [_TIOCSTI, _TIOCLINUX]),
        "mknod": _refuse_values(1, devices, mask=0o170000),
        "mknodat": _refuse_values(2, devices, mask=0o170000),
    }
    # Without root the server, pid 1, has the commands' user, whose limits and priorities they may change else.
    rules |= {name: _refuse_values(0, [1]) for name in _OF_A_PROCESS}
    rules |= {"setpriority": _refuse_pair(_PRIO_USER, 1), "ioprio_set": _refuse_pair(_IOPRIO_USER, 1)}
    numbered = {number(name, architecture): steps for name, steps in rules.items()}
    numbered.pop(-1, None)
    return numbered


def _search(rules: Sequence[tuple[int, list[Instruction]]]) -> list[Instruction]:
    """Return a binary search over sorted ``rules``: the kernel runs the program for every call."""
    if len(rules) <= 2:
        steps = []
        for value, block in rules:
            steps += [_step(_EQUAL, value, when_false=len(block)), *block]
        return [*steps, _step(_RETURN, ALLOW)]
    middle = len(rules) // 2
    low, high = _search(rules[:middle]), _search(rules[middle:])
    # A conditional jump reaches 255 steps, an unconditional one any number.
    return [_step(_AT_LEAST, rules[middle][0], when_false=1), _step(_JUMP, len(low)), *low, *high]


def build(families: Sequence[int], further: Sequence[str] = (), architecture: str = "") -> list[Instruction]:
    """Return the filter.

    Args:
        families: Address families that ``socket`` may open.
        further: Calls to refuse beside the usual ones.
        architecture: The processor's name; this machine's when empty.
    """
    architecture = architecture or machine()
    head = [
        _step(_LOAD, _ARCHITECTURE_AT),
        # Calls of another architecture (int 0x80) have other numbers.
        _step(_EQUAL, ARCHITECTURES[architecture], when_true=1),
        _step(_RETURN, KILL),
        _step(_LOAD, _NUMBER_AT),
        _step(_AT_LEAST, _X32_BIT, when_false=1),
        _step(_RETURN, KILL),
        _step(_AT_LEAST, LAST_KNOWN + 1, when_false=1),
        _step(_RETURN, UNKNOWN),
    ]
    # A load of an argument replaces the number, so each block ends by returning.
    return head + _search(sorted(_rules(families, further, architecture).items()))


def refuse_only(names: Sequence[str], architecture: str = "") -> list[Instruction]:
    """Return a program that refuses these calls, to be put on top of what ``build`` returned."""
    numbers = [number(name, architecture or machine()) for name in names]
    steps = [_step(_LOAD, _NUMBER_AT)]
    for position, value in enumerate(numbers):
        steps.append(_step(_EQUAL, value, when_true=len(numbers) - position))
    return [*steps, _step(_RETURN, ALLOW), _step(_RETURN, REFUSE)]


def pack(program: Sequence[Instruction]) -> bytes:
    """Return the program as the kernel reads it."""
    return b"".join(struct.pack("HBBI", *step) for step in program)


def install(packed: bytes) -> None:
    """Put the filter on this process, for good; it must have set no_new_privs before."""
    buffer = ctypes.create_string_buffer(packed, len(packed))
    header = struct.pack("HP", len(packed) // 8, ctypes.addressof(buffer))
    call("seccomp", _SET_MODE_FILTER, 0, header)


def supported() -> bool:
    """Return whether the kernel takes filters and we know this processor's numbers."""
    if machine() not in ARCHITECTURES:
        return False
    try:
        call("seccomp", _GET_ACTION_AVAIL, 0, struct.pack("I", _ERRNO))
    except OSError:
        return False
    return True
