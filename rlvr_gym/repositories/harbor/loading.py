"""Task folders as instances."""

from __future__ import annotations

import hashlib
import os
import threading
from pathlib import Path

from rlvr_gym.repositories.checkouts import cache_folder
from rlvr_gym.repositories.harbor.build import Prepared, prepare
from rlvr_gym.repositories.harbor.errors import HarborError
from rlvr_gym.repositories.harbor.folder import INSTRUCTION, SETTINGS, TEST, Folder, read_folder
from rlvr_gym.repositories.harbor.running import gold_patch
from rlvr_gym.repositories.instances import Instance
from rlvr_gym.repositories.suites.harbor import HarborSuite
from rlvr_gym.runtimes.base import Runtime
from rlvr_gym.runtimes.docker import DockerRuntime
from rlvr_gym.runtimes.local import LocalRuntime
from rlvr_gym.types import Json


def find_folders(path: Path) -> list[Path]:
    """Return the task folders at ``path``: itself, or those right below it, by name.

    Raises:
        HarborError: there is none.
    """
    if (path / SETTINGS).is_file():
        return [path]
    found = sorted(each.parent for each in path.glob(f"*/{SETTINGS}"))
    if not found:
        raise HarborError(f"{path}: no task folder: there is no {SETTINGS}, here or in a folder below.")
    return found


def read_task(
    path: Path, *, image: str = "", reward_key: str = "", runtime: Runtime | None = None
) -> Instance:
    """Return a task folder as an instance; its solution is run in a sandbox, and what it changes is the patch.

    Args:
        path: The task folder.
        image: Image that was built from its Dockerfile, for the runtime ``docker``.
        reward_key: Which number counts where its tests leave several.
        runtime: Where the solution runs; by default ``docker`` for a task in an image, and else ``local``.

    Raises:
        HarborError: the folder breaks the format.
        UnsupportedError: the task needs what cannot be had here.
        UnavailableError: this machine cannot isolate.
    """
    folder = read_folder(path)
    prepared = prepare(folder, image=image)
    chosen = runtime or (DockerRuntime() if prepared.start.image else LocalRuntime())
    return Instance(
        id=folder.name,
        problem=folder.instruction,
        suite=HarborSuite(folder.path, image, reward_key),
        patch=_gold(folder, prepared, chosen),
        test_patch="",
        fail_to_pass=(TEST,),
        pass_to_pass=(),
        repo=folder.name,
        version=(folder.settings.task.version or "") if folder.settings.task else "",
        strata=_strata(folder),
        provenance=_provenance(folder, prepared.notes),
    )


def _gold(folder: Folder, prepared: Prepared, runtime: Runtime) -> str:
    """Return the solution's patch, found out once for each content of the task."""
    # An image may change under its name; what was copied out of it is named by its content.
    place = cache_folder("harbor-solutions") / f"{prepared.key}-{prepared.start.workspace.name}.patch"
    if not place.exists():
        new = place.with_suffix(f".{os.getpid()}.{threading.get_ident()}")
        new.write_bytes(gold_patch(folder, prepared, runtime).encode("utf-8", "surrogateescape"))
        new.rename(place)
    return place.read_bytes().decode("utf-8", "surrogateescape")


def _strata(folder: Folder) -> dict[str, str | int]:
    metadata = folder.settings.metadata
    found: dict[str, str | int] = {"kind": "harbor"}
    for name in ("difficulty", "category"):
        if isinstance(metadata.get(name), str):
            found[name] = metadata[name]
    return found


def _provenance(folder: Folder, notes: tuple[str, ...]) -> dict[str, Json]:
    names = (SETTINGS, INSTRUCTION)
    hashes: dict[str, Json] = {
        name: hashlib.sha256((folder.path / name).read_bytes()).hexdigest() for name in names
    }
    return {"format": "harbor", "files": hashes, "differences": list(notes)}
