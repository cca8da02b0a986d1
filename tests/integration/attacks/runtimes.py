"""The runtimes that the exploit suite attacks, and what they are attacked with."""

from __future__ import annotations

import contextlib
import hashlib
import os
import socket
import tempfile
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import pytest

from rlvr_gym.runtimes.base import Limits
from rlvr_gym.runtimes.docker import DockerRuntime
from rlvr_gym.runtimes.local import Local, LocalRuntime
from tests.integration.as_nobody import NOBODY, lent_runtime

LIMITS = Limits(
    wall_s=20,
    cpu_s=4,
    memory_mib=192,
    pids=32,
    disk_mib=32,
    inodes=2000,
    output_bytes=200_000,
    open_files=128,
)
SECRET = "unmistakable-5f1c"
"""Begins everything on the host that an attack looks for."""


@contextlib.contextmanager
def _local_root() -> Iterator[Any]:
    if os.geteuid() != 0:
        pytest.skip("needs root")
    yield LocalRuntime(Local(tier="root"))


@contextlib.contextmanager
def _local_unprivileged() -> Iterator[Any]:
    if os.geteuid() == 0:
        with lent_runtime() as runtime:
            yield runtime
    else:
        yield LocalRuntime(Local(tier="unprivileged"))


@contextlib.contextmanager
def docker() -> Iterator[Any]:
    """Yield the runtime ``docker`` of the engine that DOCKER_HOST names, or of the usual one."""
    if reason := os.environ.get("RLVR_GYM_NO_DOCKER"):
        pytest.skip(f"no Docker Engine: {reason}")
    yield DockerRuntime()


OPENERS: dict[str, Callable[[], AbstractContextManager[Any]]] = {
    "docker": docker,
    "local-root": _local_root,
    "local-unprivileged": _local_unprivileged,
}
"""Context managers that yield a runtime, by name; they skip where the machine cannot."""


@contextlib.contextmanager
def attacked_host() -> Iterator[dict[str, Any]]:
    """Yield what a host has that an attack might reach: sockets, a secret file, a secret variable, open files."""
    with contextlib.ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        folder.chmod(0o755)
        secret = folder / "secret.txt"
        secret.write_text(f"{SECRET}-file")
        tcp = stack.enter_context(socket.create_server(("0.0.0.0", 0)))
        abstract = stack.enter_context(socket.socket(socket.AF_UNIX))
        abstract.bind(f"\0{SECRET}-{os.getpid()}")
        abstract.listen()
        path = stack.enter_context(socket.socket(socket.AF_UNIX))
        path.bind(str(folder / "socket"))
        (folder / "socket").chmod(0o777)
        path.listen()
        inherited = os.open(secret, os.O_RDONLY)
        os.set_inheritable(inherited, True)
        stack.callback(os.close, inherited)
        os.environ["RLVR_GYM_TEST_SECRET"] = f"{SECRET}-environment"
        stack.callback(os.environ.pop, "RLVR_GYM_TEST_SECRET")
        yield {
            "secret_path": str(secret),
            "secret_head": SECRET,
            "port": tcp.getsockname()[1],
            "addresses": _addresses(),
            "abstract": f"{SECRET}-{os.getpid()}",
            "socket": str(folder / "socket"),
            "pid": os.getpid(),
            "parent": os.getppid(),
            "home": str(Path.home()),
            "user": os.environ.get("USER", ""),
        }


def _addresses() -> list[str]:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return []
        return [probe.getsockname()[0]]


@contextlib.contextmanager
def seed_workspace() -> Iterator[Path]:
    """Yield a prepared folder that belongs to whoever the unprivileged runtime runs as."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "folder").mkdir()
        for path in ("seed.txt", "other.txt", "keep.txt", "folder/inner.txt"):
            (folder / path).write_text(f"{path} as prepared")
        if os.geteuid() == 0:
            for path in (folder, *folder.rglob("*")):
                os.chown(path, NOBODY, NOBODY)
        yield folder


def fingerprint(folder: Path) -> str:
    """Return a hash of all that lies in ``folder``."""
    digest = hashlib.sha256()
    for path in sorted(folder.rglob("*")):
        content = path.read_bytes() if path.is_file() else b""
        digest.update(f"{path} {path.lstat().st_mode} {len(content)}".encode() + content)
    return digest.hexdigest()
