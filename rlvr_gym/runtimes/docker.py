"""The runtime ``docker``: hardened containers of a Docker or Podman engine on this machine."""

from __future__ import annotations

import contextlib
import os
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from pydantic import Field, PositiveFloat

from rlvr_gym.config import Config
from rlvr_gym.errors import MissingExtraError
from rlvr_gym.runtimes import containers, image_files, image_links
from rlvr_gym.runtimes.base import RUNTIMES, Spec, UnavailableError
from rlvr_gym.runtimes.local import LocalSandbox

T = TypeVar("T")
_USUAL = "unix:///var/run/docker.sock"
_OLDEST_API = (1, 41)
"""Docker Engine 20.10 and Podman 4: control-group namespaces."""
_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
_CLIENT_S = 120


class Docker(Config):
    """Settings of the runtime ``docker``."""

    image: str = "rlvr-gym-sandbox:latest"
    """Image for sandboxes that name none; it needs Python 3.9 or later."""
    host: str = ""
    """Address of the engine's socket, ``unix://...``; empty: that of DOCKER_HOST, or the usual one."""
    user: str = Field("", pattern=r"^([1-9][0-9]*:[1-9][0-9]*)?$")
    """``uid:gid`` of the commands, never root; empty: one of its own for each sandbox."""
    cpus: PositiveFloat = 1.0
    """Processors that one sandbox may keep busy."""
    strict_disk: bool = True
    """Keep the limits of disk and inodes exactly. False for Podman, which cannot: there what is written counts as memory,
    and the memory limit alone bounds it."""
    python: str = "python3"
    """The image's Python, for the command server."""


