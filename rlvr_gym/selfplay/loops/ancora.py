"""ANCORA: self-play that stays where the verifier can say something (arXiv:2604.27644).

One policy has two prompts. As a proposer it writes a new specification from a parent specification, as a solver it
writes a solution. A specification counts when the gate passes it and it is no near-duplicate; its proposer earns 1
when exactly one of K attempts solves it. Both roles learn in one update, each in its own groups: a proposal against
the other proposals from one parent, an attempt against the other attempts at one specification.

What keeps it from collapsing: imitation of verified pairs before any reward is followed (the projection), a graph of
specifications that were solved at least once, which proposals start from, and near-duplicates that are refused.
Each can be turned off.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Any, Literal

import numpy as np
from pydantic import Field, NonNegativeInt, PositiveFloat, PositiveInt

from rlvr_gym.agents import Domain
from rlvr_gym.config import Config
from rlvr_gym.selfplay.credit import Credit, credit_propose_solve, credit_single_turn
from rlvr_gym.selfplay.curricula import CURRICULA
from rlvr_gym.selfplay.difficulty import DIFFICULTIES
from rlvr_gym.selfplay.health import collapse_figures, proposer_health, solver_health
from rlvr_gym.selfplay.loops.base import LOOPS, Lesson, Plan, Play
from rlvr_gym.selfplay.minhash import Index
from rlvr_gym.selfplay.pairs import Pairs
from rlvr_gym.selfplay.protocols import PROPOSER, SOLVER, ProposeSolve, SingleTurn
from rlvr_gym.types import Episode, Json, Setup, Task

Share = Annotated[float, Field(ge=0.0, le=1.0)]


class Projection(Config):
    """Settings of the projection: imitation of what the verifier passed, until there is something to learn from."""

    rounds: NonNegativeInt = 60
    """Most steps of it; 0 leaves it out."""
    valid: Share = 0.5
    """It ends when so large a share of a step's proposals is valid and no near-duplicate ..."""
    informative: Share = 0.2
    """... and the rewards differ in so large a share of the solver's groups."""
    least: PositiveInt = 32
    """Verified pairs before anything is imitated: a policy that imitates a few texts writes nothing else any more."""
    epochs: PositiveInt = 2
    """Passes over the pairs in a round."""
    batch_size: PositiveInt = 32
    """Demonstrations per optimizer step."""
    lr: PositiveFloat = 1e-3
    """Learning rate, with an optimizer state of its own."""
    refresh: NonNegativeInt = 0
    """Steps between further rounds afterwards; 0 is never."""
    capacity: PositiveInt = 512
    """How many verified pairs are kept; the oldest leave first."""
    per_answer: PositiveInt = 8
    """How many of them may have the same solution."""


class Ancora(Config):
    """Settings of the ANCORA loop."""

    parents: PositiveInt = 8
    """Parents per step; the proposals from one parent are one group."""
    siblings: PositiveInt = 6
    """Proposals per parent."""
    attempts: PositiveInt = 8
    """Attempts at each proposal that passes: the K of Band-1-of-K."""
    practice: NonNegativeInt = 0
    """Solver groups per step besides the proposals: roots, and admitted specifications."""
    practice_attempts: PositiveInt = 8
    """Attempts at each of those."""
    difficulty: str = "band"
    """Registered difficulty rule: ``band`` is the paper's, ``learnability`` and ``maximum_likelihood`` its others."""
    rejected: Literal["exclude", "zero"] = "exclude"
    """Whether a refused proposal leaves its group or scores 0 in it."""
    similarity: Annotated[float, Field(gt=0.0)] = 0.9
    """MinHash similarity from which on a proposal is a near-duplicate; above 1 nothing is."""
    curriculum: str | dict[str, Any] = "ucb_dag"
    """Where parents and practice come from."""
    projection: Projection = Projection()
    """Imitation before the first reward is followed."""
    freeze_proposer: bool = False
    """Leave the proposer's loss out; with one policy its weights still move with the solver's."""
    freeze_solver: bool = False
    """Leave the solver's loss out."""


