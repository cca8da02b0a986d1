"""Parts of the launcher that need no rights: control groups on made-up trees, frames, spools, checks."""

from __future__ import annotations

import json
import os
import signal
import socket
import struct
import threading
from pathlib import Path

import pytest

from rlvr_gym.runtimes.isolation import cgroups, checks, frames, interpreter
from rlvr_gym.runtimes.isolation.settings import Limits, Plan
from rlvr_gym.runtimes.isolation.spool import Spool

LIMITS = Limits(1.0, 1.0, 64, 8, 16, 100, 1000, 32)


def found(tmp_path: Path, mounts: str, membership: str) -> tuple[cgroups.Groups, list[str]]:
    (tmp_path / "mountinfo").write_text(mounts.format(at=tmp_path))
    (tmp_path / "cgroup").write_text(membership)
    return cgroups.find(str(tmp_path / "mountinfo"), str(tmp_path / "cgroup"))


V1 = """\
30 20 0:1 / {at}/memory rw - cgroup cgroup rw,memory
31 20 0:2 / {at}/pids rw shared:5 - cgroup cgroup rw,pids
32 20 0:3 / {at}/cpu,cpuacct rw - cgroup cgroup rw,cpu,cpuacct
33 20 0:4 / {at}/unified rw - cgroup2 cgroup2 rw
"""


def test_groups_of_version_1_lie_below_our_own(tmp_path: Path) -> None:
    for folder in ("memory/job", "pids", "cpu,cpuacct/a/b"):
        (tmp_path / folder).mkdir(parents=True)
    groups, missing = found(tmp_path, V1, "4:memory:/job\n3:pids:/\n2:cpu,cpuacct:/a/b\n0::/\n")
    assert missing == []
    assert dict(groups) == {
        "memory": f"{tmp_path}/memory/job",
        "pids": f"{tmp_path}/pids",
        "cpuacct": f"{tmp_path}/cpu,cpuacct/a/b",
    }


V2 = "30 20 0:1 / {at}/fs rw - cgroup2 cgroup2 rw\n"


def _v2_folder(folder: Path, handed: str) -> None:
    folder.mkdir(parents=True)
    (folder / "cgroup.subtree_control").write_text(handed)
    (folder / "cgroup.procs").write_text("")


def test_groups_of_version_2_are_made_where_controllers_are_handed_down(tmp_path: Path) -> None:
    _v2_folder(tmp_path / "fs" / "user", "cpu memory pids\n")
    _v2_folder(tmp_path / "fs" / "user" / "session", "")
    groups, missing = found(tmp_path, V2, "0::/user/session\n")
    assert (groups, missing) == ((("v2", f"{tmp_path}/fs/user"),), [])


def test_version_2_without_delegation_says_so(tmp_path: Path) -> None:
    _v2_folder(tmp_path / "fs" / "session", "cpu\n")
    groups, missing = found(tmp_path, V2, "0::/session\n")
    assert groups == ()
    assert "hands down the memory and pids controllers" in missing[0]


def test_no_groups_at_all_are_missing(tmp_path: Path) -> None:
    assert found(tmp_path, "", "0::/\n") == (
        (),
        ["no control groups are mounted with the memory and pids controllers"],
    )


