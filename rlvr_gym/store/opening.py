"""Making the folder of a new run, and refusing folders that a run must not touch."""

from __future__ import annotations

import contextlib
import json
import time
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any

from rlvr_gym.errors import StoreError
from rlvr_gym.seeding import work_id
from rlvr_gym.store import files
from rlvr_gym.store.canonical import canonical
from rlvr_gym.store.database import Database
from rlvr_gym.store.failures import told
from rlvr_gym.store.points import reached
from rlvr_gym.types import Json

DATABASE = "run.sqlite"
BLOBS = "blobs"
CHECKPOINTS = "checkpoints"


def build(folder: Path, *, config: Json, seed: int, code_version: str) -> files.FolderLock:
    """Make the folder of a new run and return the lock on it.

    It is built beside and renamed into place, so that a crash leaves a whole run or none.

    Raises:
        StoreError: when the folder is in use or cannot be written.
    """
    with told(folder, "creating the run"):
        if (folder / DATABASE).exists():
            raise StoreError(f"{folder}: there is a run here already. Resume it or choose another folder.")
        if folder.exists() and any(folder.iterdir()):
            raise StoreError(f"{folder}: the folder is not empty and holds no run. Choose another folder.")
        new = folder.with_name(f".{folder.name}.new")
        new.mkdir(parents=True, exist_ok=True)
    lock = files.FolderLock(new)
    try:
        with told(folder, "creating the run"):
            for old in new.iterdir():
                if old.name != files.LOCK:
                    files.remove(old)
            (new / BLOBS).mkdir()
            (new / CHECKPOINTS).mkdir()
            (new / "config.json").write_text(f"{json.dumps(config, indent=2)}\n", encoding="utf-8")
            _fill(Database.create(new / DATABASE), config, seed, code_version)
            for path in (new / "config.json", new / DATABASE, new):
                files.sync(path)
            reached("create-built")
            new.rename(folder)
            files.sync(folder.parent)
    except BaseException:
        lock.close()
        with contextlib.suppress(OSError):
            files.remove(new)
        raise
    reached("create-renamed")
    return lock


def _fill(database: Database, config: Json, seed: int, code_version: str) -> None:
    text = canonical(config)
    about: dict[str, Any] = {
        "run_id": work_id(text, seed),
        "config": text,
        "seed": str(seed),
        "code_version": code_version,
        "created": str(time.time()),
    }
    database.write_many("INSERT INTO run (key, value) VALUES (?, ?)", about.items())
    database.close()


def refuse_other_config(folder: Path, was: Json, now: Json, free: Collection[str]) -> None:
    """Compare two resolved configurations.

    Args:
        folder: The run, for the message.
        was: Of the run.
        now: As given.
        free: Dotted names, of settings or of whole tables, that may differ.

    Raises:
        StoreError: naming the first setting that differs.
    """
    old, new = dict(_leaves(was, "")), dict(_leaves(now, ""))
    for name in sorted({*old, *new}):
        loose = any(name == f or name.startswith(f"{f}.") for f in free)
        if loose or (name in old and name in new and canonical(old[name]) == canonical(new[name])):
            continue
        before, after = (f"{name} = {json.dumps(d[name])}" if name in d else f"no {name}" for d in (old, new))
        raise StoreError(
            f"{folder}: the run was made with {before}, these settings have {after}."
            " Resume with the same settings or choose another folder."
        )


def _leaves(value: Json, name: str) -> Iterator[tuple[str, Json]]:
    if isinstance(value, dict) and value:
        for key, part in value.items():
            yield from _leaves(part, f"{name}.{key}" if name else key)
    else:
        yield name, value
