"""The tier for containers that forbid namespaces: what it holds off, and that it comes only by name."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from rlvr_gym.runtimes.base import End, Limits, Sandbox, Spec, UnavailableError
from rlvr_gym.runtimes.local import Local, LocalRuntime
from tests.integration.attacks import ATTACKS
from tests.integration.attacks.bombs import BOMBS as ALL_BOMBS
from tests.integration.attacks.bombs import Bomb
from tests.integration.attacks.running import Outcome, assert_ended, assert_held, attacked
from tests.integration.attacks.runtimes import LIMITS, attacked_host
from tests.integration.leftovers import census, nothing_new_since, wait_until
from tests.integration.side_by_side import SideBySide, selected

# Of other tiers only: there a sandbox has a process list, a root and folders of its own to try them on.
_NEEDS_PROC = {
    "environment_of_the_caller",
    "arguments_of_other_processes",
    "capabilities",
    "inherited_descriptors",
    "reaching_the_overlay_below",
    "seeing_host_processes",
    "walking_up_and_out",
    "reconfiguring_the_network",
    "host_secrets_in_etc",
    "set_user_id_programs",
    "changing_the_prepared_workspace",
    "core_dumps",
}
# This tier does not hide that a file exists.
_STAT = {"homes", "path_socket_of_the_host"}


# Bytes and files are counted while a command runs, since no file system of its own bounds them.
BOMBS = {
    # Each process is charged for all that it maps, also for what they share.
    "fork, exponentially": ALL_BOMBS["fork, exponentially"]._replace(ends=(End.TIMEOUT, End.MEMORY)),
    "spinning": ALL_BOMBS["spinning"],
    "memory": ALL_BOMBS["memory"],
    "output": ALL_BOMBS["output"],
    "disk": Bomb(
        "import itertools\nfor n in itertools.count(): open(f'bomb{n}', 'wb').write(bytes(1 << 20))",
        (End.OUTPUT,),
    ),
    "files": Bomb(
        "import itertools\nfor n in itertools.count(): open(f'bomb{n}', 'wb').close()", (End.OUTPUT,)
    ),
}


@pytest.fixture(scope="module")
def runtime() -> LocalRuntime:
    runtime = LocalRuntime(Local(tier="landlock"))
    if missing := runtime.missing():
        pytest.skip("; ".join(missing))
    return runtime


@pytest.fixture(scope="module")
def host() -> Iterator[dict[str, Any]]:
    with attacked_host() as facts:
        yield facts


@pytest.fixture(scope="module")
def outcomes(
    runtime: LocalRuntime, host: dict[str, Any], request: pytest.FixtureRequest
) -> Iterator[SideBySide[Outcome]]:
    with attacked(runtime, host, selected(request, "attack"), BOMBS) as found:
        yield found


@pytest.fixture
def sandbox(runtime: LocalRuntime) -> Iterator[Sandbox]:
    with runtime.start(Spec(limits=LIMITS)) as started:
        yield started


def test_it_is_never_chosen_by_itself() -> None:
    assert LocalRuntime().tier != "landlock"


@pytest.mark.parametrize("attack", sorted(set(ATTACKS) - _NEEDS_PROC - _STAT))
def test_attack_gets_nothing(attack: str, outcomes: SideBySide[Outcome]) -> None:
    assert_held(outcomes[attack])


@pytest.mark.parametrize("attack", sorted(BOMBS))
def test_bomb_ends_typed_and_the_sandbox_goes_on(attack: str, outcomes: SideBySide[Outcome]) -> None:
    assert_ended(outcomes[attack], BOMBS[attack])


def test_processes_outside_get_no_signal(sandbox: Sandbox) -> None:
    with subprocess.Popen(["sleep", "60"]) as outside:
        for line in (f"kill -9 {outside.pid}", "kill -9 -1", f"kill -STOP {os.getpid()}"):
            sandbox.exec(["sh", "-c", line])
        assert outside.poll() is None
        outside.kill()


def test_what_a_command_started_ends_with_it(sandbox: Sandbox) -> None:
    result = sandbox.exec(["sh", "-c", "(setsid sleep 4321 >/dev/null 2>&1 &); sleep 4321 & echo done"])
    assert (result.end, result.stdout) == (End.EXITED, b"done\n")
    commands = subprocess.run(["ps", "ax"], capture_output=True, check=True).stdout
    assert b"4321" not in commands


def test_copying_out_follows_no_trap(sandbox: Sandbox, host: dict[str, Any]) -> None:
    for trap in (f"ln -s {host['secret_path']} trap", "mkfifo trap", "ln -s / d; ln -s d/etc/passwd trap"):
        sandbox.exec(["sh", "-c", f"rm -rf trap d; {trap}"])
        with pytest.raises(PermissionError):
            sandbox.read("trap")
        sandbox.snapshot()


def test_deep_folders_go_with_the_sandbox(runtime: LocalRuntime) -> None:
    before = census()
    with runtime.start(Spec(limits=replace(LIMITS, inodes=5000))) as sandbox:
        source = "import os\nfor n in range(400): os.mkdir('d' * 50); os.chdir('d' * 50)\nos.chmod('.', 0)"
        assert sandbox.exec(["python3", "-c", source]).code == 0
    assert wait_until(lambda: nothing_new_since(before))


def test_a_folder_cannot_appear_elsewhere(runtime: LocalRuntime) -> None:
    with pytest.raises(UnavailableError, match="own paths"):
        runtime.start(Spec(read_only={Path("/usr"): "/data"}))


def test_nothing_outlives_a_killed_caller(runtime: LocalRuntime) -> None:
    before = census()
    source = (
        f"import sys; sys.path.insert(0, {str(Path(__file__).parents[2])!r})\n"
        "from rlvr_gym.runtimes.base import *\nfrom rlvr_gym.runtimes.local import *\n"
        "sandbox = LocalRuntime(Local(tier='landlock')).start(Spec())\n"
        "print('busy', flush=True)\nsandbox.exec(['sleep', '4321'], wall_s=600)"
    )
    for launchers_too in (False, True):
        child = subprocess.Popen([sys.executable, "-c", source], stdout=subprocess.PIPE)
        assert child.stdout is not None
        assert child.stdout.readline() == b"busy\n"
        assert wait_until(_sleeps)
        launchers = subprocess.run(["pgrep", "-P", str(child.pid)], capture_output=True, check=True).stdout
        child.kill()
        for pid in launchers.split() if launchers_too else []:
            os.kill(int(pid), signal.SIGKILL)
        child.wait()
        child.stdout.close()
        # A killed launcher leaves its command behind, for want of a pid namespace, until the next start.
        assert wait_until(lambda: runtime.sweep() is not None and not _sleeps())
        assert wait_until(lambda: nothing_new_since(before))


def _sleeps() -> bool:
    return b"sleep 4321" in subprocess.run(["ps", "ax"], capture_output=True, check=True).stdout


def test_limits_have_sane_defaults(runtime: LocalRuntime) -> None:
    with runtime.start(Spec(limits=Limits())) as sandbox:
        assert sandbox.exec(["python3", "-c", "import threading; print(1)"]).stdout == b"1\n"
