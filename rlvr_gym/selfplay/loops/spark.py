"""SPARK: self-play with asymmetric rewards from a knowledge graph (arXiv:2605.05546).

One policy has two prompts. As a proposer it sees paths through the graph and writes a question about one of them; as a
solver it sees the question and never the path. A gate that knows the graph decides whether a question is sound, and
the graph knows its answer. The solver earns 1 for that answer. The proposer earns

    R = V * D(p) * (1 + eta (h - 1) / (h_max - 1)) * N * C

with V the gate, p the share of K attempts that succeed, h the hops of the question, N its novelty and C the closed-book
factor. Groups are the proposals from one parent and the attempts at one question; they are never mixed.

[R] Of the paper only the abstract and a summary were read. The formula above, its constants, the weights of channels,
the curriculum, the share of replay and the schedule are our reconstruction. Which of the paper's three rewards goes to
which role is not known: the answer is the solver's reward, path and consistency are channels, off by default.

The switches ``corpus``, ``proposer``, ``gate``, ``symmetric`` and ``method`` make the controls. Those that give up what
makes questions sound say so.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Any, Literal

import numpy as np
from pydantic import Field, NonNegativeFloat, NonNegativeInt, PositiveFloat, PositiveInt

from rlvr_gym.agents import Domain
from rlvr_gym.agents.kg import Asking, KGDomain, hops_of
from rlvr_gym.config import Config
from rlvr_gym.errors import ConfigError
from rlvr_gym.selfplay.closed_book import remembered, set_apart
from rlvr_gym.selfplay.credit import Credit, Part, credit_propose_solve, credit_single_turn
from rlvr_gym.selfplay.curricula import CURRICULA
from rlvr_gym.selfplay.curricula.hops import HopsCurriculum
from rlvr_gym.selfplay.dialogue import attempts
from rlvr_gym.selfplay.difficulty import DIFFICULTIES
from rlvr_gym.selfplay.graph_figures import graph_figures
from rlvr_gym.selfplay.health import proposer_health, solver_health
from rlvr_gym.selfplay.loops.base import LOOPS, Lesson, Plan, Play
from rlvr_gym.selfplay.protocols import PROPOSER, SOLVER, ProposeSolve
from rlvr_gym.types import Episode, Estimate, Json, Proposal, Setup, Task

Share = Annotated[float, Field(ge=0.0, le=1.0)]


class Channels(Config):
    """Weights of the solver's further rewards; their advantages are added to those of its answer."""

    path: NonNegativeFloat = 0.0
    """Share of the entities between start and answer that the response states in order; 0.2 is our reconstruction."""
    consistency: NonNegativeFloat = 0.0
    """Share of the response's own steps that are facts, whether or not they are those of the path."""


class Imitation(Config):
    """Settings of ``method = "imitation"``."""

    examples: PositiveInt = 256
    """Template questions with their answers per step."""
    epochs: PositiveInt = 1
    """Passes over them."""
    batch_size: PositiveInt = 32
    """Examples per optimizer step."""
    lr: PositiveFloat = 3e-4
    """Learning rate, with an optimizer state of its own."""