class AncoraLoop:
    """Proposer and solver around a gate, a graph and an archive of verified pairs."""

    roles = (PROPOSER, SOLVER)

    def __init__(self, config: Ancora, domain: Domain) -> None:
        self.config = config
        self.domain = domain
        entry, settings = CURRICULA.resolve(config.curriculum, where="loop.curriculum")
        self.curriculum = entry.value(settings, domain)
        p = config.projection
        self.pairs = Pairs(p.capacity, p.per_answer)
        self._rounds = 0
        self._projected = p.rounds == 0
        self._difficulty = DIFFICULTIES[config.difficulty].value
        self._known = Index(config.similarity)
        self._propose = ProposeSolve(domain, near=self._near)
        self._practice = SingleTurn(domain)

    def plan(self, step: int, rng: np.random.Generator, work: Callable[[int], str]) -> Plan:
        """Return this step's parents and practice, and before the projection has ended what is imitated first."""
        c = self.config
        # The proposals of the step itself join as they pass the gate.
        self._known = Index(c.similarity, self.curriculum.forms())
        setups = [
            Setup(work(i), "propose_solve", parents=(parent,), siblings=c.siblings, attempts=c.attempts)
            for i, parent in enumerate(self.curriculum.parents(rng, c.parents, step))
        ]
        setups += [
            Setup(work(len(setups) + i), "single_turn", task=task, attempts=c.practice_attempts)
            for i, task in enumerate(self.curriculum.practice(rng, c.practice, step))
        ]
        frozen = {PROPOSER} if c.freeze_proposer else set()
        frozen |= {SOLVER} if c.freeze_solver else set()
        train = frozenset(self.roles) - frozen if self._projected else frozenset()
        return Plan(
            tuple(setups), train, "joint" if self._projected else "projection", lesson=self._lesson(step)
        )

    def _lesson(self, step: int) -> Lesson | None:
        p = self.config.projection
        due = not self._projected or (p.refresh > 0 and (step - self._rounds) % p.refresh == 0)
        if not due or len(self.pairs.kept) < p.least:
            return None
        return Lesson(self.pairs.demonstrations(self.domain), p.epochs, p.batch_size, p.lr)

    def _near(self, task: Task) -> str | None:
        return self._known.claim(self.domain.form(task))

    def play(self, setup: Setup) -> Play:
        """Return the protocol of ``setup``."""
        return self._propose.play if setup.protocol == "propose_solve" else self._practice.play

    def credit(self, plan: Plan, episodes: Sequence[Episode]) -> Credit:
        """Return the proposer's groups (one per parent) and the solver's (one per specification)."""
        out = credit_propose_solve(
            [e for e in episodes if e.setup.protocol == "propose_solve"],
            difficulty=self._difficulty,
            rejected=self.config.rejected,
            gated=True,
            form=self.domain.form,
            copies=self.curriculum.copies,
            novelty=False,
        )
        out.join(credit_single_turn(e for e in episodes if e.setup.protocol == "single_turn"))
        return out

    def fold(self, step: int, plan: Plan, credit: Credit) -> None:
        """Take the step into graph and archive, and end the projection when it has done its work."""
        self.pairs.take(plan, credit, self.domain)
        self.curriculum.fold(step, credit)
        if not self._projected:
            p, figures = self.config.projection, self.health(plan, credit)
            self._rounds += 1
            reached = (
                figures["proposer/new_share"] >= p.valid
                and figures["solver/informative_share"] >= p.informative
            )
            self._projected = reached or self._rounds >= p.rounds

    def health(self, plan: Plan, credit: Credit) -> Mapping[str, float]:
        """Return both roles' figures, those of collapse, and the graph's."""
        return {
            **solver_health(credit),
            **proposer_health(credit),
            **collapse_figures(credit),
            **self.curriculum.figures(),
            "projection/pairs": float(len(self.pairs.kept)),
            "projection/lesson": float(plan.lesson is not None),
        }

    def state(self) -> Json:
        """Return graph, archive and how far the projection is."""
        return {
            "curriculum": self.curriculum.state(),
            "pairs": self.pairs.state(),
            "rounds": self._rounds,
            "projected": self._projected,
        }

    def load(self, state: Json) -> None:
        """Restore what ``state`` returned."""
        self.curriculum.load(state["curriculum"])
        self.pairs.load(state["pairs"])
        self._rounds, self._projected = state["rounds"], state["projected"]


LOOPS.add("ancora", AncoraLoop, config=Ancora, paper="arXiv:2604.27644")