class DockerRuntime:
    """Starts containers with no network, a read-only root, limits, no capabilities and two system-call filters."""

    def __init__(self, config: Docker | None = None) -> None:
        self._config = config or Docker()
        self._host = self._config.host or os.environ.get("DOCKER_HOST", "") or _USUAL
        self._api = "auto"
        self._images: dict[str, tuple[str, str]] = {}
        self._works = False

    def _client(self) -> Any:
        """Return a client with connections of its own: those that threads or a fork share would mix their answers."""
        client = _sdk().APIClient(self._host, version=self._api, timeout=_CLIENT_S)
        self._api = client.api_version
        return client

    def missing(self) -> list[str]:
        """Return what keeps this machine from isolating with this runtime, one line each; nothing when it can."""
        if self._works:
            return []
        try:
            sdk = _sdk()
        except MissingExtraError as error:
            return [str(error)]
        if lines := _socket_missing(self._host):
            return lines
        try:
            with contextlib.closing(self._client()) as client:
                lines = self._engine_missing(client) or self._image_missing(client, self._config.image)
            if lines:
                return lines
            with self._start(Spec()) as sandbox:
                done = sandbox.exec(["/bin/sh", "-c", "true"])
        except (OSError, sdk.errors.DockerException) as error:
            return [f"an engine at {self._host} that starts a container: {error}"]
        if done.code != 0:
            return [f"a shell that starts inside: {done.stderr.decode(errors='replace').strip()}"]
        self._works = True
        return []

    def _engine_missing(self, client: Any) -> list[str]:
        told = client.version()
        version = told["ApiVersion"]
        if tuple(map(int, version.split("."))) < _OLDEST_API:
            needed = ".".join(map(str, _OLDEST_API))
            return [f"an engine with API {needed} or later: that at {self._host} has {version}"]
        names = [part["Name"] for part in told.get("Components") or []]
        if self._config.strict_disk and any("Podman" in name for name in names):
            return [
                "strict_disk = false in the settings: Podman bounds what is written only by the memory limit"
            ]
        found = client.info()
        lines = [
            f"{what}, which the engine at {self._host} says it cannot keep"
            for key, what in (
                ("MemoryLimit", "a memory limit"),
                ("PidsLimit", "a limit of processes"),
                ("CpuCfsQuota", "a limit of processor time"),
            )
            # Absent in what some engines say; the containers' own control group tells then.
            if found.get(key) is False
        ]
        security = found.get("SecurityOptions") or []
        if not any("seccomp" in option and "unconfined" not in option for option in security):
            lines.append(f"system-call filters, which are off in the engine at {self._host}")
        if not self._config.user and any("rootless" in option or "userns" in option for option in security):
            lines.append('user = "uid:gid" in the settings: this engine maps users, and has few of them')
        return lines

    def _image_missing(self, client: Any, image: str) -> list[str]:
        from docker.errors import ImageNotFound

        try:
            answer = client.inspect_image(image)
        except ImageNotFound:
            if image == Docker().image:
                return [f"the image {image!r}: sandboxes/build_image.sh makes it"]
            return [f"the image {image!r} in the engine at {self._host}; get it with: docker pull {image}"]
        found = answer["Config"] or {}
        if found.get("Volumes"):
            # Folders of the host's disk, which no limit holds for.
            return [f"an image without volumes: {image!r} has {', '.join(found['Volumes'])}"]
        paths = [line[len("PATH=") :] for line in found.get("Env") or [] if line.startswith("PATH=")]
        # By its id: a name may be moved to another image at any time.
        self._images[image] = answer["Id"], paths[0] if paths else _PATH
        return []

    def start(self, spec: Spec) -> LocalSandbox:
        """Return a started sandbox.

        Raises:
            MissingExtraError: the Python package ``docker`` is not installed.
            UnavailableError: when ``missing`` says something; never a weaker sandbox instead.
        """
        sdk = _sdk()
        lines = self.missing()
        try:
            if not lines:
                with contextlib.closing(self._client()) as client:
                    lines = self._image_missing(client, spec.image or self._config.image)
            if not lines:
                return self._start(spec)
        except sdk.errors.DockerException as error:
            raise UnavailableError(f"The engine at {self._host} refused a sandbox: {error}") from error
        raise UnavailableError(f"The runtime 'docker' cannot isolate here. Missing: {'; '.join(lines)}.")

    def _start(self, spec: Spec) -> LocalSandbox:
        config = self._config
        image, path = self._images[spec.image or config.image]
        user = config.user or containers.own_user()
        if spec.links or spec.opened:
            with contextlib.closing(self._client()) as client:
                image = image_links.linked(client, image, spec.links, spec.opened)
        made = containers.Made(image, user, config.cpus, config.python, path, config.strict_disk)
        return LocalSandbox(containers.Container(self._client(), spec, made), spec.limits)

    def image_id(self, image: str) -> str:
        """Return the id of an image, which tells its content.

        Raises:
            UnavailableError: it is not in the engine, which pulls nothing by itself, or there is no engine.
        """
        return self._with_image(image, lambda _, found: found)

    def copy_out(self, image: str, folder: str, target: Path) -> None:
        """Write a folder of an image to the empty folder ``target``: files, folders and links, owned by the caller.

        Raises:
            FileNotFoundError: the image has no such folder.
            UnavailableError: it is not in the engine, or there is no engine.
        """
        self._with_image(image, lambda client, found: image_files.copy_out(client, found, folder, target))

    def _with_image(self, image: str, call: Callable[[Any, str], T]) -> T:
        sdk = _sdk()
        # Nothing is started, so that the engine is not asked whether it isolates.
        if lines := _socket_missing(self._host):
            raise UnavailableError(f"The runtime 'docker' cannot isolate here. Missing: {'; '.join(lines)}.")
        try:
            with contextlib.closing(self._client()) as client:
                if lines := self._image_missing(client, image):
                    raise UnavailableError(f"Missing: {'; '.join(lines)}.")
                return call(client, self._images[image][0])
        except sdk.errors.DockerException as error:
            raise UnavailableError(
                f"The engine at {self._host} did not give the image {image!r}: {error}"
            ) from error

    def sweep(self) -> list[str]:
        """Remove the containers that killed processes of this library left, and return their ids."""
        with contextlib.closing(self._client()) as client:
            return containers.sweep(client)


def _sdk() -> Any:
    try:
        import docker
    except ImportError:
        raise MissingExtraError("The runtime 'docker'", "docker") from None
    return docker


def _socket_missing(host: str) -> list[str]:
    scheme, _, path = host.partition("://")
    if scheme != "unix":
        return [f"an engine on this machine, by its socket (unix://...): {host} is none"]
    try:
        found = Path(path).stat()
    except OSError as error:
        return [f"the socket of an engine at {path}: {error.strerror} (sandboxes/start_docker.sh starts one)"]
    if not stat.S_ISSOCK(found.st_mode):
        return [f"the socket of an engine at {path}: that is no socket"]
    if not os.access(path, os.R_OK | os.W_OK):
        return [f"the right to use the engine's socket {path}"]
    return []


def _docker(config: Docker) -> DockerRuntime:
    runtime = DockerRuntime(config)
    if not runtime.missing():
        runtime.sweep()
    return runtime


RUNTIMES.add(
    "docker",
    _docker,
    config=Docker,
    summary="Hardened containers of a Docker or Podman engine on this machine.",
)
