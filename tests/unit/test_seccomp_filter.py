"""The system-call filter, run step by step as the kernel would."""

from __future__ import annotations

import socket
import struct

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rlvr_gym.runtimes.isolation import seccomp
from rlvr_gym.runtimes.isolation.syscall_numbers import ARCHITECTURES, LAST_KNOWN, number

INET = [socket.AF_UNIX, socket.AF_INET, socket.AF_INET6]
EPERM, ENOSYS = seccomp.REFUSE, seccomp.UNKNOWN


def judge(
    program: list[seccomp.Instruction], call: int, *arguments: int, machine: str = "x86_64", audit: int = 0
) -> int:
    """Return what the filter returns for a call."""
    padded = [*arguments, *[0] * (6 - len(arguments))]
    data = struct.pack("<IIQ6Q", call, audit or ARCHITECTURES[machine], 0, *padded)
    accumulator, at = 0, 0
    while True:
        code, when_true, when_false, value = program[at]
        at += 1
        if code == 0x20:
            (accumulator,) = struct.unpack_from("<I", data, value)
        elif code == 0x54:
            accumulator &= value
        elif code == 0x05:
            at += value
        elif code == 0x06:
            return value
        else:
            holds = {
                0x15: accumulator == value,
                0x35: accumulator >= value,
                0x45: bool(accumulator & value),
            }[code]
            at += when_true if holds else when_false


