"""Which instances an environment plays."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from rlvr_gym.envs.splits import Split, in_split
from rlvr_gym.envs.swe_play.embedded import embedded_instances
from rlvr_gym.errors import ConfigError, did_you_mean
from rlvr_gym.repositories.instances import Instance


@dataclass(frozen=True, slots=True)
class Rows:
    """The instances of one split."""

    instances: tuple[Instance, ...]
    notes: tuple[str, ...] = ()


def load_rows(file: Path | None, layout: str, split: Split, ids: tuple[str, ...]) -> Rows:
    """Return the instances that the settings name; loading the same again costs nothing while the file is the same.

    Raises:
        ConfigError: none is left, or an id that does not exist.
        TaskError: rows that are no instances.
    """
    return _load(file, _stamp(file), layout, split, ids)


# An evaluation unpickles its environment once per attempt, so that each would read the file again.
@lru_cache(maxsize=8)
def _load(
    file: Path | None, _stamp: tuple[Any, ...], layout: str, split: Split, ids: tuple[str, ...]
) -> Rows:
    if file is None:
        found = embedded_instances()
    else:
        from rlvr_gym.envs.swe_files import load_instances

        found = tuple(load_instances(file, layout))
    known = {instance.id for instance in found}
    for name in ids:
        if name not in known:
            raise ConfigError(f"env 'swe': no instance is named '{name}'.{did_you_mean(name, known)}")
    wanted = set(ids) or known
    chosen = tuple(each for each in found if each.id in wanted and in_split(each.id, split))
    if not chosen:
        raise ConfigError(
            f"env 'swe': no instance of {file or 'our own'} is in split '{split}'"
            f"{' and among ids' if ids else ''}; split = 'all' takes them all."
        )
    return Rows(chosen)


def _stamp(file: Path | None) -> tuple[Any, ...]:
    if file is None or not file.exists():
        return ()
    places = [file, file / "instances.jsonl"] if file.is_dir() else [file]
    return tuple((place.stat().st_mtime_ns, place.stat().st_size) for place in places if place.exists())
