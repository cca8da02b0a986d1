"""Checkpoint folders: written beside, flushed, renamed; complete or absent."""

from __future__ import annotations

import hashlib
import os
import shutil
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from pathlib import Path

from rlvr_gym.errors import StoreError
from rlvr_gym.store import files
from rlvr_gym.store.failures import told
from rlvr_gym.store.points import reached
from rlvr_gym.types import Json

_NEARLY_NOTHING = 2**20


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """A commit from which the loop can go on."""

    step: int
    branch: int
    path: Path
    """Folder with what the writer put there."""
    state: Json
    """What the loop gave to ``commit``."""
    healthy: bool


class Checkpoints:
    """The folder ``checkpoints`` of a run. A checkpoint counts only when a row of the ledger names it."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    @staticmethod
    def name(step: int) -> str:
        """Return the folder name of a step's checkpoint."""
        return f"step-{step:06d}"

    def path(self, name: str) -> Path:
        """Return the folder of a checkpoint."""
        return self._folder / name

    def write(self, step: int, writer: Callable[[Path], None]) -> dict[str, Json]:
        """Let ``writer`` fill a new folder, move it into place and return its files: name -> [bytes, hash].

        Raises:
            StoreError: when the disk refuses; no checkpoint of this step exists then.
        """
        path = self.path(self.name(step))
        new = path.with_name(f"{path.name}.new")
        with told(path, "writing the checkpoint"):
            files.remove(new)
            new.mkdir(parents=True)
            try:
                writer(new)
                reached("checkpoint-half")
                contents = _contents(new)
                for folder, _, names in os.walk(new, topdown=False):
                    for name in names:
                        files.sync(Path(folder, name))
                    files.sync(Path(folder))
            except Exception as error:
                # Some writers report a full disk as an error of their own kind; the disk tells the truth.
                full = shutil.disk_usage(self._folder).free < _NEARLY_NOTHING
                shutil.rmtree(new, ignore_errors=True)
                if full and not isinstance(error, OSError):
                    raise StoreError(f"{path}: writing the checkpoint failed: the disk is full.") from error
                raise
            reached("checkpoint-written")
            # A folder of this name that no row names was left by a crash between rename and transaction.
            files.remove(path)
            new.rename(path)
            files.sync(self._folder)
        reached("checkpoint-renamed")
        return contents

    def check(self, name: str, contents: Mapping[str, Json]) -> None:
        """Compare the files of a checkpoint with what was recorded of them.

        Raises:
            StoreError: naming the first file that differs.
        """
        path = self.path(name)
        with told(path, "reading the checkpoint"):
            found = _contents(path)
        for file in sorted({*contents, *found}):
            if contents.get(file) != found.get(file):
                what = "is missing" if file not in found else "differs from what was written"
                raise StoreError(
                    f"{path / file}: the file {what}. Remove the folder {path} to resume from an older checkpoint."
                )

    def exists(self, name: str) -> bool:
        """Return True when the folder is there."""
        return self.path(name).is_dir()

    def keep_only(self, names: Collection[str]) -> None:
        """Remove every folder that no row names, also half-written ones."""
        with told(self._folder, "removing old checkpoints"):
            for path in sorted(self._folder.iterdir()):
                if path.name not in names:
                    files.remove(path)


def _contents(folder: Path) -> dict[str, Json]:
    found: dict[str, Json] = {}
    for path in sorted(p for p in folder.rglob("*") if p.is_file()):
        with path.open("rb") as file:
            value = hashlib.file_digest(file, lambda: hashlib.blake2b(digest_size=16)).hexdigest()
        found[path.relative_to(folder).as_posix()] = [path.stat().st_size, value]
    return found
