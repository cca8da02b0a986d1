"""Which instances an environment plays."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from rlvr_gym.envs.splits import Split, in_split
from rlvr_gym.envs.swe_files import load_rows
from rlvr_gym.envs.swe_play.embedded import embedded_instances
from rlvr_gym.envs.task_files import OnBad, Source
from rlvr_gym.envs.task_files.rows import stamp
from rlvr_gym.errors import ConfigError, did_you_mean
from rlvr_gym.repositories.harbor.loading import find_folders, read_task
from rlvr_gym.repositories.instances import Instance
from rlvr_gym.repositories.rows import FILE
from rlvr_gym.runtimes.base import make_runtime


@dataclass(frozen=True, slots=True)
class Choice:
    """Instances to play."""

    instances: tuple[Instance, ...]
    notes: tuple[str, ...]
    """What was left out, in words."""


@dataclass(frozen=True, slots=True)
class Origin:
    """Where instances come from, and how they are read."""

    source: Source | None
    """None for those of our own."""
    layout: str
    on_bad: OnBad
    runtime: str
    """Runtime as JSON: to know a Harbor task's patch, its solution has to be run."""


def load_choice(origin: Origin, split: Split, ids: tuple[str, ...]) -> Choice:
    """Return the instances that the settings name; loading the same again costs nothing while the files are the same.

    Raises:
        ConfigError: none is left, or an id that does not exist.
        TaskError: rows that are no instances.
    """
    found, notes = _load(origin, _stamp(origin.source))
    known = {instance.id: instance for instance in found}
    for name in ids:
        if name not in known:
            raise ConfigError(f"env 'swe': no instance is named '{name}'.{did_you_mean(name, known)}")
    chosen = tuple(known[name] for name in ids) or tuple(each for each in found if in_split(each.id, split))
    if not chosen:
        raise ConfigError(
            f"env 'swe': no instance of {origin.source} is in split '{split}'; 'all' takes all of them."
        )
    return Choice(chosen, notes)


# An evaluation unpickles its environment once per attempt, so that each would read the file again.
@lru_cache(maxsize=8)
def _load(origin: Origin, _stamp: tuple[Any, ...]) -> tuple[tuple[Instance, ...], tuple[str, ...]]:
    source = origin.source
    if source is None:
        return embedded_instances(), ()
    if isinstance(source, Path) and _harbor_files(source):
        runtime = make_runtime(json.loads(origin.runtime))
        return tuple(read_task(folder, runtime=runtime) for folder in find_folders(source)), ()
    rows = load_rows(source, origin.layout, on_bad=origin.on_bad)
    return rows.instances, rows.notes


def _harbor_files(path: Path) -> list[Path]:
    return [file for file in (path / "task.toml", *sorted(path.glob("*/task.toml"))) if file.is_file()]


def _stamp(source: Source | None) -> tuple[Any, ...]:
    """Return what changes when the files change, without a look at each file of each repository."""
    if source is None:
        return ()
    if not isinstance(source, Path):
        return stamp(source)
    own = source / FILE
    files = [own] if own.is_file() else _harbor_files(source)
    return tuple((str(file), file.stat().st_mtime_ns) for file in files) or stamp(source)
