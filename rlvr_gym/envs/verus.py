"""Verus proofs: write a verified program, or the proof that a program lacks, at once or against the verifier's errors."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

import numpy as np
from pydantic import Field, PositiveInt, field_validator, model_validator

from rlvr_gym.config import Config
from rlvr_gym.envs.base import MultiTurnEnv, Reply, SingleTurnEnv, TaskEnv
from rlvr_gym.envs.catalog import register
from rlvr_gym.envs.splits import Split
from rlvr_gym.envs.task_files import HubSet, OnBad, Source
from rlvr_gym.envs.verus_files import (
    INSTRUCTION,
    VerusLayout,
    VerusTasks,
    fenced,
    load_verus_tasks,
    own_tasks,
)
from rlvr_gym.seeding import generator
from rlvr_gym.types import Check, Conversation, Status, Task
from rlvr_gym.verifiers import VERIFIERS

LEVELS = 5
_SHOWN = 6


class Verus(Config):
    """Settings of the Verus environment. Without ``file`` and ``hub``, the specifications are our own."""

    file: Path | None = None
    """Task file (.jsonl, .json, .csv, .parquet), or a folder of programs as the public sets have them."""
    hub: str = ""
    """Data set of the Hugging Face hub."""
    hub_config: str | None = None
    """Its configuration."""
    hub_split: str = "train"
    """Its split; ``split`` divides it further."""
    layout: VerusLayout = "auto"
    """Which family of data sets a file is of."""
    dialect: Literal["current", "classic"] | None = None
    """Verus of 2026 or of 2024; that of the family of data sets when left out."""
    write: Literal["solution", "proof"] = "solution"
    """``solution`` gives the specification only; ``proof`` gives the code too, and what is missing is the proof."""
    turns: PositiveInt = 1
    """How often the policy may write; after each turn but the last it sees the verifier's errors."""
    on_bad: OnBad = "refuse"
    """What to do with rows that are no tasks."""
    min_level: int = Field(default=1, ge=1, le=LEVELS)
    """Easiest grade of our own specifications."""
    max_level: int = Field(default=LEVELS, ge=1, le=LEVELS)
    """Hardest grade of our own specifications."""
    split: Split = "train"
    """Which tasks; ``all`` for a file that is a split already."""
    instruction: str = INSTRUCTION
    """Follows every task; empty leaves prompts as they are."""
    verifier: str | dict[str, Any] = "verus"
    """Judges the programs: a name, or a table with ``name`` and settings."""

    @field_validator("verifier")
    @classmethod
    def _exists(cls, value: str | dict[str, Any]) -> str | dict[str, Any]:
        VERIFIERS.resolve({"name": value} if isinstance(value, str) else dict(value), where="verifier")
        return value

    @model_validator(mode="after")
    def _fits(self) -> Verus:
        if self.file and self.hub:
            raise ValueError("file and hub exclude each other")
        if self.min_level > self.max_level:
            raise ValueError(f"min_level {self.min_level} is above max_level {self.max_level}")
        return self

    @property
    def source(self) -> Source | None:
        """Where rows come from, None for our own specifications."""
        return HubSet(self.hub, self.hub_config, self.hub_split) if self.hub else self.file

    def judge(self) -> tuple[str, dict[str, Any]]:
        """Return the verifier's name and settings."""
        table = {"name": self.verifier} if isinstance(self.verifier, str) else dict(self.verifier)
        return str(table.pop("name")), table


class _Tasks(TaskEnv):
    """Where the tasks come from, alike for one turn and for several."""

    config: Verus

    def draw(self, rng: np.random.Generator) -> Task:
        """Return any task of the split."""
        tasks = self._loaded().tasks
        return tasks[int(rng.integers(len(tasks)))]

    def tasks(self, num: int, *, seed: int) -> list[Task]:
        """Return ``num`` distinct tasks, fewer only when there are no more."""
        tasks = self._loaded().tasks
        order = generator(seed, "task", "order").permutation(len(tasks))
        return [self._complete(tasks[int(index)]) for index in order[:num]]

    def all_tasks(self) -> list[Task]:
        """Return every task of the split."""
        return [self._complete(task) for task in self._loaded().tasks]

    def oracle(self, task: Task) -> str | None:
        """Return the verified solution, None where a row has none."""
        solution = task.hidden.get("solution")
        return None if solution is None else fenced(solution)

    def _loaded(self) -> VerusTasks:
        config = self.config
        if config.source is None:
            return own_tasks(
                config.write, config.instruction, config.split, config.min_level, config.max_level
            )
        return load_verus_tasks(
            config.source,
            config.layout,
            write=config.write,
            dialect=config.dialect,
            split=config.split,
            instruction=config.instruction,
            on_bad=config.on_bad,
        )


class VerusEnv(_Tasks, SingleTurnEnv):
    """Write a program that Verus proves, in one turn."""

    def __init__(self, config: Verus) -> None:
        super().__init__(*config.judge())
        self.config = config
        self.notes = self._loaded().notes


class VerusRepairEnv(_Tasks, MultiTurnEnv):
    """Write a program that Verus proves; whatever fails is shown, to be mended in the next turn."""

    def __init__(self, config: Verus) -> None:
        name, settings = config.judge()
        super().__init__(name, settings, max_turns=config.turns)
        self.config = config
        self.notes = self._loaded().notes

    def reply(self, task: Task, conversation: Conversation) -> Reply:
        """Return the verifier's findings; the verdict ends the episode when it is a success or no turn is left."""
        verdict = self.verifier.check(task, conversation[-1].content)
        turn = sum(message.role == "assistant" for message in conversation)
        if verdict.passed or turn >= self.max_turns or verdict.status is Status.INFRASTRUCTURE:
            return Reply("Verified." if verdict.passed else "", verdict)
        return Reply(_findings(verdict.reason, verdict.checks))


def make_verus(config: Verus) -> VerusEnv | VerusRepairEnv:
    """Return the environment of one turn, or that of several."""
    return VerusEnv(config) if config.turns == 1 else VerusRepairEnv(config)


def _findings(reason: str, checks: tuple[Check, ...]) -> str:
    """Return what the policy is told after a failed turn."""
    wrong = [f"- {check.name}: {check.detail}" for check in checks if not check.passed][:_SHOWN]
    proved = [check.name for check in checks if check.passed]
    parts = ["The verifier did not accept this.", *(wrong or [f"- {reason}"])]
    if proved:
        parts.append(f"Proved: {', '.join(proved)}.")
    parts.append("Write the whole program again.")
    return "\n".join(parts)


register("verus", make_verus, Verus)
