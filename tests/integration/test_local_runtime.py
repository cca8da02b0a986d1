"""The runtime ``local``: what it promises beside holding attacks off."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from rlvr_gym.errors import ConfigError
from rlvr_gym.runtimes.base import (
    End,
    Limits,
    Sandbox,
    SandboxLostError,
    Spec,
    UnavailableError,
    make_runtime,
)
from rlvr_gym.runtimes.local import Local, LocalRuntime
from tests.integration.as_nobody import lent_runtime
from tests.integration.attacks.runtimes import seed_workspace
from tests.integration.leftovers import LAUNCHER, census, nothing_new_since, wait_until

CHILD = Path(__file__).with_name("sandbox_child.py")


@pytest.fixture(scope="module")
def runtime() -> LocalRuntime:
    runtime = LocalRuntime()
    if missing := runtime.missing():
        pytest.skip("; ".join(missing))
    return runtime


@pytest.fixture
def sandbox(runtime: LocalRuntime) -> Iterator[Sandbox]:
    with runtime.start(Spec()) as started:
        yield started


def test_the_registry_makes_it(runtime: LocalRuntime) -> None:
    made = make_runtime({"name": "local", "tier": runtime.tier})
    with made.start(Spec()) as sandbox:
        assert sandbox.exec(["echo", "x"]).stdout == b"x\n"
    with pytest.raises(ConfigError, match="tier"):
        make_runtime({"name": "local", "tier": "none"})


def test_a_tier_that_is_not_to_be_had_is_refused_and_named() -> None:
    other: Any = "unprivileged" if os.geteuid() == 0 else "root"
    runtime = LocalRuntime(Local(tier=other))
    assert runtime.tier == other
    assert "root" in runtime.missing()[0]
    with pytest.raises(UnavailableError, match=r"Missing: .*root"):
        runtime.start(Spec())


def test_the_prepared_folder_appears_writable_and_stays_as_it_is(runtime: LocalRuntime) -> None:
    with seed_workspace() as seed:
        if os.geteuid() == 0:
            # Whoever owns it on the host, inside it belongs to the sandbox's user.
            for path in (seed, *seed.rglob("*")):
                os.chown(path, 0, 0)
        with runtime.start(Spec(workspace=seed)) as one, runtime.start(Spec(workspace=seed)) as other:
            assert one.exec(["sh", "-c", "echo more >> seed.txt && mv folder renamed"]).code == 0
            assert one.read("renamed/inner.txt") == b"folder/inner.txt as prepared"
            assert other.read("seed.txt") == b"seed.txt as prepared"
        assert (seed / "folder" / "inner.txt").exists()
        assert (seed / "seed.txt").read_text() == "seed.txt as prepared"


def test_further_folders_appear_read_only(runtime: LocalRuntime) -> None:
    with seed_workspace() as seed, runtime.start(Spec(read_only={seed: "/data/given"})) as sandbox:
        assert sandbox.exec(["cat", "/data/given/seed.txt"]).stdout == b"seed.txt as prepared"
        assert sandbox.exec(["sh", "-c", "echo x > /data/given/seed.txt"]).code != 0


def test_the_same_state_has_the_same_hash_in_another_sandbox(runtime: LocalRuntime) -> None:
    with (
        seed_workspace() as seed,
        runtime.start(Spec(workspace=seed)) as one,
        runtime.start(Spec(workspace=seed)) as other,
    ):
        assert one.snapshot() == other.snapshot()
        for sandbox in (one, other):
            sandbox.exec(
                ["sh", "-c", "echo a > new; mkdir d; ln -s new d/link; chmod 600 other.txt; rm keep.txt"]
            )
        assert one.snapshot() == other.snapshot()
        one.exec(["chmod", "601", "other.txt"])
        assert one.snapshot() != other.snapshot()


def test_the_interpreter_is_the_callers(sandbox: Sandbox) -> None:
    result = sandbox.exec(["python3", "-c", "import sys; print(sys.version)"])
    assert result.stdout.decode().strip() == sys.version


def test_programs_inside_can_talk_to_each_other(sandbox: Sandbox) -> None:
    source = """
import socket
with socket.create_server(("127.0.0.1", 0)) as server, socket.create_connection(server.getsockname()) as client:
    client.sendall(b"hello")
    print(server.accept()[0].recv(5))
