"""Small Verus contracts as both roles meet them: a proposer extends a contract, a solver writes its body."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import cast

import numpy as np

from rlvr_gym.agents.base import DOMAINS, Demonstration, Domain
from rlvr_gym.agents.specs import SpecDomain, corrupted
from rlvr_gym.envs import SingleTurnEnv
from rlvr_gym.envs.base import draw_until
from rlvr_gym.envs.small_verus import SmallVerusEnv, draw_clause, is_task, meets, pose, values_of
from rlvr_gym.envs.splits import is_heldout
from rlvr_gym.types import Task
from rlvr_gym.verifiers.small_verus import (
    MOST_CHARS,
    MOST_CLAUSES,
    UnreadableError,
    normal_form,
)

WRITTEN = "0123456789xr<>=%+-/?:;"
"""Characters of contracts and bodies."""


class SmallVerusDomain(SpecDomain):
    """Proposer and solver of small Verus contracts.

    Args:
        env: A ``small_verus`` environment.
    """

    def __init__(self, env: SmallVerusEnv) -> None:
        super().__init__(
            env,
            gate="small_verus_spec",
            pose=pose,
            normal_form=normal_form,
            unreadable=UnreadableError,
            taught="contracts and bodies",
        )
        self.small_env = env

    def seed(self, rng: np.random.Generator) -> Task:
        """Return a short contract of the split."""
        return pose(self.small_env.draw_pair(rng, self.small_env.config.roots)[0])

    def demonstrations(
        self, rng: np.random.Generator, number: int, mistakes: Mapping[str, float]
    ) -> Sequence[Demonstration]:
        """Return both roles' texts in turn; ``mistakes`` is the share of characters that are drawn anew."""
        env = self.small_env
        found: list[Demonstration] = []
        for index in range(number):
            spec, body = env.draw_pair(rng, env.config.most)
            task = pose(spec)
            if index % 2 == 0:
                text = corrupted(body, WRITTEN, mistakes.get("solver", 0.0), rng)
                found.append(Demonstration("solver", self.solver_view(task), text))
            else:
                text = corrupted(_extended(spec, body, rng), WRITTEN, mistakes.get("proposer", 0.0), rng)
                found.append(Demonstration("proposer", self.proposer_view(task), text))
        return found


def _extended(spec: str, body: str, rng: np.random.Generator) -> str:
    """Return ``spec`` with a clause more that ``body`` meets, or with one put in another's place."""

    def draw() -> str:
        kept = spec.split(";")
        if len(kept) == MOST_CLAUSES or rng.random() < 0.3:
            kept.pop(int(rng.integers(len(kept))))
        return ";".join([*kept, draw_clause(rng, body, kept)])

    def teachable(text: str) -> bool:
        clauses = text.split(";")
        return (
            len(text) <= MOST_CHARS
            and len(set(clauses)) == len(clauses)
            and any(clause[0] == "r" for clause in clauses)
            and bool(meets(text, values_of(body)).all())
            and normal_form(text) != normal_form(spec)
            and not is_heldout(normal_form(text))
            and is_task(text)
        )

    return draw_until(draw, teachable, what="demonstrations of 'small_verus'")


def _small_verus(env: SingleTurnEnv) -> Domain:
    return SmallVerusDomain(cast(SmallVerusEnv, env))


DOMAINS.add("small_verus", _small_verus, summary="Small Verus contracts: the proposer extends a contract.")
