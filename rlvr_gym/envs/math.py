"""Mathematics: problems with an answer that the ``math`` verifier reads, from files or drawn by program."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np
from pydantic import Field, field_validator, model_validator

from rlvr_gym.config import Config
from rlvr_gym.envs.base import SingleTurnEnv, draw_until
from rlvr_gym.envs.catalog import register
from rlvr_gym.envs.math_problems import LEVELS, MATH_PROBLEMS, Problem
from rlvr_gym.envs.splits import Split, in_split
from rlvr_gym.envs.task_files import (
    AnswerFrom,
    Columns,
    HubSet,
    LayoutName,
    Loaded,
    OnBad,
    Source,
    canonical,
    load_tasks,
    with_instruction,
)
from rlvr_gym.errors import ConfigError, did_you_mean
from rlvr_gym.seeding import generator, work_id
from rlvr_gym.types import Task
from rlvr_gym.verifiers import VERIFIERS

INSTRUCTION = "Put the final answer in \\boxed{}."


class Math(Config):
    """Settings of the mathematics environment. Without ``file`` and ``hub``, problems are drawn by program."""

    file: Path | None = None
    """Task file (.jsonl, .json, .csv, .parquet), or a folder of such files."""
    hub: str = ""
    """Data set of the Hugging Face hub, such as ``openai/gsm8k``."""
    hub_config: str | None = None
    """Its configuration, such as ``main``."""
    hub_split: str = "train"
    """Its split; ``split`` divides it further."""
    layout: LayoutName = "auto"
    """Column names: those of a known family of data sets, or found out from the first row."""
    prompt_column: str = ""
    """Column of the problem, a path such as ``extra.question`` included; the layout's when empty."""
    answer_column: str = ""
    """Column of the answer; the layout's when empty."""
    answer_from: AnswerFrom = "auto"
    """Where in its column the answer stands: all of it, its last box, or what follows ``####``."""
    strata: tuple[str, ...] = ()
    """Columns that reports are broken down by; the layout's when empty."""
    on_bad: OnBad = "refuse"
    """What to do with rows that are no tasks, such as those whose answer the verifier cannot read."""
    families: tuple[str, ...] = ()
    """Families of drawn problems; all when empty."""
    min_level: int = Field(default=1, ge=1, le=LEVELS)
    """Easiest level of drawn problems."""
    max_level: int = Field(default=3, ge=1, le=LEVELS)
    """Hardest level of drawn problems."""
    split: Split = "train"
    """Which problems; ``all`` for a file that is a split already."""
    instruction: str = INSTRUCTION
    """Follows every problem on a line of its own; empty leaves prompts as they are."""
    verifier: str | dict[str, Any] = "math"
    """Judges the answers: a name, or a table with ``name`` and settings, compositions included."""

    @field_validator("families")
    @classmethod
    def _known(cls, names: tuple[str, ...]) -> tuple[str, ...]:
        for name in names:
            if name not in MATH_PROBLEMS:
                raise ValueError(f"no family is named '{name}'.{did_you_mean(name, MATH_PROBLEMS)}")
        return names

    @model_validator(mode="after")
    def _one_source(self) -> Math:
        if self.file and self.hub:
            raise ValueError("file and hub exclude each other")
        if self.min_level > self.max_level:
            raise ValueError(f"min_level {self.min_level} is above max_level {self.max_level}")
        for names, used, why in (
            (_OF_ROWS, bool(self.file or self.hub), "only with file or hub"),
            (_OF_HUB, bool(self.hub), "only with hub"),
            (_OF_DRAWN, not (self.file or self.hub), "only without file and hub"),
        ):
            for name in names:
                if not used and getattr(self, name) != type(self).model_fields[name].default:
                    raise ValueError(f"{name} means something {why}")
        return self

    @property
    def source(self) -> Source | None:
        """Where rows come from, None for drawn problems."""
        if self.hub:
            return HubSet(self.hub, self.hub_config, self.hub_split)
        return self.file

    @property
    def columns(self) -> Columns:
        """How rows are read."""
        return Columns(self.layout, self.prompt_column, self.answer_column, self.answer_from, self.strata)