"""
    assert sandbox.exec(["python3", "-c", source]).stdout == b"b'hello'\n"


def test_a_signal_is_a_negative_code(sandbox: Sandbox) -> None:
    assert sandbox.exec(["sh", "-c", "kill -TERM $$"]).code == -signal.SIGTERM
    assert sandbox.exec(["sh", "-c", "exit 7"]).code == 7


def test_state_lasts_from_command_to_command(sandbox: Sandbox) -> None:
    sandbox.exec(["sh", "-c", "echo 1 > /tmp/a; echo 2 > b"])
    assert sandbox.exec(["sh", "-c", "cat /tmp/a b"]).stdout == b"1\n2\n"


def test_threads_may_share_a_sandbox(sandbox: Sandbox) -> None:
    with ThreadPoolExecutor(8) as pool:
        outputs = list(pool.map(lambda n: sandbox.exec(["echo", str(n)]).stdout, range(40)))
    assert outputs == [f"{n}\n".encode() for n in range(40)]


def test_a_stopped_sandbox_says_so(runtime: LocalRuntime) -> None:
    with runtime.start(Spec()) as sandbox:
        sandbox.stop()
        for use in (lambda: sandbox.exec(["true"]), lambda: sandbox.read("x"), sandbox.snapshot):
            with pytest.raises(SandboxLostError):
                use()


def test_stopping_interrupts_a_command(runtime: LocalRuntime) -> None:
    with runtime.start(Spec()) as sandbox, ThreadPoolExecutor(1) as thread:
        interrupted = thread.submit(sandbox.exec, ["sleep", "60"], wall_s=60)
        time.sleep(0.2)
        sandbox.stop()
        with pytest.raises(SandboxLostError):
            interrupted.result(20)


def test_a_killed_launcher_is_a_lost_sandbox(runtime: LocalRuntime) -> None:
    # Other tests' zygotes are children of this process too.
    before, others = census(), _launchers(os.getpid())
    with runtime.start(Spec()) as sandbox:
        (launcher,) = set(_launchers(os.getpid())) - set(others)
        os.kill(launcher, signal.SIGKILL)
        with pytest.raises(SandboxLostError):
            sandbox.exec(["true"])
    assert wait_until(lambda: census().processes <= before.processes)
    runtime.sweep()
    assert census().groups <= before.groups


def test_many_runs_leave_nothing(runtime: LocalRuntime) -> None:
    before = census()
    with seed_workspace() as seed:
        for _ in range(20):
            with runtime.start(Spec(workspace=seed)) as sandbox:
                for _ in range(10):
                    sandbox.exec(["sh", "-c", "sleep 60 & echo x > y; mkdir -p z"])
    assert wait_until(lambda: nothing_new_since(before))


def test_a_failed_start_leaves_nothing(runtime: LocalRuntime) -> None:
    before = census()
    for _ in range(3):
        with pytest.raises(FileNotFoundError):
            runtime.start(Spec(workspace=Path("/no/such/folder")))
        with pytest.raises(UnavailableError, match="/etc/passwd"):
            runtime.start(Spec(read_only={Path("/usr"): "/etc/passwd/data"}))
    assert wait_until(lambda: nothing_new_since(before))


def _launchers(parent: int) -> list[int]:
    found = []
    for path in Path("/proc").glob("[0-9]*"):
        try:
            fields = (path / "stat").read_text().rpartition(")")[2].split()
            command = (path / "cmdline").read_bytes()
        except OSError:
            continue
        if int(fields[1]) == parent and LAUNCHER in command:
            found.append(int(path.name))
    return found


@pytest.mark.parametrize("launchers_too", [False, True])
def test_nothing_outlives_a_killed_caller(launchers_too: bool, runtime: LocalRuntime) -> None:
    before = census()
    with runtime.start(Spec()) as other:
        alive = census()
        child = subprocess.Popen([sys.executable, str(CHILD)], stdout=subprocess.PIPE)
        assert child.stdout is not None
        assert child.stdout.readline() == b"busy\n"
        launchers = _launchers(child.pid)
        assert len(launchers) == 3
        child.kill()
        for launcher in launchers if launchers_too else []:
            os.kill(launcher, signal.SIGKILL)
        child.wait()
        child.stdout.close()
        assert wait_until(lambda: census().processes <= alive.processes)
        runtime.sweep()
        # The sweep left a live sandbox alone.
        assert other.exec(["echo", "alive"]).stdout == b"alive\n"
    assert wait_until(lambda: nothing_new_since(before))


def test_an_unprivileged_user_has_it_too() -> None:
    if os.geteuid() != 0:
        pytest.skip("the other tests already run unprivileged")
    with lent_runtime() as runtime:
        if missing := runtime.missing():
            pytest.skip("; ".join(missing))
        with runtime.start(Spec(limits=Limits(wall_s=5))) as sandbox:
            assert sandbox.exec(["sh", "-c", "id -u; echo x > y; cat y"]).stdout == b"1000\nx\n"
            assert sandbox.exec(["sleep", "60"], wall_s=0.3).end is End.TIMEOUT
