"""The tier for containers that forbid namespaces: what it holds off, and that it comes only by name."""

from __future__ import annotations

import json
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
from tests.integration.attacks import ATTACKS, END, PRELUDE
from tests.integration.attacks.runtimes import LIMITS, attacked_host, fingerprint, seed_workspace
from tests.integration.leftovers import census, nothing_new_since, wait_until

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


@pytest.fixture
def seed() -> Iterator[Path]:
    with seed_workspace() as folder:
        yield folder


@pytest.fixture
def sandbox(runtime: LocalRuntime, seed: Path) -> Iterator[Sandbox]:
    with runtime.start(Spec(limits=LIMITS, workspace=seed)) as started:
        yield started


def test_it_is_never_chosen_by_itself() -> None:
    assert LocalRuntime().tier != "landlock"


@pytest.mark.parametrize("name", sorted(set(ATTACKS) - _NEEDS_PROC - _STAT))
def test_attack_gets_nothing(name: str, sandbox: Sandbox, seed: Path, host: dict[str, Any]) -> None:
    before = fingerprint(seed)
    sandbox.write("attack.py", (PRELUDE + ATTACKS[name] + END).encode())
    result = sandbox.exec(["python3", "attack.py", json.dumps(host)])
    assert b"ESCAPED" not in result.stdout, result.stdout.decode()
    assert b"held" in result.stdout, result
    assert fingerprint(seed) == before


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


@pytest.mark.parametrize(
    ("source", "ends"),
    [
        ("import os\nwhile True:\n  try: os.fork()\n  except OSError: pass", (End.TIMEOUT,)),
        ("x = bytearray(1 << 30)", (End.EXITED, End.MEMORY)),
        ("while True: print('x' * 1000)", (End.OUTPUT,)),
        (
            "import itertools\nfor n in itertools.count(): open(f'f{n}', 'wb').write(bytes(1 << 20))",
            (End.OUTPUT,),
        ),
        ("import itertools\nfor n in itertools.count(): open(f'f{n}', 'wb').close()", (End.OUTPUT,)),
        ("while True: pass", (End.TIMEOUT,)),
    ],
)
def test_bombs_end_typed(source: str, ends: tuple[End, ...], sandbox: Sandbox) -> None:
    assert sandbox.exec(["python3", "-c", source], wall_s=2).end in ends
    sandbox.exec(["sh", "-c", "rm -f f*"])
    assert sandbox.exec(["echo", "alive"]).stdout == b"alive\n"


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