class Spark(Config):
    """Settings of the SPARK loop."""

    parents: PositiveInt = 8
    """Parents per step; the proposals from one parent are one group."""
    siblings: PositiveInt = 6
    """Proposals per parent: the paper's G questions for the same path."""
    attempts: PositiveInt = 8
    """Attempts at each question that the gate passes: K."""
    choices: PositiveInt = 1
    """Paths that a proposer is shown, all from one entity; it asks about one of them. 1 is the paper's setting."""
    sound_paths: bool = True
    """Whether only paths that can make sound questions are shown; if not, a proposer has to learn which ones do."""
    replay: Annotated[float, Field(ge=0.0, lt=1.0)] = 0.2
    """Share of the solver's groups that are accepted questions of earlier steps."""
    difficulty: str = "learnability"
    """Registered difficulty rule D; ``learnability`` is 4 p (1 - p)."""
    hop_bonus: NonNegativeFloat = 0.25
    """The eta of the hop bonus."""
    novelty: bool = True
    """Whether the reward is multiplied by N, which is 1/2 for questions over the same steps again and again."""
    closed_attempts: NonNegativeInt = 0
    """Attempts at each question without its documents, of open-book environments only; they never train."""
    closed_factor: Share = 0.2
    """Factor on the reward of a question that more than half of those attempts answer."""
    rejected: Literal["zero", "exclude"] = "zero"
    """Whether a refused proposal scores 0 in its group or leaves it."""
    channels: Channels = Channels()
    """Further rewards of the solver."""
    schedule: Literal["joint", "alternate"] = "joint"
    """Train both roles each step, or in turns, the proposer against a frozen solver."""
    phase_steps: PositiveInt = 5
    """Steps of each phase, when alternating: S."""
    solver_groups: PositiveInt = 16
    """Accepted questions that each step of a solver phase attempts."""
    curriculum: str | dict[str, Any] = "hops"
    """Where parents and replayed questions come from; it must be one that draws paths."""
    corpus: Literal["graph", "flat"] = "graph"
    """``flat`` is UNSAFE, a control: the proposer sees a passage of facts, no gate knows the graph, and the answer is
    read off the passage by matching relations, so that it is wrong more often with every hop."""
    proposer: Literal["learned", "template"] = "learned"
    """``template``, a control: questions from templates, nobody learns to ask."""
    gate: dict[str, Any] = {}
    """Settings of the gate that replace the environment's for proposals alone. ``gate.necessity = false`` is UNSAFE, a
    control: questions of which a hop is not needed are paid as if it were."""
    symmetric: bool = False
    """UNSAFE, a control: the solver is shown the path in training, and learns to copy its end."""
    method: Literal["rl", "imitation"] = "rl"
    """``imitation``, a control: nothing is played, template questions with their answers are imitated."""
    imitation: Imitation = Imitation()
    """How, if so."""


