"""Tasks from rows: the hole is found or made, rows that are no tasks are refused with their place."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

from rlvr_gym.envs.base import MAX_PROMPT_CHARS
from rlvr_gym.envs.splits import Split, in_split
from rlvr_gym.envs.task_files import OnBad, Source, canonical
from rlvr_gym.envs.task_files.rows import stamp
from rlvr_gym.envs.verus_files.layouts import Found, VerusLayout, read_found
from rlvr_gym.envs.verus_files.prompts import prompt_of
from rlvr_gym.errors import ConfigError, TaskError
from rlvr_gym.seeding import work_id
from rlvr_gym.spaces import is_unicode
from rlvr_gym.types import Task
from rlvr_gym.verifiers.verus.errors import Stop
from rlvr_gym.verifiers.verus.report import Dialect

_SHOWN = 5


@dataclass(frozen=True, slots=True)
class VerusTasks:
    """The tasks of one split."""

    tasks: tuple[Task, ...]
    notes: tuple[str, ...] = ()
    """What was left out, in words."""


def load_verus_tasks(
    source: Source,
    layout: VerusLayout,
    *,
    write: str,
    dialect: Dialect | None,
    split: Split,
    instruction: str,
    on_bad: OnBad,
) -> VerusTasks:
    """Return the tasks of a file, folder or hub data set; loading the same again costs nothing while it is the same.

    Raises:
        ConfigError: nothing to read, or no task in the split.
        TaskError: rows that are no tasks, the first of them with their places.
    """
    marks = stamp(source) if not _is_programs(source) else _folder_stamp(source)
    return _load(source, marks, layout, write, dialect, split, instruction, on_bad)


def _is_programs(source: Source) -> bool:
    return isinstance(source, Path) and source.is_dir() and any(source.rglob("*.rs"))


def _folder_stamp(source: Any) -> tuple[Any, ...]:
    return tuple(
        (str(file), file.stat().st_mtime_ns, file.stat().st_size) for file in sorted(source.rglob("*.rs"))
    )


# An evaluation unpickles its environment once per attempt, so that each would read the files again.
@lru_cache(maxsize=8)
def _load(
    source: Source,
    _stamp: tuple[Any, ...],
    layout: VerusLayout,
    write: str,
    dialect: Dialect | None,
    split: Split,
    instruction: str,
    on_bad: OnBad,
) -> VerusTasks:
    tasks: dict[str, Task] = {}
    bad: list[str] = []
    rows = repeated = 0
    for found in read_found(source, layout):
        rows += 1
        try:
            if dialect is not None:
                found = replace(found, dialect=dialect)
            problem, task = task_of(found, write, instruction)
            repeated += tasks.setdefault(problem, task) is not task
        except (TaskError, ValueError) as error:
            bad.append(f"{found.where}: {str(error).rstrip('.')}.")
    if not rows:
        raise ConfigError(f"{source}: there are no rows.")
    if bad and (on_bad == "refuse" or not tasks):
        shown = bad[:_SHOWN] + ([f"... and {len(bad) - _SHOWN} more."] if len(bad) > _SHOWN else [])
        last = f"{source}: {len(bad)} of {rows} rows are no tasks. on_bad='skip' leaves them out."
        raise TaskError("\n".join([*shown, last]))
    chosen = tuple(task for problem, task in tasks.items() if in_split(problem, split))
    if not chosen:
        raise ConfigError(f"{source}: none of its {len(tasks)} tasks is in split '{split}'; set split='all'.")
    notes = []
    if bad:
        notes.append(f"{source}: {len(bad)} of {rows} rows are no tasks and were left out, such as {bad[0]}")
    if repeated:
        notes.append(f"{source}: {repeated} of {rows} rows repeat a problem and were left out.")
    return VerusTasks(chosen, tuple(notes))


def task_of(found: Found, write: str, instruction: str) -> tuple[str, Task]:
    """Return the problem, one text for all ways to space it, and the task of a row.

    Raises:
        ValueError: the row is none.
    """
    if found.fault:
        raise ValueError(found.fault)
    from rlvr_gym.verifiers.verus.holes import hole_of, without_body, without_proof

    try:
        if write == "solution":
            given = found.spec or without_body(found.code or found.solution, found.function)
        else:
            given = found.code or without_proof(found.solution, found.function)
        function = found.function or hole_of(given)
    except Stop as error:
        raise ValueError(f"line {error.place.line}: {error.message}") from None
    prompt = prompt_of(
        found.description, given, function, write=write, dialect=found.dialect, instruction=instruction
    )
    if len(prompt) > MAX_PROMPT_CHARS:
        raise ValueError(f"the prompt has {len(prompt)} characters, more than {MAX_PROMPT_CHARS}")
    if not is_unicode(prompt):
        raise ValueError("the prompt is not Unicode text: it holds a lone surrogate")
    known_as = canonical(given)
    return known_as, Task(
        id=f"verus:{work_id(write, known_as)}",
        prompt=prompt,
        reference={"given": given, "function": function, "dialect": found.dialect},
        public={"row": found.where},
        hidden={"solution": found.solution} if found.solution else {},
        strata={"dialect": found.dialect, **found.strata},
    )


@lru_cache(maxsize=32)
def own_tasks(write: str, instruction: str, split: Split, min_level: int, max_level: int) -> VerusTasks:
    """Return the tasks of our own specifications between two grades.

    Raises:
        ConfigError: there is none in the split.
    """
    from rlvr_gym.envs.verus_problems import problems

    chosen = []
    for problem in problems():
        if min_level <= problem.difficulty <= max_level and in_split(problem.slug, split):
            found = Found(
                problem.slug,
                description=problem.description,
                spec=problem.spec,
                solution=problem.source,
                function=problem.function,
                strata={"level": problem.difficulty},
            )
            chosen.append(task_of(found, write, instruction)[1])
    if not chosen:
        raise ConfigError(
            f"env 'verus': no specification of grades {min_level} to {max_level} is in split '{split}'."
        )
    return VerusTasks(tuple(chosen))
