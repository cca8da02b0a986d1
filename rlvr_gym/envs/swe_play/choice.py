"""Which instances an environment plays."""

from __future__ import annotations

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
from rlvr_gym.repositories.instances import Instance
from rlvr_gym.repositories.rows import FILE

_INDEXES = (FILE, "sweb.yaml", "task.toml", "*/task.toml")
"""Files that change when a folder of many files does."""


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
    rows = load_rows(source, origin.layout, on_bad=origin.on_bad)
    return rows.instances, rows.notes


def _stamp(source: Source | None) -> tuple[Any, ...]:
    """Return what changes when the files change, without a look at each file of each repository."""
    if source is None:
        return ()
    if not isinstance(source, Path):
        return stamp(source)
    files = [file for pattern in _INDEXES for file in sorted(source.glob(pattern)) if file.is_file()]
    return tuple((str(file), file.stat().st_mtime_ns) for file in files) or stamp(source)
