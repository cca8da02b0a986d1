"""Plain RLVR: a solver on an environment's own tasks, no proposer."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
from pydantic import PositiveInt

from rlvr_gym.agents import Domain
from rlvr_gym.config import Config
from rlvr_gym.selfplay.credit import Credit, credit_single_turn
from rlvr_gym.selfplay.dialogue import attempts
from rlvr_gym.selfplay.health import solver_health
from rlvr_gym.selfplay.loops.base import LOOPS, Plan, Play
from rlvr_gym.selfplay.protocols import SOLVER
from rlvr_gym.types import Episode, Json, Setup


class RLVR(Config):
    """Settings of the RLVR loop."""

    prompts: PositiveInt = 16
    """Tasks per step."""
    attempts: PositiveInt = 8
    """Attempts at each task: the group size."""


class RLVRLoop:
    """Draw tasks, attempt each several times, train on the groups."""

    roles = (SOLVER,)

    def __init__(self, config: RLVR, domain: Domain) -> None:
        self.config = config
        self.domain = domain
        self._protocol = attempts(domain)

    def plan(self, step: int, rng: np.random.Generator, work: Callable[[int], str]) -> Plan:
        """Return fresh tasks of the train split."""
        setups = tuple(
            Setup(work(slot), self._protocol.name, task=self.domain.seed(rng), attempts=self.config.attempts)
            for slot in range(self.config.prompts)
        )
        return Plan(setups, train=frozenset(self.roles))

    def play(self, setup: Setup) -> Play:
        """Return the protocol of the domain: single turns or dialogues."""
        return self._protocol.play

    def credit(self, plan: Plan, episodes: Sequence[Episode]) -> Credit:
        """Return one group per task."""
        return credit_single_turn(episodes)

    def fold(self, step: int, plan: Plan, credit: Credit) -> None:
        """Keep nothing: tasks are drawn afresh each step."""

    def health(self, plan: Plan, credit: Credit) -> Mapping[str, float]:
        """Return solve rate and shares of the solver's groups."""
        return solver_health(credit)

    def state(self) -> Json:
        """Return the empty state."""
        return {}

    def load(self, state: Json) -> None:
        """Restore the empty state."""


LOOPS.add("rlvr", RLVRLoop, config=RLVR)
