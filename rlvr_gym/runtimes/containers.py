"""One container: how it is hardened, how its command server is reached, who owns it."""

from __future__ import annotations

import contextlib
import os
import secrets
import shutil
import socket
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from rlvr_gym.runtimes import isolation, launch, seed
from rlvr_gym.runtimes.base import Limits, SandboxLostError, Spec, UnavailableError
from rlvr_gym.runtimes.isolation import cgroups, settings

OWNER = "rlvr_gym.owner"
"""Label of every container: machine start and process."""

_INSIDE = "/.rlvr_gym"
_OURS = f"{cgroups.PREFIX}."
_FOLDER = f"{cgroups.PREFIX}_"
"""Begins the names of the folders for sockets; the process that made one follows."""
_BOOT = "import sys; sys.path.append('{0}'); from isolation.contained import main; main('{0}/control')"
_START_S = 60.0
_GONE_S = 30.0
_MIB = 1 << 20
_FIRST_UID = 0x60000000
"""Start of a range that no distribution hands out: users share kernel limits, and sandboxes should not."""
_SHARES = {"/workspace": 1 / 2, "/tmp": 3 / 8, "/dev/shm": 1 / 8}
"""Parts of the disk limit: an engine cannot make one file system appear in three places."""


def owner() -> str:
    """Return the label of this process."""
    return f"{_boot()} {cgroups.name()}"


def _boot() -> str:
    return Path("/proc/sys/kernel/random/boot_id").read_text().strip()


def is_dead(label: str) -> bool:
    """Return whether the process behind a label has ended; of other pid namespaces nobody here can tell."""
    boot, _, name = label.partition(" ")
    if boot != _boot():
        return True
    parts = name.split(".")
    here = str(Path("/proc/self/ns/pid").stat().st_ino)
    return len(parts) == 4 and parts[1] == here and cgroups.started(int(parts[2])) != parts[3]


def own_user() -> str:
    """Return a user that nobody else is."""
    uid = _FIRST_UID + secrets.randbelow(1 << 24)
    return f"{uid}:{uid}"


class Made(NamedTuple):
    """What a container is made from, beside a spec."""

    image: str
    user: str
    """Number of a user and of a group, ``uid:gid``."""
    cpus: float
    python: str
    path: str
    """PATH of its commands."""
    strict_disk: bool
    """Whether the engine can bound inodes, and give a file system to a user."""


def options(client: Any, spec: Spec, made: Made, folder: str) -> dict[str, Any]:
    """Return the arguments of ``create_container``: what isolates, and nothing that the image could undo.

    Args:
        client: Client of the engine.
        spec: What the sandbox is started with.
        made: What its container is made from.
        folder: Host folder with the socket ``control`` and the empty folder ``empty``.
    """
    limits = spec.limits
    size = seed.measure(spec.workspace) if spec.workspace else seed.Size(0, 0)
    memory = (limits.memory_mib + limits.disk_mib) * _MIB + size.bytes
    binds = {f"{_INSIDE}/control": f"{folder}/control"}
    binds[f"{_INSIDE}/isolation"] = str(Path(isolation.__file__).parent)
    binds |= {inside: str(host.resolve()) for host, inside in spec.read_only.items()}
    # No file system in memory: Podman would copy into one what it covers.
    binds |= {path: f"{folder}/empty" for path in spec.hidden if _may_be_there(path, spec.read_only)}
    host_config = client.create_host_config(
        auto_remove=True,
        network_mode="none",
        ipc_mode="private",
        cgroupns="private",
        read_only=True,
        tmpfs=_file_systems(limits, size, made),
        mounts=[_bind(host, inside) for inside, host in binds.items()],
        mem_limit=memory,
        memswap_limit=memory,
        nano_cpus=int(made.cpus * 1e9),
        # One for the server.
        pids_limit=limits.pids + 1,
        # Podman needs both as soon as it gets one.
        ulimits=[
            {"Name": "nofile", "Soft": max(limits.open_files, 256), "Hard": max(limits.open_files, 256)},
            {"Name": "nproc", "Soft": 4096, "Hard": 4096},
            {"Name": "core", "Soft": 0, "Hard": 0},
        ],
        cap_drop=["ALL"],
        security_opt=["no-new-privileges"],
        log_config={"Type": "none"},
    )
    return {
        "image": made.image,
        "entrypoint": [made.python, "-I", "-S", "-B", "-X", "utf8", "-c", _BOOT.format(_INSIDE)],
        "command": [],
        "user": made.user,
        "working_dir": "/",
        "hostname": "sandbox",
        "healthcheck": {"Test": ["NONE"]},
        "labels": {OWNER: owner()},
        "host_config": host_config,
    }


def _file_systems(limits: Limits, size: seed.Size, made: Made) -> dict[str, str]:
    uid, _, gid = made.user.partition(":")
    found = {}
    for folder, share in _SHARES.items():
        room = max(int(limits.disk_mib * share * _MIB), _MIB)
        inodes = max(int(limits.inodes * share), 16)
        if folder == "/workspace":
            room, inodes = room + size.bytes, inodes + size.inodes
        bounds = f"size={room},mode=1777"
        if made.strict_disk:
            mode = "755" if folder == "/workspace" else "1777"
            bounds = f"size={room},mode={mode},nr_inodes={inodes},uid={uid},gid={gid}"
        found[folder] = f"rw,exec,nosuid,nodev,{bounds}"
    return found


