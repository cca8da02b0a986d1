"""The generators of the `reasoning-gym` package, each of them an environment."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.util import find_spec
from typing import Any

import numpy as np
from pydantic import Field

from rlvr_gym.config import Config
from rlvr_gym.envs.base import MAX_PROMPT_CHARS, SingleTurnEnv, draw_until
from rlvr_gym.envs.catalog import register
from rlvr_gym.envs.splits import Split, in_split
from rlvr_gym.envs.task_files import canonical, with_instruction
from rlvr_gym.errors import ConfigError, MissingExtraError
from rlvr_gym.seeding import work_id
from rlvr_gym.types import Json, Task, Verdict
from rlvr_gym.verifiers.pool import shared_pool
from rlvr_gym.verifiers.reasoning_rules import Entry, rule_for, upstream

_UPSTREAM = "reasoning_gym"
_DRAW_S = 60.0
"""Limit of one draw; the slowest generator takes seconds with its own settings."""


class ReasoningGym(Config):
    """Settings of the `reasoning-gym` environment."""

    dataset: str = "chain_sum"
    """Name of the generator."""
    config: dict[str, Any] = Field(default_factory=dict)
    """Settings of the generator, as the package names them; seeds are drawn here."""
    split: Split = "train"
    """Which problems, told apart by their question."""
    instruction: str = "Put the final answer between <answer> and </answer>."
    """Follows every question on a line of its own; empty leaves questions as they are."""
    partial: bool = False
    """Give failed answers upstream's part marks."""


class ReasoningGymEnv(SingleTurnEnv):
    """Solve a problem of one of the more than 100 generators of `reasoning-gym`.

    Upstream's code runs in the workers that can be killed, and there alone: some generators run programs, and five
    draw from sets whose order differs from process to process except in those workers.
    """

    def __init__(self, config: ReasoningGym) -> None:
        super().__init__("reasoning_gym", {"partial": config.partial})
        self.config = config
        if find_spec(_UPSTREAM) is None:
            raise MissingExtraError("env 'reasoning_gym'", "reasoning-gym")
        _run(upstream.check_settings, config.dataset, config.config)

    def draw(self, rng: np.random.Generator) -> Task:
        """Return a problem of the split."""
        config = self.config

        def draw() -> Mapping[str, Json]:
            found: Mapping[str, Json] = _run(
                upstream.draw, config.dataset, config.config, int(rng.integers(2**31))
            )
            return found

        def belongs(drawn: Mapping[str, Json]) -> bool:
            # An empty answer is what a policy writes that gives up.
            readable = drawn["answer"] != "" and len(drawn["question"]) < MAX_PROMPT_CHARS - len(
                config.instruction
            )
            return readable and in_split(canonical(drawn["question"]), config.split)

        drawn = draw_until(
            draw,
            belongs,
            what=f"env 'reasoning_gym' with generator '{config.dataset}' and split '{config.split}'",
            tries=200,
        )
        # Where no answer is the only one, upstream has none.
        entry = Entry(config.dataset, drawn["answer"] or "", drawn["metadata"], config.config)
        return Task(
            id=f"{config.dataset}:{work_id(canonical(drawn['question']))}",
            prompt=with_instruction(drawn["question"], config.instruction),
            reference=entry.to_dict(),
            strata={"dataset": config.dataset},
        )

    def oracle(self, task: Task) -> str | None:
        """Return the answer that upstream knows, None where it knows none."""
        entry = Entry.of(task.reference)
        answer = rule_for(entry.dataset).known(entry)
        return f"<answer>{answer}</answer>" if answer else None


def _run(function: Any, *arguments: Any) -> Json:
    """Return what a function of upstream's returns in a worker.

    Raises:
        ConfigError: it took too long.
    """
    found = shared_pool().call(function, arguments, timeout_s=_DRAW_S, preload=(_UPSTREAM,))
    if isinstance(found, Verdict):
        raise ConfigError(
            f"generator '{arguments[0]}' gave no problem within {_DRAW_S:.0f} s: {found.reason}."
        )
    return found


register("reasoning_gym", ReasoningGymEnv, ReasoningGym)
