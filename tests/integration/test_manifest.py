"""What a workspace holds, as a list: nothing in it is followed, waited for or read without bounds."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path

import pytest

from rlvr_gym.runtimes.base import Limits, Sandbox, Spec
from rlvr_gym.runtimes.local import LocalRuntime


def sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


@pytest.fixture
def sandbox(tmp_path: Path) -> Iterator[Sandbox]:
    runtime = LocalRuntime()
    if missing := runtime.missing():
        pytest.skip("; ".join(missing))
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "kept").write_bytes(b"kept\n")
    (tmp_path / "gone").write_bytes(b"gone\n")
    with runtime.start(Spec(limits=Limits(disk_mib=64), workspace=tmp_path)) as started:
        yield started


def run(sandbox: Sandbox, command: str) -> None:
    done = sandbox.exec(["/bin/sh", "-c", command])
    assert done.code == 0, done.stderr


def test_it_lists_kinds_modes_and_hashes(sandbox: Sandbox) -> None:
    run(sandbox, "rm gone; echo new > a; chmod 750 a; ln -s /etc/passwd link; mkfifo pipe; mkdir -m 700 own")
    assert sandbox.manifest() == {
        "a": f"file 750 {sha256(b'new' + bytes([10]))}",
        "folder": "folder 755",
        "folder/kept": f"file 644 {sha256(b'kept' + bytes([10]))}",
        "link": f"link 777 {sha256(b'/etc/passwd')}",
        "own": "folder 700",
        "pipe": "special 644 10000",
    }


def test_strange_names_come_through(sandbox: Sandbox) -> None:
    run(sandbox, "rm -r folder gone; printf x > 'a\n\"b'; printf x > \"$(printf '\\377')\"; printf x > '∫'")
    assert sandbox.manifest() == dict.fromkeys(['a\n"b', "\udcff", "∫"], f"file 644 {sha256(b'x')}")


def test_what_its_owner_cannot_read_is_told(sandbox: Sandbox) -> None:
    run(sandbox, "chmod 0 folder/kept; chmod 0 gone")
    found = sandbox.manifest()
    assert found["folder/kept"] == found["gone"] == "file 0 unreadable"


def test_a_large_file_of_holes_is_quick_and_told_from_others(sandbox: Sandbox) -> None:
    run(
        sandbox,
        "truncate -s 60M holes; truncate -s 60M other; printf x | dd of=other bs=1 seek=50M conv=notrunc",
    )
    found = sandbox.manifest()
    assert found["holes"].endswith(f"/{60 << 20}")
    assert found["holes"] != found["other"]


def test_too_long_a_list_is_refused_and_the_sandbox_lives_on(sandbox: Sandbox) -> None:
    run(sandbox, "for i in $(seq 300); do : > $i; done")
    with pytest.raises(PermissionError, match="larger than 5000 bytes"):
        sandbox.manifest(max_bytes=5000)
    assert len(sandbox.manifest()) == 303