def _may_be_there(path: str, read_only: Mapping[Path, str]) -> bool:
    """Return whether there is something to cover: an engine makes what it mounts at, and that could be on the host."""
    above = {inside: host for host, inside in read_only.items() if path.startswith(f"{inside}/")}
    if not above:
        return True
    nearest = max(above, key=len)
    return Path(above[nearest], path[len(nearest) + 1 :]).is_dir()


def _bind(host: str, inside: str) -> dict[str, Any]:
    # What is mounted below would stay writable, so it does not appear.
    return {
        "Type": "bind",
        "Source": host,
        "Target": inside,
        "ReadOnly": True,
        "BindOptions": {"NonRecursive": True},
    }


class Container(launch.Connection):
    """A started container and the connection to its command server.

    The server connects to a socket of ours, which then stops listening: the engine is not in the way of commands, and
    when we die the server sees it, ends, and the engine removes the container.

    Raises:
        UnavailableError: it does not start.
    """

    def __init__(self, client: Any, spec: Spec, made: Made) -> None:
        self._client = client
        self._id = ""
        self._socket = listener = socket.socket(socket.AF_UNIX)
        folder = tempfile.mkdtemp(prefix=f"{_FOLDER}{cgroups.name().removeprefix(_OURS)}-")
        try:
            control = f"{folder}/control"
            with listener:
                listener.bind(control)
                # Open to all, but only through the folder, which is ours alone, and the mount in the container.
                Path(control).chmod(0o666)
                listener.listen(1)
                empty = Path(folder, "empty")
                empty.mkdir()
                empty.chmod(0o755)
                self._id = client.create_container(**options(client, spec, made, folder))["Id"]
                client.start(self._id)
                self._socket = self._accepted(listener, made)
            # Commands do without the engine, and idle connections to it would add up.
            client.close()
            self._begin(spec, made)
        except SandboxLostError as error:
            raise UnavailableError(f"The container did not start: {error}") from error
        except BaseException:
            self.close()
            raise
        finally:
            shutil.rmtree(folder)

    def _accepted(self, listener: socket.socket, made: Made) -> socket.socket:
        until = time.monotonic() + _START_S
        listener.settimeout(0.5)
        while time.monotonic() < until:
            with contextlib.suppress(TimeoutError):
                return listener.accept()[0]
            if not self._exists():
                raise UnavailableError(
                    f"The command server ended at once in the image {made.image!r}: does it hold Python 3.9 or later "
                    f"as {made.python!r}, and may user {made.user} read {Path(isolation.__file__).parent}?"
                )
        raise UnavailableError(f"The command server did not come up within {_START_S:g} s.")

    def _begin(self, spec: Spec, made: Made) -> None:
        plan = settings.Plan(
            kind="commands",
            tier="container",
            limits=launch.travelling(spec.limits)._replace(
                inodes=spec.limits.inodes if made.strict_disk else 0
            ),
            workspace="",
            binds={},
            env={"PATH": made.path, "HOME": "/tmp", "LANG": "C.UTF-8", **spec.env},
            imports=(),
            path=(),
            cgroups=(),
            parent=0,
            hidden=(),
            links={},
        )
        answer, _ = self.request(plan._asdict(), timeout_s=_START_S)
        if "error" in answer:
            raise UnavailableError(f"The container refused a step of isolation: {answer['error'][1]}.")
        for entries, body, last in seed.batches(spec.workspace):
            answer, _ = self.request({"entries": entries, "last": last}, body, timeout_s=_START_S)
            if "error" in answer:
                raise OSError(*answer["error"], str(spec.workspace))

    def _exists(self) -> bool:
        from docker.errors import NotFound

        try:
            self._client.inspect_container(self._id)
        except NotFound:
            return False
        return True

    def _last_words(self) -> str:
        return ""

    def close(self) -> None:
        """Kill everything in the container, and wait until the engine has removed it."""
        # A thread that waits for an answer wakes up by this, and would not by close alone.
        with contextlib.suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()
        if self._id:
            remove(self._client, self._id)
            self._id = ""
        self._client.close()


def remove(client: Any, container: str) -> None:
    """Remove a container with all that is in it.

    Raises:
        SandboxLostError: the engine does not do it.
    """
    from docker.errors import APIError, NotFound

    until = time.monotonic() + _GONE_S
    while True:
        try:
            client.remove_container(container, force=True, v=True)
        except NotFound:
            return
        except APIError as error:
            # The engine is at it by itself: its server has ended.
            if error.status_code != 409 or time.monotonic() > until:
                raise SandboxLostError(f"The container {container[:12]} is not removed: {error}") from error
            time.sleep(0.005)
        except OSError as error:
            raise SandboxLostError(f"The container {container[:12]} may be left: {error}") from error


def sweep(client: Any) -> list[str]:
    """Remove the containers of processes that have ended, and return their ids; others' stay.

    Folders go too that processes left which were killed while a container started.
    """
    for folder in Path(tempfile.gettempdir()).glob(f"{_FOLDER}*-*"):
        label = _OURS + folder.name.removeprefix(_FOLDER).rpartition("-")[0]
        if cgroups.is_dead(label) and folder.lstat().st_uid == os.geteuid():
            shutil.rmtree(folder, ignore_errors=True)
    found = client.containers(all=True, filters={"label": [OWNER]})
    dead = [entry["Id"] for entry in found if is_dead(entry["Labels"][OWNER])]
    for container in dead:
        remove(client, container)
    return dead
