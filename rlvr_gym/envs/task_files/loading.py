"""Tasks from rows: bad rows are refused with their line, repeated problems are left out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Literal, TypeAlias

from rlvr_gym.envs.base import MAX_PROMPT_CHARS
from rlvr_gym.envs.splits import Split, in_split
from rlvr_gym.envs.task_files.columns import Columns
from rlvr_gym.envs.task_files.rows import Row, Source, read_rows, stamp
from rlvr_gym.envs.task_files.texts import canonical, with_instruction
from rlvr_gym.errors import ConfigError, TaskError
from rlvr_gym.seeding import work_id
from rlvr_gym.spaces import is_unicode
from rlvr_gym.types import Task

OnBad: TypeAlias = Literal["refuse", "skip"]
"""What becomes of a file with rows that are no tasks."""

_SHOWN = 5
"""Bad rows that a refusal tells of."""


@dataclass(frozen=True, slots=True)
class Loaded:
    """The tasks of one split of a file."""

    tasks: tuple[Task, ...]
    notes: tuple[str, ...]
    """What was left out, in words."""
    digest: str
    """Changes when any task does."""


def load_tasks(
    source: Source,
    columns: Columns,
    *,
    split: Split,
    instruction: str,
    on_bad: OnBad,
    judgeable: Callable[[str], None],
    judge: str,
) -> Loaded:
    """Return the tasks of a file or hub data set; loading the same again costs nothing while the file is the same.

    Args:
        source: A file, a folder or a hub data set.
        columns: How to read a row.
        split: Which tasks.
        instruction: Follows every problem on a line of its own; none when empty.
        on_bad: ``refuse`` raises for rows that are no tasks, ``skip`` leaves them out and counts them.
        judgeable: Raises `TaskError` for a reference that cannot be judged against.
        judge: Names what ``judgeable`` does: equal names, equal results.

    Raises:
        ConfigError: nothing to read, unknown columns, or no task in the split.
        TaskError: rows that are no tasks, the first of them with their lines.
    """
    return _load(source, stamp(source), columns, split, instruction, on_bad, _Check(judge, judgeable))


@dataclass(frozen=True, slots=True)
class _Check:
    """A function that is told from others by its name."""

    name: str
    call: Callable[[str], None]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Check) and self.name == other.name

    def __hash__(self) -> int:
        return hash(self.name)


# An evaluation unpickles its environment once per attempt, so that each would read the file again.
@lru_cache(maxsize=8)
def _load(
    source: Source,
    _stamp: tuple[Any, ...],
    columns: Columns,
    split: Split,
    instruction: str,
    on_bad: OnBad,
    check: _Check,
) -> Loaded:
    tasks: dict[str, Task] = {}
    bad: list[str] = []
    rows = repeated = 0
    settled: Columns | None = None
    for row in read_rows(source):
        rows += 1
        if settled is None and not row.fault:
            settled = columns.settle(row.values, row.where)
        try:
            problem, task = _task(row, settled, instruction, check)
            first = tasks.setdefault(problem, task)
            if first.reference != task.reference:
                raise ValueError(
                    f"the problem is that of {first.public['row']}, but the answer is "
                    f"{task.reference!r:.40}, not {first.reference!r:.40}"
                )
            repeated += first is not task
        except (TaskError, ValueError) as error:
            bad.append(f"{row.where}: {str(error).rstrip('.')}.")
    if not rows:
        raise ConfigError(f"{source}: there are no rows.")
    if bad and (on_bad == "refuse" or not tasks):
        raise TaskError(_refusal(source, bad, rows))
    chosen = tuple(task for problem, task in tasks.items() if in_split(problem, split))
    if not chosen:
        raise ConfigError(f"{source}: none of its {len(tasks)} tasks is in split '{split}'; set split='all'.")
    notes = []
    if bad:
        notes.append(f"{source}: {len(bad)} of {rows} rows are no tasks and were left out, such as {bad[0]}")
    if repeated:
        notes.append(f"{source}: {repeated} of {rows} rows repeat a problem and were left out.")
    digest = work_id(*(part for task in chosen for part in (task.id, task.prompt, task.reference)))
    return Loaded(chosen, tuple(notes), digest)


def _task(row: Row, columns: Columns | None, instruction: str, check: _Check) -> tuple[str, Task]:
    """Return the problem, one text for all ways to write it, and the task of a row.

    Raises:
        ValueError: the row is none.
        TaskError: its answer cannot be judged against.
    """
    if row.fault or columns is None:
        raise ValueError(row.fault)
    problem, answer = columns.problem_of(row.values), columns.answer_of(row.values)
    prompt = with_instruction(problem, instruction)
    if len(prompt) > MAX_PROMPT_CHARS:
        raise ValueError(f"the prompt has {len(prompt)} characters, more than {MAX_PROMPT_CHARS}")
    if not is_unicode(prompt) or not is_unicode(answer):
        raise ValueError("the row is not Unicode text: it holds a lone surrogate")
    check.call(answer)
    known_as = canonical(problem)
    return known_as, Task(
        id=f"math:{work_id(known_as)}",
        prompt=prompt,
        reference=answer,
        public={"row": row.where},
        strata=columns.labels_of(row.values),
    )


def _refusal(source: Source, bad: list[str], rows: int) -> str:
    lines = bad[:_SHOWN]
    if len(bad) > _SHOWN:
        lines.append(f"... and {len(bad) - _SHOWN} more.")
    return "\n".join(
        [*lines, f"{source}: {len(bad)} of {rows} rows are no tasks. on_bad='skip' leaves them out."]
    )
