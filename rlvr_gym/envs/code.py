"""Programming: functions and programs with hidden tests, from files or problems of our own."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from pydantic import Field, NonNegativeInt, field_validator, model_validator

from rlvr_gym.config import Config
from rlvr_gym.envs.base import SingleTurnEnv, draw_until
from rlvr_gym.envs.catalog import register
from rlvr_gym.envs.code_files import CodeLayout, CodeTasks, fenced, load_code_tasks
from rlvr_gym.envs.code_files.prompts import INSTRUCTION
from rlvr_gym.envs.code_problems import CODE_PROBLEMS, LEVELS, Written
from rlvr_gym.envs.splits import Split, in_split
from rlvr_gym.envs.task_files import HubSet, OnBad, Source, canonical, with_instruction
from rlvr_gym.errors import ConfigError, did_you_mean
from rlvr_gym.seeding import generator, work_id
from rlvr_gym.types import Task
from rlvr_gym.verifiers import VERIFIERS


class Code(Config):
    """Settings of the programming environment. Without ``file`` and ``hub``, problems are our own."""

    file: Path | None = None
    """Task file (.jsonl, .json, .csv, .parquet), or a folder of such files."""
    hub: str = ""
    """Data set of the Hugging Face hub."""
    hub_config: str | None = None
    """Its configuration."""
    hub_split: str = "train"
    """Its split; ``split`` divides it further."""
    layout: CodeLayout = "auto"
    """Columns of a known family of data sets, or found out from each row."""
    num_examples: NonNegativeInt = 1
    """Tests that prompts show, where their source is a text; they are graded with the hidden ones."""
    on_bad: OnBad = "refuse"
    """What to do with rows that are no tasks, such as those whose tests cannot be read."""
    families: tuple[str, ...] = ()
    """Families of our own problems; all when empty."""
    min_level: int = Field(default=1, ge=1, le=LEVELS)
    """Easiest level of our own problems."""
    max_level: int = Field(default=3, ge=1, le=LEVELS)
    """Hardest level of our own problems."""
    split: Split = "train"
    """Which problems; ``all`` for a file that is a split already."""
    instruction: str = INSTRUCTION
    """Follows every problem on a line of its own; empty leaves prompts as they are."""
    verifier: str | dict[str, Any] = "code"
    """Judges the code: a name, or a table with ``name`` and settings, compositions such as ``pass_rate`` included."""

    @field_validator("families")
    @classmethod
    def _known(cls, names: tuple[str, ...]) -> tuple[str, ...]:
        families = {entry.value.family for entry in CODE_PROBLEMS.entries()}
        for name in names:
            if name not in families:
                raise ValueError(f"no family is named '{name}'.{did_you_mean(name, families)}")
        return names

    @model_validator(mode="after")
    def _one_source(self) -> Code:
        if self.file and self.hub:
            raise ValueError("file and hub exclude each other")
        if self.min_level > self.max_level:
            raise ValueError(f"min_level {self.min_level} is above max_level {self.max_level}")
        return self

    @property
    def source(self) -> Source | None:
        """Where rows come from, None for our own problems."""
        if self.hub:
            return HubSet(self.hub, self.hub_config, self.hub_split)
        return self.file


class CodeEnv(SingleTurnEnv):
    """Write a function, or a program, that passes hidden tests."""

    def __init__(self, config: Code) -> None:
        table = {"name": config.verifier} if isinstance(config.verifier, str) else dict(config.verifier)
        # Tells what is wrong with the table.
        entry, _ = VERIFIERS.resolve(table, where="env 'code': verifier")
        super().__init__(entry.name, {name: value for name, value in table.items() if name != "name"})
        self.config = config
        if config.source is not None:
            self.notes = self._rows().notes
        else:
            self._choices = _choices(config)

    def draw(self, rng: np.random.Generator) -> Task:
        """Return a task of the split: any row alike, or any family and then any of its problems alike."""
        if self.config.source is not None:
            tasks = self._rows().tasks
            return tasks[int(rng.integers(len(tasks)))]

        def draw() -> tuple[str, int, Written]:
            family = list(self._choices)[int(rng.integers(len(self._choices)))]
            of_family = self._choices[family]
            name, level = of_family[int(rng.integers(len(of_family)))]
            return family, level, CODE_PROBLEMS[name].value.write(rng, level)

        family, level, problem = draw_until(
            draw,
            lambda drawn: in_split(canonical(drawn[2].header), self.config.split),
            what=f"env 'code' with split '{self.config.split}'",
        )
        tests = [{"args": list(args), "output": output} for args, output in problem.tests]
        return Task(
            id=f"code:{work_id(canonical(problem.header))}",
            prompt=with_instruction(
                f"Write this function.\n\n{fenced(problem.header)}", self.config.instruction
            ),
            reference={"entry_point": problem.name, "tests": tests},
            hidden={"solution": problem.solution},
            strata={"family": family, "level": level},
        )

    def tasks(self, num: int, *, seed: int) -> list[Task]:
        """Return ``num`` distinct tasks, fewer only when the environment has no more; rows come without repeats."""
        if self.config.source is None:
            return super().tasks(num, seed=seed)
        rows = self._rows().tasks
        order = generator(seed, "task", "order").permutation(len(rows))
        return [self._complete(rows[int(index)]) for index in order[:num]]

    def all_tasks(self) -> list[Task]:
        """Return every task of the split, in the order of the rows.

        Raises:
            UsageError: when problems are drawn.
        """
        if self.config.source is None:
            return super().all_tasks()
        return [self._complete(task) for task in self._rows().tasks]

    def oracle(self, task: Task) -> str | None:
        """Return the reference solution, None where a row has none."""
        solution = task.hidden.get("solution")
        return None if solution is None else fenced(solution)

    def _rows(self) -> CodeTasks:
        config = self.config
        assert config.source is not None, "our own problems have no rows"
        return load_code_tasks(
            config.source,
            config.layout,
            split=config.split,
            instruction=config.instruction,
            on_bad=config.on_bad,
            num_examples=config.num_examples,
        )


def _choices(config: Code) -> dict[str, list[tuple[str, int]]]:
    """Return the names of the problems of each family that has some within the levels, with the level of each.

    Raises:
        ConfigError: there is none.
    """
    found: dict[str, list[tuple[str, int]]] = {}
    for entry in CODE_PROBLEMS.entries():
        problem = entry.value
        if not config.families or problem.family in config.families:
            for level in problem.levels:
                if config.min_level <= level <= config.max_level:
                    found.setdefault(problem.family, []).append((entry.name, level))
    if not found:
        raise ConfigError("env 'code': none of the families has a problem of these levels.")
    return found


register("code", CodeEnv, Code)
