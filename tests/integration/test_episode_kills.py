"""A trainer that is killed in the middle of many episodes leaves nothing behind after the next start."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from rlvr_gym.runtimes.base import Spec
from rlvr_gym.runtimes.docker import DockerRuntime
from rlvr_gym.runtimes.local import LocalRuntime
from tests.integration.attacks import runtimes
from tests.integration.leftovers import LAUNCHER, census, new_since, nothing_new_since, wait_until

CHILD = Path(__file__).with_name("episode_child.py")
MARK = f"7{os.getpid()}.25"
"""Seconds that the commands sleep, which tell their processes from others."""


def commands_of(mark: str) -> list[bytes]:
    """Return the command lines that hold ``mark``, whatever process they belong to."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        with contextlib.suppress(OSError):
            if mark.encode() in (line := path.read_bytes()):
                found.append(line)
    return found


def children(pid: int) -> list[int]:
    with contextlib.suppress(OSError):
        return [
            int(child)
            for path in Path(f"/proc/{pid}/task").iterdir()
            for child in (path / "children").read_text().split()
        ]
    return []


def busy(runtime: str, episodes: int) -> subprocess.Popen[bytes]:
    child = subprocess.Popen(
        [sys.executable, str(CHILD), runtime, str(episodes), MARK], stdout=subprocess.PIPE
    )
    assert child.stdout is not None
    assert child.stdout.readline() == b"busy\n"
    child.stdout.close()
    # Every fifth keeps writing instead of sleeping.
    assert wait_until(lambda: len(commands_of(MARK)) > episodes * 4 // 5)
    return child


@pytest.mark.parametrize(("episodes", "launchers_too"), [(50, False), (10, True)])
def test_killed_episodes_leave_nothing(episodes: int, launchers_too: bool) -> None:
    if missing := LocalRuntime().missing():
        pytest.skip("; ".join(missing))
    before = census()
    child = busy("local", episodes)
    launchers = [pid for pid in children(child.pid) if LAUNCHER in Path(f"/proc/{pid}/cmdline").read_bytes()]
    assert len(launchers) == episodes
    child.kill()
    for launcher in launchers if launchers_too else []:
        os.kill(launcher, 9)
    child.wait()
    assert wait_until(lambda: census().processes <= before.processes)
    with LocalRuntime().start(Spec()) as sandbox:
        assert sandbox.exec(["echo", "alive"]).stdout == b"alive\n"
    assert wait_until(lambda: nothing_new_since(before)), new_since(before)
    assert commands_of(MARK) == []


def test_killed_episodes_in_containers_leave_nothing() -> None:
    with runtimes.docker() as runtime:
        if missing := runtime.missing():
            pytest.skip("; ".join(missing))
    import docker

    def containers() -> list[Any]:
        with contextlib.closing(docker.APIClient(os.environ.get("DOCKER_HOST"), version="auto")) as client:
            found: list[Any] = client.containers(all=True, filters={"label": ["rlvr_gym.owner"]})
            return found

    before, others = census(), {entry["Id"] for entry in containers()}
    child = busy("docker", 6)
    assert len({entry["Id"] for entry in containers()} - others) == 6
    child.kill()
    child.wait()
    assert wait_until(lambda: {entry["Id"] for entry in containers()} <= others)
    with DockerRuntime().start(Spec()) as sandbox:
        assert sandbox.exec(["echo", "alive"]).stdout == b"alive\n"
    assert wait_until(lambda: nothing_new_since(before)), new_since(before)
    assert commands_of(MARK) == []
