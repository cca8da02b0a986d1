"""Tasks from rows: bad rows are refused with their line, repeated problems are left out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from rlvr_gym.envs.base import MAX_PROMPT_CHARS
from rlvr_gym.envs.code_files.layouts import CodeLayout, read_row
from rlvr_gym.envs.splits import Split, in_split
from rlvr_gym.envs.task_files import OnBad, Source, canonical, with_instruction
from rlvr_gym.envs.task_files.rows import Row, read_rows, stamp
from rlvr_gym.errors import ConfigError, TaskError
from rlvr_gym.seeding import work_id
from rlvr_gym.spaces import is_unicode
from rlvr_gym.types import Task
from rlvr_gym.verifiers.code_tests.suite import read_suite

_SHOWN = 5
"""Bad rows that a refusal tells of."""


@dataclass(frozen=True, slots=True)
class CodeTasks:
    """The tasks of one split of a file."""

    tasks: tuple[Task, ...]
    notes: tuple[str, ...]
    """What was left out, in words."""


def load_code_tasks(
    source: Source, layout: CodeLayout, *, split: Split, instruction: str, on_bad: OnBad, num_examples: int
) -> CodeTasks:
    """Return the tasks of a file or hub data set; loading the same again costs nothing while the file is the same.

    Raises:
        ConfigError: nothing to read, or no task in the split.
        TaskError: rows that are no tasks, the first of them with their lines.
    """
    return _load(source, stamp(source), layout, split, instruction, on_bad, num_examples)


# An evaluation unpickles its environment once per attempt, so that each would read the file again.
@lru_cache(maxsize=8)
def _load(
    source: Source,
    _stamp: tuple[Any, ...],
    layout: CodeLayout,
    split: Split,
    instruction: str,
    on_bad: OnBad,
    num_examples: int,
) -> CodeTasks:
    tasks: dict[str, Task] = {}
    bad: list[str] = []
    rows = repeated = 0
    for row in read_rows(source):
        rows += 1
        try:
            problem, task = _task(row, layout, instruction, num_examples)
            repeated += tasks.setdefault(problem, task) is not task
        except (TaskError, ValueError) as error:
            bad.append(f"{row.where}: {str(error).rstrip('.')}.")
    if not rows:
        raise ConfigError(f"{source}: there are no rows.")
    if bad and (on_bad == "refuse" or not tasks):
        shown = bad[:_SHOWN] + ([f"... and {len(bad) - _SHOWN} more."] if len(bad) > _SHOWN else [])
        raise TaskError(
            "\n".join(
                [*shown, f"{source}: {len(bad)} of {rows} rows are no tasks. on_bad='skip' leaves them out."]
            )
        )
    chosen = tuple(task for problem, task in tasks.items() if in_split(problem, split))
    if not chosen:
        raise ConfigError(f"{source}: none of its {len(tasks)} tasks is in split '{split}'; set split='all'.")
    return CodeTasks(chosen, tuple(_notes(source, bad, repeated, rows)))


def _notes(source: Source, bad: list[str], repeated: int, rows: int) -> Iterator[str]:
    if bad:
        yield f"{source}: {len(bad)} of {rows} rows are no tasks and were left out, such as {bad[0]}"
    if repeated:
        yield f"{source}: {repeated} of {rows} rows repeat a problem and were left out."


def _task(row: Row, layout: CodeLayout, instruction: str, num_examples: int) -> tuple[str, Task]:
    """Return the problem, one text for all ways to space it, and the task of a row.

    Raises:
        ValueError: the row is none.
        TaskError: its tests cannot be read.
    """
    if row.fault:
        raise ValueError(row.fault)
    found = read_row(row.values, layout, num_examples)
    prompt = with_instruction(found.problem, instruction)
    if len(prompt) > MAX_PROMPT_CHARS:
        raise ValueError(f"the prompt has {len(prompt)} characters, more than {MAX_PROMPT_CHARS}")
    if not is_unicode(prompt):
        raise ValueError("the prompt is not Unicode text: it holds a lone surrogate")
    read_suite(found.reference)
    known_as = canonical(found.problem)
    return known_as, Task(
        id=f"code:{work_id(known_as)}",
        prompt=prompt,
        reference=found.reference,
        public={"row": row.where},
        hidden={"solution": found.solution} if found.solution else {},
        strata=found.strata,
    )
