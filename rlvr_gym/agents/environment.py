"""Any environment as a domain without a proposer: enough for plain RLVR, in one turn or in several."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from rlvr_gym.agents.base import DOMAINS, Demonstration, Domain
from rlvr_gym.envs import MultiTurnEnv, TaskEnv, make_env
from rlvr_gym.errors import ConfigError, UsageError
from rlvr_gym.types import Conversation, Task
from rlvr_gym.verifiers import Verifier


class EnvironmentDomain:
    """What a solver meets in an environment. A domain with a proposer extends this class.

    Args:
        env: The environment; its settings are the domain's.
    """

    def __init__(self, env: TaskEnv) -> None:
        self.env = env
        self.judge: Verifier = env.verifier
        self.dialogue = env if isinstance(env, MultiTurnEnv) else None

    def warm_start(self, mistakes: Mapping[str, float]) -> str:
        """Return what imitation teaches."""
        return "right answers to problems of the train split"

    @property
    def gate(self) -> Verifier:
        """No gate: this environment has no proposer.

        Raises:
            UsageError: always.
        """
        raise self._no_proposer()

    def _no_proposer(self) -> UsageError:
        return UsageError(f"env '{self.env.id}' has no proposer: loop 'rlvr' is the one that trains on it.")

    def seed(self, rng: np.random.Generator) -> Task:
        """Return a task that the environment draws, with the names of its environment and verifier."""
        return self.env.tasks(1, seed=int(rng.integers(2**63)))[0]

    def solver_view(self, task: Task) -> Conversation:
        """Return the task's opening."""
        return task.conversation()

    def proposer_view(self, parent: Task) -> Conversation:
        """No proposer.

        Raises:
            UsageError: always.
        """
        raise self._no_proposer()

    def examples_view(self, examples: Sequence[tuple[str, Task]], wanted: str) -> Conversation:
        """No proposer that takes examples.

        Raises:
            UsageError: always.
        """
        raise UsageError(
            f"env '{self.env.id}' has no proposer that is asked by examples, as loop 'psv' does."
        )

    def gate_task(self, text: str, parent: Task) -> Task:
        """No proposer.

        Raises:
            UsageError: always.
        """
        raise self._no_proposer()

    def read(self, text: str, parent: Task, *, trajectory: str, step: int) -> Task | None:
        """No proposer.

        Raises:
            UsageError: always.
        """
        raise self._no_proposer()

    def form(self, task: Task) -> str:
        """Return the task's id, which names what it asks."""
        return task.id

    def held_out(self, task: Task) -> bool:
        """Return False: the environment draws from its train split."""
        return False

    def demonstrations(
        self, rng: np.random.Generator, number: int, mistakes: Mapping[str, float]
    ) -> Sequence[Demonstration]:
        """Return right answers of the environment's oracle, whatever ``mistakes`` says.

        Raises:
            ConfigError: when it knows none.
        """
        found = []
        for _ in range(number):
            task = self.seed(rng)
            answer = self.env.oracle(task)
            if answer is None:
                raise ConfigError(f"warm_start: env '{self.env.id}' knows no right answers to imitate.")
            found.append(Demonstration("solver", self.solver_view(task), answer))
        return found


def make_domain(table: str | Mapping[str, Any], *, where: str = "environment") -> Domain:
    """Return the domain of the environment that ``table`` names.

    Args:
        table: An environment's name, or ``{"name": ..., **settings}``.
        where: Names the place in messages.

    Raises:
        ConfigError: an unknown name or a wrong setting.
    """
    env = make_env(table, where=where)
    name = env.id.rpartition("-v")[0]
    return DOMAINS[name].value(env) if name in DOMAINS else EnvironmentDomain(env)
