"""Instances from files, folders and the hub; rows that are none are refused with their place, or left out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from rlvr_gym.envs.swe_files.harbor import is_harbor, read_harbor
from rlvr_gym.envs.swe_files.layout import SWE_LAYOUTS, SweLayout, Values
from rlvr_gym.envs.swe_files.task_repo import is_task_repo, read_task_repo
from rlvr_gym.envs.task_files import HubSet, OnBad, Source
from rlvr_gym.envs.task_files.rows import Row, read_rows
from rlvr_gym.errors import ConfigError, TaskError
from rlvr_gym.repositories import rows as own_rows
from rlvr_gym.repositories.instances import Instance
from rlvr_gym.spaces import is_unicode

_SHOWN = 5
"""Bad rows that a refusal tells of."""


@dataclass(frozen=True, slots=True)
class SweRows:
    """The instances of a file."""

    instances: tuple[Instance, ...]
    notes: tuple[str, ...]
    """What was left out, in words."""


def load_instances(
    source: Source | str, layout: str = "auto", *, on_bad: OnBad = "refuse", hub_split: str = "test"
) -> list[Instance]:
    """Return the instances of a data set, in order.

    Args:
        source: A file (.jsonl, .json, .csv, .parquet), a folder of such files, a folder that ``write_instances`` or
            swebench 5 (``sweb.yaml``) made, Harbor task folders, or a data set of the Hugging Face hub (a text that is no path).
        layout: How rows are read: a name in `SWE_LAYOUTS`, or by the columns of each.
        on_bad: ``refuse`` raises for rows that are no tasks, ``skip`` leaves them out.
        hub_split: Split of a hub data set that is given by its name alone.

    Raises:
        ConfigError: nothing to read, or no such data set.
        MissingExtraError: Parquet, the hub or YAML without the extra ``data``.
        TaskError: rows that are no tasks, the first of them with their places.
        UnknownNameError: no such layout.
    """
    return list(load_rows(source, layout, on_bad=on_bad, hub_split=hub_split).instances)


def load_rows(
    source: Source | str, layout: str = "auto", *, on_bad: OnBad = "refuse", hub_split: str = "test"
) -> SweRows:
    """Return the instances of a data set, and what was left out; see `load_instances`."""
    if isinstance(source, str):
        source = (
            Path(source)
            if Path(source).exists() or _is_file_name(source)
            else HubSet(source, split=hub_split)
        )
    if isinstance(source, Path) and layout in ("auto", "harbor") and is_harbor(source):
        tasks, left_out = read_harbor(source, on_bad)
        return SweRows(tuple(tasks), tuple(left_out))
    if isinstance(source, Path) and layout in ("auto", "own") and _is_own(source):
        return SweRows(tuple(own_rows.read_instances(source)), ())
    if layout in ("own", "harbor"):
        raise ConfigError(f"{source}: this is not of the layout '{layout}'.")
    layouts = _layouts(layout)
    found: dict[str, Instance] = {}
    bad: list[str] = []
    count = 0
    for row in _rows(source):
        count += 1
        try:
            instance = _instance(row, layouts)
            if instance.id in found:
                raise ValueError(f"the id '{instance.id}' is taken by an earlier row")
            found[instance.id] = instance
        except ValueError as error:
            bad.append(f"{row.where}: {str(error).rstrip('.')}.")
        except (KeyError, TypeError, AttributeError) as error:
            bad.append(f"{row.where}: a value is not laid out as in this data set ({error!r}).")
    if not count:
        raise ConfigError(f"{source}: there are no rows.")
    if bad and (on_bad == "refuse" or not found):
        raise TaskError("\n".join(_refusal(source, bad, count)))
    notes = (
        [f"{source}: {len(bad)} of {count} rows are no tasks and were left out, such as {bad[0]}"]
        if bad
        else []
    )
    return SweRows(tuple(found.values()), tuple(notes))


def _is_file_name(source: str) -> bool:
    return source.startswith((".", "/")) or Path(source).suffix in (".jsonl", ".json", ".csv", ".parquet")


def _is_own(path: Path) -> bool:
    if path.is_dir():
        return (path / own_rows.FILE).is_file()
    if path.suffix != ".jsonl" or not path.is_file():
        return False
    return "rlvr_gym" in next(read_rows(path), Row("")).values


def _layouts(name: str) -> list[SweLayout]:
    if name != "auto":
        return [SWE_LAYOUTS[name].value]
    return sorted((entry.value for entry in SWE_LAYOUTS.entries()), key=lambda layout: layout.rank)


def _rows(source: Source) -> Iterable[Row]:
    if isinstance(source, Path) and is_task_repo(source):
        return read_task_repo(source)
    return read_rows(source)


def _instance(row: Row, layouts: list[SweLayout]) -> Instance:
    if row.fault:
        raise ValueError(row.fault)
    layout = layouts[0] if len(layouts) == 1 else next(_fitting(row.values, layouts), None)
    if layout is None:
        raise ValueError(f"no layout has the columns {', '.join(map(str, row.values)) or 'of an empty row'}")
    found = layout.read(row.values)
    if not is_unicode(found.problem):
        raise ValueError("the problem is not Unicode text: it holds a lone surrogate")
    if not found.problem.strip():
        raise ValueError("the problem is empty")
    return replace(found, provenance={**found.provenance, "row": row.where})


def _fitting(row: Values, layouts: list[SweLayout]) -> Iterator[SweLayout]:
    return (layout for layout in layouts if layout.fits(row))


def _refusal(source: Source, bad: list[str], count: int) -> list[str]:
    more = [f"... and {len(bad) - _SHOWN} more."] if len(bad) > _SHOWN else []
    last = f"{source}: {len(bad)} of {count} rows are no tasks. on_bad='skip' leaves them out."
    return [*bad[:_SHOWN], *more, last]
