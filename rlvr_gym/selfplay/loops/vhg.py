"""VHG: verifier-backed hard problem generation (arXiv:2605.06660).

A setter writes (problem, reference answer), a hard verifier accepts or rejects the pair, a solver attempts
what was accepted. The setter earns validity times difficulty, R = V(x, y) * D(p), so that nonsense nobody can
solve earns nothing. The paper's D is 1 - p. The default here is (1 - p) for p > 0 and 0 otherwise, divided by
the number of copies: in small pilots 1 - p alone let valid but unsolvable problems take over.

The paper alternates setter steps against a frozen solver with solver steps on the accepted pool
(``schedule = "alternate"``). ``"joint"`` trains both roles at once: the attempts that set a problem's difficulty
are then the solver's training group as well, and no attempt is thrown away. That schedule is ours.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal

import numpy as np
from pydantic import NonNegativeInt, PositiveInt

from rlvr_gym.agents import Domain
from rlvr_gym.config import Config
from rlvr_gym.selfplay.credit import Credit, credit_propose_solve, credit_single_turn
from rlvr_gym.selfplay.curricula import CURRICULA
from rlvr_gym.selfplay.difficulty import DIFFICULTIES
from rlvr_gym.selfplay.health import proposer_health, solver_health
from rlvr_gym.selfplay.loops.base import LOOPS, Plan, Play
from rlvr_gym.selfplay.protocols import PROPOSER, SOLVER, ProposeSolve, SingleTurn
from rlvr_gym.types import Episode, Json, Setup


class VHG(Config):
    """Settings of the VHG loop."""

    parents: PositiveInt = 8
    """Seed problems per step; the proposals from one seed are one group."""
    siblings: PositiveInt = 8
    """Proposals per seed."""
    attempts: PositiveInt = 4
    """Attempts at each accepted proposal."""
    practice: NonNegativeInt = 8
    """Solver groups per step besides the proposals: pool problems and seeds."""
    practice_attempts: PositiveInt = 8
    """Attempts at each of those."""
    difficulty: str = "solvable_hard"
    """Registered difficulty rule; ``one_minus_solved`` is the paper's."""
    rejected: Literal["zero", "exclude"] = "zero"
    """Whether a rejected proposal scores 0 in its group or leaves it."""
    novelty: bool = True
    """Divide a proposal's reward by the number of its copies, in this step and before."""
    schedule: Literal["joint", "alternate"] = "joint"
    """Train both roles each step, or setter and solver in turns with a frozen solver in the setter's."""
    setter_steps: PositiveInt = 5
    """Steps of a setter phase, when alternating."""
    solver_steps: PositiveInt = 5
    """Steps of a solver phase, when alternating."""
    curriculum: str | dict[str, Any] = "pool"
    """Where seeds and practice problems come from."""


class VHGLoop:
    """Setter and solver around a gate."""

    roles = (PROPOSER, SOLVER)
    gated = True

    def __init__(self, config: VHG, domain: Domain) -> None:
        self.config = config
        self.domain = domain
        entry, settings = CURRICULA.resolve(config.curriculum, where="loop.curriculum")
        self.curriculum = entry.value(settings, domain)
        self._difficulty = DIFFICULTIES[config.difficulty].value
        self._propose = ProposeSolve(domain, gated=self.gated)
        self._practice = SingleTurn(domain)

    def plan(self, step: int, rng: np.random.Generator, work: Callable[[int], str]) -> Plan:
        """Return this step's seeds and practice problems."""
        c = self.config
        phase = self._phase(step)
        setups: list[Setup] = []
        if phase != "solver":
            setups += [
                Setup(work(i), "propose_solve", parents=(parent,), siblings=c.siblings, attempts=c.attempts)
                for i, parent in enumerate(self.curriculum.parents(rng, c.parents, step))
            ]
        if phase != "setter":
            setups += [
                Setup(work(len(setups) + i), "single_turn", task=task, attempts=c.practice_attempts)
                for i, task in enumerate(self.curriculum.practice(rng, c.practice, step))
            ]
        train = {"setter": {PROPOSER}, "solver": {SOLVER}, "joint": {PROPOSER, SOLVER}}[phase]
        return Plan(tuple(setups), frozenset(train), phase, freeze=phase == "setter")

    def _phase(self, step: int) -> str:
        c = self.config
        if c.schedule == "joint":
            return "joint"
        return "setter" if (step - 1) % (c.setter_steps + c.solver_steps) < c.setter_steps else "solver"

    def play(self, setup: Setup) -> Play:
        """Return the protocol of ``setup``."""
        return self._propose.play if setup.protocol == "propose_solve" else self._practice.play

    def credit(self, plan: Plan, episodes: Sequence[Episode]) -> Credit:
        """Return the setter's groups (one per seed) and the solver's (one per problem)."""
        out = credit_propose_solve(
            [e for e in episodes if e.setup.protocol == "propose_solve"],
            difficulty=self._difficulty,
            rejected=self.config.rejected,
            gated=self.gated,
            form=self.domain.form,
            copies=self.curriculum.copies,
            novelty=self.config.novelty,
        )
        out.join(credit_single_turn(e for e in episodes if e.setup.protocol == "single_turn"))
        return out

    def fold(self, step: int, plan: Plan, credit: Credit) -> None:
        """Take the step into the curriculum."""
        self.curriculum.fold(step, credit)

    def health(self, plan: Plan, credit: Credit) -> Mapping[str, float]:
        """Return both roles' figures."""
        return solver_health(credit) | (proposer_health(credit) if plan.phase != "solver" else {})

    def state(self) -> Json:
        """Return the curriculum's state."""
        return {"curriculum": self.curriculum.state()}

    def load(self, state: Json) -> None:
        """Restore the curriculum."""
        self.curriculum.load(state["curriculum"])


LOOPS.add("vhg", VHGLoop, config=VHG, paper="arXiv:2605.06660")