class SparkLoop:
    """Proposer and solver around a graph."""

    roles = (PROPOSER, SOLVER)

    def __init__(self, config: Spark, domain: Domain) -> None:
        if not isinstance(domain, KGDomain):
            raise ConfigError(
                "loop: 'spark' needs an environment of questions about a graph, such as 'kg-v0'."
            )
        _refuse(config, domain)
        self.config = config
        self.domain = domain
        # Demonstrations and measurements show a proposer what the loop shows it.
        domain.ask_like(
            Asking(
                choices=config.choices,
                sound=config.sound_paths,
                flat=config.corpus == "flat",
                symmetric=config.symmetric,
                gate=config.gate,
            )
        )
        entry, settings = CURRICULA.resolve(config.curriculum, where="loop.curriculum")
        curriculum = entry.value(settings, domain)
        if not isinstance(curriculum, HopsCurriculum):
            raise ConfigError(f"loop.curriculum: '{entry.name}' draws no paths; loop 'spark' needs 'hops'.")
        self.curriculum = curriculum
        self._difficulty = DIFFICULTIES[config.difficulty].value
        self._solving = attempts(domain)
        closed = (domain.closed_view, config.closed_attempts) if config.closed_attempts else None
        self._propose = ProposeSolve(domain, solving=self._solving, more=closed)
        weights = config.channels
        self._parts: tuple[Part, ...] = tuple(
            (name, verifier, weight)
            for name, verifier, weight in (
                ("path", "kg_path", weights.path),
                ("consistency", "kg_consistency", weights.consistency),
            )
            if weight
        )
        self._accepted = 0
        self._closed: dict[str, Estimate] = {}

    def plan(self, step: int, rng: np.random.Generator, work: Callable[[int], str]) -> Plan:
        """Return this step's parents and replayed questions, or what one of the controls plays instead."""
        c = self.config
        if c.method == "imitation":
            return self._lesson(rng)
        if c.proposer == "template":
            tasks = self.curriculum.parents(rng, c.parents * c.siblings, step)
            return Plan(self._attempted(tasks, work), frozenset({SOLVER}), "template")
        phase = self._phase(step)
        if phase == "solver":
            tasks = self.curriculum.practice(rng, c.solver_groups, step)
            return Plan(self._attempted(tasks, work), frozenset({SOLVER}), phase)
        setups = tuple(
            Setup(work(i), "propose_solve", parents=(parent,), siblings=c.siblings, attempts=c.attempts)
            for i, parent in enumerate(self.curriculum.parents(rng, c.parents, step))
        )
        if phase == "proposer":
            return Plan(setups, frozenset({PROPOSER}), phase, freeze=True)
        # So many that they make up their share, if as many proposals pass as did in the step before.
        wanted = round(self._accepted * c.replay / (1.0 - c.replay))
        replayed = self.curriculum.practice(rng, wanted, step)
        begun = len(setups)
        setups += self._attempted(replayed, lambda slot: work(begun + slot))
        return Plan(setups, frozenset(self.roles), phase)

    def _attempted(self, tasks: Sequence[Task], work: Callable[[int], str]) -> tuple[Setup, ...]:
        name, number = self._solving.name, self.config.attempts
        return tuple(Setup(work(slot), name, task=task, attempts=number) for slot, task in enumerate(tasks))

    def _lesson(self, rng: np.random.Generator) -> Plan:
        c = self.config.imitation
        shown = tuple(self.domain.solved(self.domain.seed(rng)) for _ in range(c.examples))
        lesson = Lesson(shown, c.epochs, c.batch_size, c.lr)
        return Plan((), frozenset(), "imitation", lesson=lesson)

    def _phase(self, step: int) -> str:
        c = self.config
        if c.schedule == "joint":
            return "joint"
        return "solver" if (step - 1) // c.phase_steps % 2 else "proposer"

    def play(self, setup: Setup) -> Play:
        """Return the protocol of ``setup``."""
        return self._propose.play if setup.protocol == "propose_solve" else self._solving.play

    def credit(self, plan: Plan, episodes: Sequence[Episode]) -> Credit:
        """Return the proposer's groups (one per parent) and the solver's (one per question)."""
        out = Credit()
        played, self._closed = set_apart([e for e in episodes if e.setup.protocol == "propose_solve"], out)
        out.join(
            credit_propose_solve(
                played,
                difficulty=self._difficulty,
                rejected=self.config.rejected,
                gated=True,
                form=self.domain.form,
                copies=self.curriculum.copies,
                novelty=False,
                factor=self._factor,
                parts=self._parts,
            )
        )
        others = [e for e in episodes if e.setup.protocol != "propose_solve"]
        out.join(credit_single_turn(others, parts=self._parts))
        return out

    def _factor(self, proposal: Proposal) -> float:
        """Return hop bonus times novelty times the closed-book factor of an attempted proposal."""
        c, task = self.config, proposal.task
        assert task is not None, "only what could be read is attempted"
        factor = hop_bonus(hops_of(task), self.curriculum.most, c.hop_bonus)
        if c.novelty:
            factor *= self.curriculum.novelty(task)
        if remembered(self._closed.get(proposal.trajectory)):
            factor *= c.closed_factor
        return factor

    def fold(self, step: int, plan: Plan, credit: Credit) -> None:
        """Take the step into the curriculum."""
        self.curriculum.fold(step, credit)
        if plan.phase in ("joint", "proposer"):
            attempted = {j.proposal.trajectory for j in credit.proposals if j.estimate is not None}
            self._accepted = len(attempted)

    def health(self, plan: Plan, credit: Credit) -> Mapping[str, float]:
        """Return both roles' figures, those of the questions, and the curriculum's."""
        proposed = proposer_health(credit) if plan.phase in ("joint", "proposer") else {}
        return {
            **solver_health(credit),
            **proposed,
            **graph_figures(self.domain, plan, credit, self._closed),
            **self.curriculum.figures(),
        }

    def state(self) -> Json:
        """Return the curriculum's state and how many proposals passed last."""
        return {"curriculum": self.curriculum.state(), "accepted": self._accepted}

    def load(self, state: Json) -> None:
        """Restore what ``state`` returned."""
        self.curriculum.load(state["curriculum"])
        self._accepted = state["accepted"]


def hop_bonus(hops: int, most: int, eta: float) -> float:
    """Return 1 + eta (h - 1) / (h_max - 1); 1 where there is one number of hops only.

    Example:
        >>> [hop_bonus(h, 4, 0.25) for h in (1, 4)], hop_bonus(1, 1, 0.25)
        ([1.0, 1.25], 1.0)
    """
    return 1.0 + eta * (hops - 1) / (most - 1) if most > 1 else 1.0


def _refuse(config: Spark, domain: KGDomain) -> None:
    """Refuse settings that this environment gives no meaning."""
    if config.closed_attempts and domain.mode != "open":
        raise ConfigError(
            f"loop.closed_attempts: only questions with documents can be asked without; the environment's mode is "
            f"'{domain.mode}', not 'open'."
        )
    for name, on in (("corpus = 'flat'", config.corpus == "flat"), ("symmetric", config.symmetric)):
        if on and domain.mode != "closed":
            raise ConfigError(f"loop: {name} is a control of mode 'closed', not of '{domain.mode}'.")
    if config.method == "imitation" and domain.dialogue is not None:
        raise ConfigError(
            "loop.method: conversations with the environment cannot be imitated; use mode 'closed' or 'open'."
        )


LOOPS.add("spark", SparkLoop, config=Spark, paper="arXiv:2605.05546")