@pytest.fixture
def v2_group(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> cgroups.Group:
    """A group of version 2 on an ordinary folder, whose files the kernel would have made."""
    files = {
        "cgroup.procs": "",
        "cpu.stat": "usage_usec 2500000\nuser_usec 1\n",
        "memory.events": "low 0\noom 1\noom_kill 3\n",
        "memory.max": "max\n",
        "memory.swap.max": "max\n",
        "pids.max": "max\n",
    }
    make = os.mkdir

    def filled(path: str) -> None:
        make(path)
        for name, text in files.items():
            Path(path, name).write_text(text)

    monkeypatch.setattr(os, "mkdir", filled)
    return cgroups.Group((("v2", str(tmp_path)),), "group")


def test_version_2_limits_memory_swap_and_pids(v2_group: cgroups.Group, tmp_path: Path) -> None:
    v2_group.limit(1 << 20, 7)
    v2_group.join()
    read = {
        name: (tmp_path / "group" / name).read_text()[:7]
        for name in ("memory.max", "pids.max", "memory.swap.max")
    }
    assert read == {"memory.max": "1048576", "pids.max": "7ax\n", "memory.swap.max": "0ax\n"}
    assert (tmp_path / "group" / "cgroup.procs").read_text() == "0"
    assert v2_group.usage() == cgroups.Usage(2.5, 3)


def test_sweep_takes_dead_launchers_groups_only(tmp_path: Path) -> None:
    space = Path("/proc/self/ns/pid").stat().st_ino
    mine, start = os.getpid(), cgroups.started(os.getpid())
    dead = f"rlvr_gym.{space}.{mine}.{int(start) - 1}"
    kept = [
        f"rlvr_gym.{space}.{mine}.{start}",
        f"rlvr_gym.1.{mine}.5",
        "rlvr_gym.other",
        f"rlvr_gym.{space}.x.1",
        "something",
    ]
    for name in (dead, *kept):
        (tmp_path / name).mkdir()
    assert cgroups.sweep((("v2", str(tmp_path)),)) == [str(tmp_path / dead)]
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(kept)


def test_frames_arrive_as_sent() -> None:
    one, other = socket.socketpair()
    body = os.urandom(3_000_000)
    with one, other:
        thread = threading.Thread(target=frames.send, args=(one, {"a": "\ud800", "n": 1}, body))
        thread.start()
        assert frames.receive(other) == ({"a": "\ud800", "n": 1}, body)
        thread.join()
        one.close()
        assert frames.receive(other) is None


@pytest.mark.parametrize(
    "raw",
    [
        b"\0\0",
        struct.pack("!II", 0xFFFFFFFF, 0),
        struct.pack("!II", 2, 0xFFFFFFFF) + b"{}",
        struct.pack("!II", 2, 0) + b"[]",
        struct.pack("!II", 2, 9) + b"{}half",
    ],
)
def test_broken_frames_are_refused(raw: bytes) -> None:
    one, other = socket.socketpair()
    with one, other:
        one.sendall(raw)
        one.close()
        with pytest.raises(frames.BrokenFrameError):
            frames.receive(other)


def test_what_is_too_large_is_not_sent() -> None:
    one, other = socket.socketpair()
    with one, other, pytest.raises(ValueError, match="too large"):
        frames.send(one, {"a": "x" * (frames.MAX_OBJECT + 1)})


def test_a_spool_keeps_what_it_is_told_to() -> None:
    read, write = os.pipe()
    os.write(write, b"abcdef")
    os.close(write)
    spool = Spool(10)
    assert spool.read(read, 6) == 6
    spool.keep(4)
    assert (len(spool), spool.copy(1, 3)) == (4, b"bc")
    assert spool.read(read, 6) == 0
    os.close(read)
    spool.close()


def test_a_plan_survives_the_trip() -> None:
    groups = (("v2", "/c"),)
    paths = (("/h",), {"/l": "/t"})
    plan = Plan("commands", "root", LIMITS, "/w", {"/b": "/a"}, {"X": "1"}, ("m",), (), groups, 5, *paths)
    assert Plan.from_json(json.loads(json.dumps(plan._asdict()))) == plan


def test_the_interpreter_is_a_real_program() -> None:
    program = Path(interpreter.executable())
    assert program.read_bytes()[:4] == b"\x7fELF"
    assert all(Path(program).is_relative_to(folder) for folder in interpreter.folders())


def test_old_kernels_are_named() -> None:
    assert checks.of_kernel("5.4.0-90-generic") == ["Linux 5.12 or later (this is 5.4.0-90-generic)"]
    assert checks.of_kernel("5.12.1") == checks.of_kernel("6.18.44-fc-v657") == []


@pytest.mark.parametrize(
    ("setting", "value"),
    [("user/max_user_namespaces", "0"), ("kernel/apparmor_restrict_unprivileged_userns", "1")],
)
def test_switched_off_user_namespaces_are_named(setting: str, value: str, tmp_path: Path) -> None:
    (tmp_path / setting).parent.mkdir()
    (tmp_path / setting).write_text(f"{value}\n")
    line = f"user namespaces: sysctl {setting.replace('/', '.')} is {value}"
    assert checks.of_settings(str(tmp_path)) == [line]


def test_a_process_that_has_ended_is_dead_before_its_parent_asks() -> None:
    child = os.fork()
    if not child:
        signal.pause()
    alive = cgroups.started(child)
    os.kill(child, signal.SIGKILL)
    os.waitid(os.P_PID, child, os.WEXITED | os.WNOWAIT)
    try:
        assert alive
        assert cgroups.started(child) == ""
    finally:
        os.waitpid(child, 0)