@pytest.fixture(params=sorted(ARCHITECTURES))
def machine(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.mark.parametrize("name", seccomp._REFUSED)
def test_a_named_call_is_refused(name: str, machine: str) -> None:
    call = number(name, machine)
    if call >= 0:
        program = seccomp.build(INET, architecture=machine)
        assert judge(program, call, machine=machine) == EPERM


def test_a_filter_on_top_refuses_what_it_names_and_nothing_else(machine: str) -> None:
    names = [*seccomp.UNCOUNTED, *seccomp.NO_SYSTEM_V]
    program = seccomp.refuse_only(names, machine)
    refused = {number(name, machine) for name in names}
    assert len(refused) == len(names)
    for call in range(LAST_KNOWN + 1):
        wanted = EPERM if call in refused else seccomp.ALLOW
        assert judge(program, call, machine=machine) == wanted


def test_ordinary_calls_pass(machine: str) -> None:
    program = seccomp.build(INET, architecture=machine)
    ordinary = {
        "x86_64": [0, 1, 3, 9, 39, 57, 59, 61, 202, 257, 318],
        "aarch64": [63, 64, 57, 222, 172, 221, 98, 56],
    }
    assert {judge(program, call, machine=machine) for call in ordinary[machine]} == {seccomp.ALLOW}


@pytest.mark.parametrize("family", range(50))
def test_only_the_given_families_open(family: int, machine: str) -> None:
    program = seccomp.build(INET, architecture=machine)
    expected = seccomp.ALLOW if family in INET else EPERM
    assert judge(program, number("socket", machine), family, 1, 0, machine=machine) == expected
    pairs = seccomp.ALLOW if family == socket.AF_UNIX else EPERM
    assert judge(program, number("socketpair", machine), family, machine=machine) == pairs


def test_no_families_means_no_sockets(machine: str) -> None:
    program = seccomp.build([], architecture=machine)
    assert judge(program, number("socket", machine), socket.AF_UNIX, machine=machine) == EPERM


@pytest.mark.parametrize("flag", [1 << bit for bit in (17, 25, 26, 27, 28, 29, 30)])
def test_new_namespaces_are_refused_among_any_flags(flag: int, machine: str) -> None:
    program = seccomp.build(INET, architecture=machine)
    threads = 0x3D0F00
    for name in ("clone", "unshare"):
        assert judge(program, number(name, machine), flag | threads, machine=machine) == EPERM
        assert judge(program, number(name, machine), threads & ~0x20000, machine=machine) == seccomp.ALLOW
    assert judge(program, number("clone3", machine), 0, 88, machine=machine) == ENOSYS


def test_fork_with_a_signal_passes(machine: str) -> None:
    program = seccomp.build(INET, architecture=machine)
    assert judge(program, number("clone", machine), 0x01200011, machine=machine) == seccomp.ALLOW


def test_another_architecture_is_killed(machine: str) -> None:
    program = seccomp.build(INET, architecture=machine)
    for audit in (0x40000003, 0x40000028, *(set(ARCHITECTURES.values()) - {ARCHITECTURES[machine]})):
        assert judge(program, 20, machine=machine, audit=audit) == seccomp.KILL


def test_x32_is_killed() -> None:
    program = seccomp.build(INET, architecture="x86_64")
    assert judge(program, 0x40000000 | 39) == seccomp.KILL


def test_calls_nobody_has_judged_do_not_exist(machine: str) -> None:
    program = seccomp.build(INET, architecture=machine)
    assert judge(program, LAST_KNOWN + 1, machine=machine) == ENOSYS
    assert judge(program, 1000, machine=machine) == ENOSYS


def test_devices_are_refused_and_pipes_made(machine: str) -> None:
    program = seccomp.build(INET, architecture=machine)
    call = number("mknodat", machine)
    for kind, expected in (
        (0o020000, EPERM),
        (0o060000, EPERM),
        (0o010000, seccomp.ALLOW),
        (0o100000, seccomp.ALLOW),
    ):
        assert judge(program, call, 0, 0, kind | 0o644, machine=machine) == expected


def test_input_cannot_be_pushed_into_terminals(machine: str) -> None:
    program = seccomp.build(INET, architecture=machine)
    for request, expected in ((0x5412, EPERM), (0x541C, EPERM), (0x5401, seccomp.ALLOW)):
        # The kernel looks at the low half only, and so does the filter.
        for high in (0, 1 << 32):
            assert judge(program, number("ioctl", machine), 1, request | high, machine=machine) == expected


@pytest.mark.parametrize("name", seccomp._OF_A_PROCESS)
def test_pid_1_is_left_alone(name: str, machine: str) -> None:
    program = seccomp.build(INET, architecture=machine)
    verdicts = [judge(program, number(name, machine), pid, machine=machine) for pid in (0, 1, 2)]
    assert verdicts == [seccomp.ALLOW, EPERM, seccomp.ALLOW]


def test_the_priority_of_a_user_or_of_pid_1_is_left_alone(machine: str) -> None:
    program = seccomp.build(INET, architecture=machine)
    for name, user in (("setpriority", 2), ("ioprio_set", 3)):
        verdicts = [
            judge(program, number(name, machine), *pair, machine=machine)
            for pair in ((0, 0), (0, 1), (user, 0), (1, 7))
        ]
        assert verdicts == [seccomp.ALLOW, EPERM, EPERM, seccomp.ALLOW]


def test_further_calls_can_be_refused(machine: str) -> None:
    program = seccomp.build([], ["shmget"], architecture=machine)
    assert judge(program, number("shmget", machine), machine=machine) == EPERM
    assert (
        judge(seccomp.build([], architecture=machine), number("shmget", machine), machine=machine)
        == seccomp.ALLOW
    )


@given(call=st.integers(0, 2**32 - 1), arguments=st.lists(st.integers(0, 2**64 - 1), max_size=6))
def test_every_call_gets_a_verdict(call: int, arguments: list[int]) -> None:
    program = seccomp.build(INET, architecture="x86_64")
    assert judge(program, call, *arguments) in (seccomp.ALLOW, seccomp.KILL, EPERM, ENOSYS)


def test_the_kernel_takes_it() -> None:
    program = seccomp.build(INET, architecture="x86_64")
    assert len(seccomp.pack(program)) == 8 * len(program)
    # The kernel's own bound on filters.
    assert len(program) <= 4096
