"""The runtime ``docker``: what it promises beside holding attacks off."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from rlvr_gym.errors import ConfigError, MissingExtraError
from rlvr_gym.runtimes import containers
from rlvr_gym.runtimes.base import (
    End,
    Limits,
    Sandbox,
    SandboxLostError,
    Spec,
    UnavailableError,
    make_runtime,
)
from rlvr_gym.runtimes.docker import Docker, DockerRuntime
from rlvr_gym.runtimes.local import LocalRuntime
from tests.integration.attacks import runtimes
from tests.integration.attacks.runtimes import fingerprint, seed_workspace
from tests.integration.leftovers import census, nothing_new_since, wait_until

IMAGE = Docker().image


@pytest.fixture(scope="module")
def runtime() -> Iterator[DockerRuntime]:
    with runtimes.docker() as runtime:
        if missing := runtime.missing():
            pytest.skip("; ".join(missing))
        yield runtime


@pytest.fixture(scope="module")
def client(runtime: DockerRuntime) -> Iterator[Any]:
    import docker

    client = docker.APIClient(os.environ.get("DOCKER_HOST"), version="auto")
    yield client
    client.close()


@pytest.fixture
def sandbox(runtime: DockerRuntime) -> Iterator[Sandbox]:
    with runtime.start(Spec()) as started:
        yield started


def ours(client: Any) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = client.containers(all=True, filters={"label": [containers.OWNER]})
    return found


def test_the_registry_makes_it(runtime: DockerRuntime) -> None:
    with make_runtime({"name": "docker", "cpus": 0.5}).start(Spec(image=IMAGE)) as sandbox:
        assert sandbox.exec(["echo", "x"]).stdout == b"x\n"


@pytest.mark.parametrize("user", ["root", "0:0", "0", "1000", "1000:0"])
def test_root_is_no_user_for_commands(user: str) -> None:
    with pytest.raises(ConfigError, match="user"):
        make_runtime({"name": "docker", "user": user})


def test_a_given_user_runs_the_commands(runtime: DockerRuntime) -> None:
    given = DockerRuntime(Docker(user="1234:4321"))
    with given.start(Spec()) as sandbox:
        assert sandbox.exec(["sh", "-c", "id -u; id -g; touch x"]).stdout == b"1234\n4321\n"


def test_an_engine_without_a_limit_of_inodes_needs_a_word(runtime: DockerRuntime) -> None:
    with DockerRuntime(Docker(strict_disk=False)).start(Spec(limits=Limits(disk_mib=8))) as sandbox:
        assert sandbox.exec(["sh", "-c", "umask; touch x; head -c 6000000 /dev/zero > y"]).code == 1
        assert sandbox.read("x") == b""


@pytest.mark.parametrize(
    ("host", "line"),
    [
        ("unix:///no/such/socket", "/no/such/socket.*start_docker.sh"),
        ("unix:///etc/passwd", "no socket"),
        ("tcp://127.0.0.1:2375", "on this machine"),
        ("ssh://host", "on this machine"),
    ],
)
def test_a_missing_engine_is_named(host: str, line: str) -> None:
    pytest.importorskip("docker")
    runtime = DockerRuntime(Docker(host=host))
    with pytest.raises(UnavailableError, match=line):
        runtime.start(Spec())
    assert len(runtime.missing()) == 1


def test_a_missing_package_is_named_with_its_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "docker", None)
    runtime = DockerRuntime()
    assert "rlvr-gym[docker]" in runtime.missing()[0]
    with pytest.raises(MissingExtraError, match="docker"):
        runtime.start(Spec())


def test_a_missing_image_is_named(runtime: DockerRuntime) -> None:
    with pytest.raises(UnavailableError, match="no-such-image"):
        runtime.start(Spec(image="no-such-image:1"))
    assert "no-such-image:1" in DockerRuntime(Docker(image="no-such-image:1")).missing()[0]


def test_an_image_that_brings_host_folders_or_no_python_is_refused(
    runtime: DockerRuntime, client: Any
) -> None:
    made = client.create_container(IMAGE, "true")["Id"]
    client.commit(made, "rlvr-gym-test-volumes", "1", conf={"Volumes": {"/data": {}}})
    client.remove_container(made)
    try:
        with pytest.raises(UnavailableError, match=r"without volumes.*/data"):
            runtime.start(Spec(image="rlvr-gym-test-volumes:1"))
    finally:
        client.remove_image("rlvr-gym-test-volumes:1")
    for python in ("no-such-python", "/bin/true"):
        (line,) = DockerRuntime(Docker(python=python)).missing()
        assert python in line


def test_the_engine_is_told_all_limits(client: Any, runtime: DockerRuntime) -> None:
    with runtime.start(Spec(limits=Limits(memory_mib=300, disk_mib=20, pids=40))):
        (entry,) = ours(client)
        found = client.inspect_container(entry["Id"])
    host = found["HostConfig"]
    assert host["NetworkMode"] == "none"
    assert host["ReadonlyRootfs"]
    assert not host["Privileged"]
    assert host["CapDrop"] == ["ALL"]
    assert not host["CapAdd"]
    assert host["SecurityOpt"] == ["no-new-privileges"]
    assert host["Memory"] == host["MemorySwap"] == 320 << 20
    assert host["PidsLimit"] == 41
    assert host["NanoCpus"] == 10**9
    assert all("nr_inodes=" in options for options in host["Tmpfs"].values())
    assert not found["Config"]["User"].startswith("0")
    assert all(not mount["RW"] for mount in found["Mounts"])


class CarelessEngine:
    """The engine, but it takes settings and ignores some of them, as engines have done."""

    def __init__(self, client: Any, **instead: Any) -> None:
        self._client, self._instead = client, instead

    def __getattr__(self, name: str) -> Any:
        return getattr(self._client, name)

    def create_host_config(self, **given: Any) -> Any:
        return self._client.create_host_config(**{**given, **self._instead})


@pytest.mark.parametrize(
    ("ignored", "line"),
    [
        ({"pids_limit": None}, "a limit of processes"),
        ({"mem_limit": None, "memswap_limit": None}, "a limit of memory"),
        ({"cap_drop": None}, "no capabilities"),
        (
            {"tmpfs": dict.fromkeys(("/workspace", "/tmp", "/dev/shm"), "")},
            "a limit of bytes at /tmp; a limit of inodes at /tmp",
        ),
        ({"network_mode": "host"}, "no network"),
    ],
)
def test_a_setting_that_the_engine_ignores_is_noticed_inside(
    ignored: dict[str, Any], line: str, runtime: DockerRuntime, client: Any
) -> None:
    made = containers.Made(IMAGE, containers.own_user(), 1.0, "python3", "/usr/bin:/bin", True)
    with pytest.raises(UnavailableError, match=line):
        containers.Container(CarelessEngine(client, **ignored), Spec(), made)
    assert ours(client) == []


def test_the_prepared_folder_appears_writable_and_stays_as_it_is(runtime: DockerRuntime) -> None:
    with seed_workspace() as seed:
        (seed / "other.txt").chmod(0o600)
        (seed / "big").write_bytes(os.urandom(9 << 20))
        (seed / "closed").mkdir()
        (seed / "closed" / "x").write_text("x")
        (seed / "closed").chmod(0o500)
        before = fingerprint(seed)
        with runtime.start(Spec(workspace=seed)) as one, runtime.start(Spec(workspace=seed)) as other:
            assert (
                one.exec(["sh", "-c", "echo more >> seed.txt && mv folder renamed && cat closed/x"]).code == 0
            )
            assert one.read("renamed/inner.txt") == b"folder/inner.txt as prepared"
            assert other.read("seed.txt") == b"seed.txt as prepared"
            assert one.exec(["cat", "other.txt"]).stdout == b"other.txt as prepared"
            assert one.read("big") == (seed / "big").read_bytes()
            assert one.exec(["touch", "closed/y"]).code == 1
        assert fingerprint(seed) == before


def test_a_prepared_folder_takes_no_room_from_the_disk_limit(runtime: DockerRuntime) -> None:
    with seed_workspace() as seed:
        (seed / "big").write_bytes(bytes(30 << 20))
        with runtime.start(Spec(workspace=seed, limits=Limits(disk_mib=8, memory_mib=64))) as sandbox:
            assert sandbox.exec(["sh", "-c", "head -c 3000000 /dev/zero > new"]).code == 0
            assert sandbox.exec(["sh", "-c", "head -c 30000000 /dev/zero > more"]).code != 0


def test_further_folders_appear_read_only(runtime: DockerRuntime) -> None:
    with seed_workspace() as seed, runtime.start(Spec(read_only={seed: "/data/given"})) as sandbox:
        seed.chmod(0o755)
        assert sandbox.exec(["cat", "/data/given/seed.txt"]).stdout == b"seed.txt as prepared"
        assert sandbox.exec(["sh", "-c", "echo x > /data/given/seed.txt"]).code != 0


def test_the_same_state_has_the_hash_that_local_gives(runtime: DockerRuntime) -> None:
    local = LocalRuntime()
    if missing := local.missing():
        pytest.skip("; ".join(missing))
    with seed_workspace() as seed:
        (seed / "link").symlink_to("folder/inner.txt")
        (seed / "dangling").symlink_to("/no/such")
        (seed / "run.sh").write_text("#!/bin/sh\n")
        (seed / "run.sh").chmod(0o755)
        os.mkfifo(seed / "pipe")
        (seed / "empty").touch()
        (seed / "folder" / "ä\n").write_text("x")
        (seed / os.fsdecode(b"\xff\xfe")).write_text("x")
        if os.geteuid() == 0:
            for path in (seed, *seed.rglob("*")):
                os.lchown(path, 0, 0)
        with runtime.start(Spec(workspace=seed)) as one, local.start(Spec(workspace=seed)) as other:
            assert one.snapshot() == other.snapshot()
            for sandbox in (one, other):
                sandbox.exec(
                    ["sh", "-c", "echo a > new; mkdir d; ln -s new d/link; chmod 600 empty; rm keep.txt"]
                )
                sandbox.write("deep/er/file", b"content", mode=0o755)
            assert one.snapshot() == other.snapshot()
            one.exec(["chmod", "601", "empty"])
            assert one.snapshot() != other.snapshot()


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


def test_a_forked_process_starts_its_own(runtime: DockerRuntime, sandbox: Sandbox) -> None:
    pid = os.fork()
    if not pid:
        code = 1
        with contextlib.suppress(BaseException), runtime.start(Spec()) as own:
            code = 0 if own.exec(["echo", "x"]).stdout == b"x\n" else 1
        os._exit(code)
    assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0
    assert sandbox.exec(["echo", "x"]).stdout == b"x\n"


def test_a_stopped_sandbox_says_so(runtime: DockerRuntime, client: Any) -> None:
    with runtime.start(Spec()) as sandbox:
        sandbox.stop()
        for use in (lambda: sandbox.exec(["true"]), lambda: sandbox.read("x"), sandbox.snapshot):
            with pytest.raises(SandboxLostError):
                use()
    assert ours(client) == []


def test_stopping_interrupts_a_command(runtime: DockerRuntime) -> None:
    with runtime.start(Spec()) as sandbox, ThreadPoolExecutor(1) as thread:
        interrupted = thread.submit(sandbox.exec, ["sleep", "60"], wall_s=60)
        time.sleep(0.2)
        sandbox.stop()
        with pytest.raises(SandboxLostError):
            interrupted.result(20)


def test_a_container_killed_from_outside_is_a_lost_sandbox(runtime: DockerRuntime, client: Any) -> None:
    with runtime.start(Spec()) as sandbox:
        (entry,) = ours(client)
        client.kill(entry["Id"])
        with pytest.raises(SandboxLostError):
            sandbox.exec(["true"])
    assert ours(client) == []


def test_many_runs_leave_nothing(runtime: DockerRuntime, client: Any) -> None:
    with seed_workspace() as seed:

        def once(_: int) -> End:
            with runtime.start(Spec(workspace=seed)) as sandbox:
                for _ in range(5):
                    result = sandbox.exec(["sh", "-c", "sleep 60 & echo x > y; mkdir -p z"])
                return result.end

        once(0)
        before, shims = census(), _shims()
        assert {once(number) for number in range(6)} == {End.EXITED}
        assert wait_until(lambda: nothing_new_since(before))
        with ThreadPoolExecutor(4) as pool:
            assert set(pool.map(once, range(12))) == {End.EXITED}
    assert ours(client) == []
    assert wait_until(lambda: nothing_new_since(before))
    assert wait_until(lambda: _shims() <= shims)


def _shims() -> int:
    """Count the processes by which an engine holds a container."""
    found = 0
    for path in Path("/proc").glob("[0-9]*/comm"):
        with contextlib.suppress(OSError):
            found += path.read_text().startswith(("containerd-shim", "conmon"))
    return found


def test_a_failed_start_leaves_nothing(runtime: DockerRuntime, client: Any) -> None:
    before = census()
    for _ in range(3):
        with pytest.raises(UnavailableError):
            runtime.start(Spec(read_only={Path("/no/such/folder"): "/data"}))
    assert ours(client) == []
    assert wait_until(lambda: nothing_new_since(before))


_CHILD = """
import threading
from rlvr_gym.runtimes.base import Spec
from rlvr_gym.runtimes.docker import DockerRuntime
runtime = DockerRuntime()
sandboxes = [runtime.start(Spec()) for _ in range(2)]
threading.Thread(target=sandboxes[0].exec, args=(["sleep", "600"],), kwargs={"wall_s": 600}).start()
print("busy", flush=True)
"""


def test_nothing_outlives_a_killed_caller(runtime: DockerRuntime, client: Any) -> None:
    before = census()
    with runtime.start(Spec()) as other:
        child = subprocess.Popen(
            [sys.executable, "-c", _CHILD], stdout=subprocess.PIPE, cwd=Path(__file__).parents[2]
        )
        assert child.stdout is not None
        assert child.stdout.readline() == b"busy\n"
        assert len(ours(client)) == 3
        child.kill()
        child.wait()
        child.stdout.close()
        # Without a sweep: the servers end with their caller, and the engine removes what has ended.
        assert wait_until(lambda: len(ours(client)) == 1)
        assert other.exec(["echo", "alive"]).stdout == b"alive\n"
    assert wait_until(lambda: nothing_new_since(before))


_OWNER = "from rlvr_gym.runtimes.containers import owner; print(owner())"


def test_a_sweep_removes_what_dead_processes_own_and_nothing_else(
    runtime: DockerRuntime, client: Any
) -> None:
    ended = subprocess.run(
        [sys.executable, "-c", _OWNER], capture_output=True, check=True, text=True
    ).stdout.strip()
    boot, _, name = containers.owner().partition(" ")
    foreign = f"{boot} {name.replace('.', '.1', 1)}"
    labels = {"ended": ended, "earlier boot": f"0{boot[1:]}x {name}", "other pid namespace": foreign}
    made = {
        what: client.create_container(IMAGE, ["sleep", "600"], labels={containers.OWNER: label})["Id"]
        for what, label in labels.items()
    }
    unlabelled = client.create_container(IMAGE, ["sleep", "600"])["Id"]
    # Folders of processes that were killed while a container started.
    folders = {
        what: Path(tempfile.mkdtemp(prefix=f"rlvr_gym_{label.partition(' ')[2].partition('.')[2]}-"))
        for what, label in {"ended": ended, "alive": containers.owner()}.items()
    }
    (folders["ended"] / "empty").mkdir()
    try:
        with runtime.start(Spec()) as alive:
            client.start(made["ended"])
            assert set(runtime.sweep()) == {made["ended"], made["earlier boot"]}
            assert alive.exec(["true"]).code == 0
        assert {what for what, folder in folders.items() if folder.exists()} == {"alive"}
        assert {entry["Id"] for entry in ours(client)} == {made["other pid namespace"]}
    finally:
        containers.remove(client, made["other pid namespace"])
        client.remove_container(unlabelled)
        folders["alive"].rmdir()
