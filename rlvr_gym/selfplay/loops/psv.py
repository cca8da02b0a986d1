"""PSV: propose, solve, verify (arXiv:2512.18160). A proposer that is never trained, a solver that imitates its proofs.

The proposer learns in its context alone: a prompt shows specifications of the pool, each with the class of difficulty
that the solver's attempts gave it, and asks for one of a class. What the gate passes is attempted, labelled and put
into the pool. The solver is fine-tuned on solutions that the verifier passed, one for each specification.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated

import numpy as np
from pydantic import Field, PositiveFloat, PositiveInt

from rlvr_gym.agents import Domain
from rlvr_gym.config import Config
from rlvr_gym.selfplay.classes import CLASSES, class_of
from rlvr_gym.selfplay.credit import Credit, credit_propose_solve, credit_single_turn
from rlvr_gym.selfplay.difficulty import DIFFICULTIES
from rlvr_gym.selfplay.health import collapse_figures, mean, proposer_health, solver_health
from rlvr_gym.selfplay.loops.base import LOOPS, Lesson, Plan, Play
from rlvr_gym.selfplay.minhash import Index
from rlvr_gym.selfplay.pairs import Pairs
from rlvr_gym.selfplay.protocols import PROPOSER, SOLVER, ProposeSolve, SingleTurn
from rlvr_gym.types import Conversation, Episode, Estimate, Json, Setup, Task


class PSV(Config):
    """Settings of the PSV loop."""

    seeds: PositiveInt = 16
    """Seeds that the first step attempts, so that there is something to show."""
    prompts: PositiveInt = 2
    """Prompts per step that ask for a class, of each of the four."""
    siblings: PositiveInt = 6
    """Proposals from one prompt."""
    attempts: PositiveInt = 10
    """Attempts at each seed and each proposal that passes."""
    shown: PositiveInt = 3
    """Specifications of each class in a prompt; fewer where the pool has fewer."""
    similarity: Annotated[float, Field(gt=0.0)] = 0.9
    """MinHash similarity from which on a proposal is a near-duplicate; above 1 nothing is."""
    capacity: PositiveInt = 1024
    """How many specifications, and how many solutions, are kept; the oldest leave first."""
    per_answer: PositiveInt = 8
    """How many of the solutions may be equal."""
    epochs: PositiveInt = 3
    """Passes over the solutions in each step."""
    batch_size: PositiveInt = 32
    """Solutions per optimizer step."""
    lr: PositiveFloat = 2e-4
    """Learning rate of the fine-tuning."""


@dataclass(frozen=True, slots=True)
class Labelled:
    """A specification of the pool with the attempts that its class is taken from."""

    task: Task
    solved: int
    tried: int

    @property
    def label(self) -> str:
        """Its class."""
        return class_of(self.solved, self.tried)


class PSVLoop:
    """Proposals asked for by class, and a solver that imitates what was verified."""

    roles = (PROPOSER, SOLVER)

    def __init__(self, config: PSV, domain: Domain) -> None:
        self.config = config
        self.domain = domain
        self.pool: dict[str, Labelled] = {}
        """Canonical form -> specification, in the order of its arrival."""
        self.pairs = Pairs(config.capacity, config.per_answer, informative=False)
        self._known = Index(config.similarity)
        self._propose = ProposeSolve(domain, near=self._near, view=self._view)
        self._practice = SingleTurn(domain)
        # Nobody is rewarded; the rule only fills the reward that pages show.
        self._difficulty = DIFFICULTIES["learnability"].value

    def plan(self, step: int, rng: np.random.Generator, work: Callable[[int], str]) -> Plan:
        """Return the prompts of this step, or the seeds while the pool is empty, and the solutions to imitate first."""
        c = self.config
        self._known = Index(c.similarity, self.pool)
        if self.pool:
            wanted = [label for label in CLASSES for _ in range(c.prompts)]
            setups = [self._asked(work(slot), label, rng) for slot, label in enumerate(wanted)]
        else:
            setups = [
                Setup(work(slot), "single_turn", task=self.domain.seed(rng), attempts=c.attempts)
                for slot in range(c.seeds)
            ]
        solutions = tuple(d for d in self.pairs.demonstrations(self.domain) if d.role == SOLVER)
        lesson = Lesson(solutions, c.epochs, c.batch_size, c.lr) if solutions else None
        return Plan(tuple(setups), frozenset(), "imitation", lesson=lesson)

    def _asked(self, work: str, wanted: str, rng: np.random.Generator) -> Setup:
        """Return a prompt's setup; its first example stands for the parent."""
        examples: list[tuple[str, Task]] = []
        for label in CLASSES:
            known = [item.task for item in self.pool.values() if item.label == label]
            picks = (
                rng.choice(len(known), size=min(len(known), self.config.shown), replace=False)
                if known
                else ()
            )
            examples += [(label, known[i]) for i in picks]
        view = {"wanted": wanted, "examples": [[label, task.to_dict()] for label, task in examples]}
        return Setup(
            work,
            "propose_solve",
            parents=(examples[0][1],),
            siblings=self.config.siblings,
            attempts=self.config.attempts,
            views={PROPOSER: view},
        )

    def _view(self, setup: Setup) -> Conversation:
        view = setup.views[PROPOSER]
        examples = [(label, Task.from_dict(row)) for label, row in view["examples"]]
        return self.domain.examples_view(examples, view["wanted"])

    def _near(self, task: Task) -> str | None:
        return self._known.claim(self.domain.form(task))

    def play(self, setup: Setup) -> Play:
        """Return the protocol of ``setup``."""
        return self._propose.play if setup.protocol == "propose_solve" else self._practice.play

    def credit(self, plan: Plan, episodes: Sequence[Episode]) -> Credit:
        """Return groups that nobody is trained on, and the estimates that labels are taken from."""
        out = credit_propose_solve(
            [e for e in episodes if e.setup.protocol == "propose_solve"],
            difficulty=self._difficulty,
            rejected="exclude",
            gated=True,
            form=self.domain.form,
            copies=lambda form: int(form in self.pool),
            novelty=False,
        )
        out.join(credit_single_turn(e for e in episodes if e.setup.protocol == "single_turn"))
        return out

    def fold(self, step: int, plan: Plan, credit: Credit) -> None:
        """Label what was attempted and keep what was verified."""
        self.pairs.take(plan, credit, self.domain)
        for setup in plan.setups:
            if setup.task is not None:
                self._label(setup.task, credit.estimates.get(setup.task.id))
        for judged in credit.proposals:
            if judged.proposal.task is not None and judged.proposal.valid:
                self._label(judged.proposal.task, judged.estimate)

    def _label(self, task: Task, estimate: Estimate | None) -> None:
        if estimate is None or not estimate.tried:
            return
        form = self.domain.form(task)
        self.pool.pop(form, None)
        self.pool[form] = Labelled(task, estimate.solved, estimate.tried)
        if len(self.pool) > self.config.capacity:
            del self.pool[next(iter(self.pool))]

    def health(self, plan: Plan, credit: Credit) -> Mapping[str, float]:
        """Return both roles' figures, the pool's classes, and how often a proposal was of the class it was asked for."""
        asked = {s.work: s.views[PROPOSER]["wanted"] for s in plan.setups if s.protocol == "propose_solve"}
        met = [
            float(class_of(e.solved, e.tried) == asked[judged.episode])
            for judged in credit.proposals
            if (e := judged.estimate) is not None and e.tried
        ]
        counts = Counter(item.label for item in self.pool.values())
        return {
            **solver_health(credit),
            **proposer_health(credit),
            **collapse_figures(credit),
            **{f"pool/{label}": float(counts[label]) for label in CLASSES},
            "pool/solutions": float(len(self.pairs.kept)),
            "proposer/class_met_share": mean(met),
        }

    def state(self) -> Json:
        """Return pool and solutions, in order."""
        return {
            "pool": [
                [form, item.task.to_dict(), item.solved, item.tried] for form, item in self.pool.items()
            ],
            "pairs": self.pairs.state(),
        }

    def load(self, state: Json) -> None:
        """Restore what ``state`` returned."""
        self.pool = {
            form: Labelled(Task.from_dict(task), solved, tried) for form, task, solved, tried in state["pool"]
        }
        self.pairs.load(state["pairs"])


LOOPS.add("psv", PSVLoop, config=PSV, paper="arXiv:2512.18160")