_OF_ROWS = ("layout", "prompt_column", "answer_column", "answer_from", "strata", "on_bad")
_OF_HUB = ("hub_config", "hub_split")
_OF_DRAWN = ("families", "min_level", "max_level")


class MathEnv(SingleTurnEnv):
    """Answer a mathematics problem, of a task file or drawn by program."""

    def __init__(self, config: Math) -> None:
        table = {"name": config.verifier} if isinstance(config.verifier, str) else dict(config.verifier)
        # Tells what is wrong with the table.
        entry, _ = VERIFIERS.resolve(table, where="env 'math': verifier")
        super().__init__(entry.name, {name: value for name, value in table.items() if name != "name"})
        self.config = config
        self._reads_golds = "math" in _texts(table)
        self._is_quick = entry.value.bounded and entry.value.judge is not None
        self._families = config.families or tuple(MATH_PROBLEMS)
        self._loaded: Loaded | None = None
        self._digest = ""
        if config.source is not None:
            self.notes = self._rows().notes

    def draw(self, rng: np.random.Generator) -> Task:
        """Return a task of the split: any row alike, or any family and level alike."""
        if self.config.source is not None:
            tasks = self._rows().tasks
            return tasks[int(rng.integers(len(tasks)))]
        config = self.config

        def draw() -> tuple[str, int, Problem]:
            family = self._families[int(rng.integers(len(self._families)))]
            level = int(rng.integers(config.min_level, config.max_level + 1))
            return family, level, MATH_PROBLEMS[family].value(rng, level)

        def belongs(drawn: tuple[str, int, Problem]) -> bool:
            return not _given_away(drawn[2]) and in_split(canonical(drawn[2].question), config.split)

        family, level, problem = draw_until(
            draw,
            belongs,
            what=f"env 'math' with split '{config.split}'",
        )
        return Task(
            id=f"math:{work_id(canonical(problem.question))}",
            prompt=with_instruction(problem.question, config.instruction),
            reference=problem.answer,
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

    def oracle(self, task: Task) -> str:
        """Return the reference in a box."""
        return f"\\boxed{{{task.reference}}}"

    def _rows(self) -> Loaded:
        """Return the tasks, read again in a copy of this environment.

        Raises:
            ConfigError: the file is not what it was.
        """
        source, config = self.config.source, self.config
        if self._loaded is None and source is not None:
            self._loaded = load_tasks(
                source,
                config.columns,
                split=config.split,
                instruction=config.instruction,
                on_bad=config.on_bad,
                judgeable=self._judgeable,
                judge=f"{self.verifier.id} {json.dumps(config.verifier, sort_keys=True, default=str)}",
            )
            if self._digest not in ("", self._loaded.digest):
                raise ConfigError(f"{source}: its tasks changed while the environment was in use.")
            self._digest = self._loaded.digest
        assert self._loaded is not None, "drawn problems have no rows"
        return self._loaded

    def _judgeable(self, reference: str) -> None:
        """Ask whether ``reference`` can be judged against.

        Raises:
            TaskError: it cannot.
        """
        if self._reads_golds:
            from rlvr_gym.verifiers.answers import read_gold

            read_gold(reference)
        elif self._is_quick:
            self.verifier.check(Task(id="gold", prompt="", reference=reference), "")

    def __getstate__(self) -> dict[str, Any]:
        # A copy is made for every attempt of an evaluation; it plays one task and needs no file.
        return {**self.__dict__, "_loaded": None}


def _given_away(problem: Problem) -> bool:
    """Return whether the question says that something else has the value of the answer.

    To say that again, such as ``a_1 = 4``, would be as good as the answer.
    """
    return re.search(f"= {re.escape(problem.answer)}(?![0-9])", problem.question) is not None


def _texts(table: object) -> Iterator[str]:
    """Yield every text in a table, the names of a composition's parts among them."""
    if isinstance(table, str):
        yield table
    elif isinstance(table, Mapping):
        for value in table.values():
            yield from _texts(value)
    elif isinstance(table, list | tuple):
        for value in table:
            yield from _texts(value)


register("math", MathEnv, Math)
