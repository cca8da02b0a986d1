"""What a spec hides and links in a sandbox's root, the same in every runtime."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from rlvr_gym.runtimes.base import Spec, UnavailableError
from rlvr_gym.runtimes.local import Local, LocalRuntime
from tests.integration.attacks.runtimes import OPENERS, docker, seed_workspace


@pytest.fixture(scope="module", params=sorted(OPENERS))
def runtime(request: pytest.FixtureRequest) -> Iterator[Any]:
    with OPENERS[request.param]() as opened:
        if missing := opened.missing():
            pytest.skip(f"{request.param}: {'; '.join(missing)}")
        yield opened


def said(sandbox: Any, line: str) -> bytes:
    done = sandbox.exec(["sh", "-c", line])
    return bytes(done.stdout + done.stderr)


def test_a_hidden_folder_is_empty_and_nobody_can_look_below_or_write(runtime: Any) -> None:
    with seed_workspace() as seed:
        seed.chmod(0o755)
        hidden = ("/data/folder", "/usr/lib/python3/dist-packages", "/no/such/folder", "/data/no/such")
        spec = Spec(workspace=seed, read_only={seed: "/data"}, hidden=hidden)
        with runtime.start(spec) as sandbox:
            assert said(sandbox, "cat /data/seed.txt") == b"seed.txt as prepared"
            for folder in ("/data/folder", "/usr/lib/python3/dist-packages"):
                assert said(sandbox, f"ls -A {folder} {folder}/.") == f"{folder}:\n\n{folder}/.:\n".encode()
                assert sandbox.exec(["touch", f"{folder}/x"]).code != 0
                assert sandbox.exec(["umount", folder]).code != 0
                assert sandbox.exec(["rmdir", folder]).code != 0
            assert b"as prepared" not in said(
                sandbox, "cat /proc/self/root/data/folder/* /data/folder/inner.txt"
            )
        assert not (seed / "no").exists()
        assert (seed / "folder" / "inner.txt").read_text() == "folder/inner.txt as prepared"


def test_a_link_lets_the_workspace_appear_elsewhere(runtime: Any) -> None:
    with seed_workspace() as seed:
        spec = Spec(workspace=seed, links={"/app": "/workspace", "/opt/task/logs": "/tmp/logs"})
        for _ in range(2):
            with runtime.start(spec) as sandbox:
                assert said(sandbox, "cd /app && echo new > x && cat seed.txt") == b"seed.txt as prepared"
                assert sandbox.read("x") == b"new\n"
                assert sandbox.exec(["sh", "-c", "mkdir /tmp/logs; echo 1 > /opt/task/logs/y"]).code == 0
                assert said(sandbox, "cat /tmp/logs/y") == b"1\n"
                assert sandbox.exec(["rm", "/app"]).code != 0
                assert sandbox.exec(["ln", "-sfn", "/tmp", "/app"]).code != 0
                assert sandbox.exec(["pwd"], cwd="/app").code == 0


def test_a_link_in_a_read_only_place_is_refused_by_name() -> None:
    runtime = LocalRuntime()
    if missing := runtime.missing():
        pytest.skip("; ".join(missing))
    for path in ("/usr", "/usr/planted"):
        with pytest.raises(UnavailableError, match=f"link {path} -> /workspace"):
            runtime.start(Spec(links={path: "/workspace"}))


def test_a_link_replaces_a_folder_of_an_image() -> None:
    with docker() as runtime:
        if missing := runtime.missing():
            pytest.skip("; ".join(missing))
        with runtime.start(Spec(links={"/home": "/workspace"})) as sandbox:
            sandbox.write("x", b"1")
            assert said(sandbox, "cat /home/x") == b"1"
        with runtime.start(Spec()) as sandbox:
            assert said(sandbox, "readlink /home") == b""


def test_landlock_refuses_both_and_says_why() -> None:
    runtime = LocalRuntime(Local(tier="landlock"))
    if missing := runtime.missing():
        pytest.skip("; ".join(missing))
    for spec in (Spec(hidden=("/usr/share",)), Spec(links={"/app": "/workspace"})):
        with pytest.raises(UnavailableError, match="landlock has no root of its own"):
            runtime.start(spec)


@pytest.mark.parametrize("path", ["app", "/", "", "/a/../b", "/a//b", "/a/", "/a\0b", "/workspace/x", "/tmp"])
def test_a_path_that_is_not_plain_is_refused(path: str) -> None:
    with pytest.raises(ValueError, match=r"Spec\.hidden"):
        Spec(hidden=(path,))
    with pytest.raises(ValueError, match=r"Spec\.links"):
        Spec(links={path: str(Path("/workspace"))})
