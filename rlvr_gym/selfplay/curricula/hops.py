"""SPARK's curriculum: how many hops are asked for, over which relations, and which accepted questions come again.

The number of hops h is drawn with weights 1 - |p_h - 1/2| among those up to a limit, which rises by one when the
solver masters it; p_h is a discounted solve rate. The paper (arXiv:2605.05546) says that questions follow the
solver; the rule is our reconstruction [R], and so are the discount, the least share of each h, and the choice among
paths by how little their relations were tried.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Annotated, Any

import numpy as np
from pydantic import Field, PositiveInt

from rlvr_gym.agents import Domain
from rlvr_gym.agents.kg import KGDomain, entities_of, signature_of
from rlvr_gym.config import Config
from rlvr_gym.errors import ConfigError
from rlvr_gym.graphs import Path, step_id
from rlvr_gym.selfplay.archive import Archive
from rlvr_gym.selfplay.credit import Credit
from rlvr_gym.selfplay.curricula.base import CURRICULA
from rlvr_gym.selfplay.edges import EdgeStats, Signature, hop_weights
from rlvr_gym.types import Estimate, Json, Task

Share = Annotated[float, Field(ge=0.0, le=1.0)]


class Hops(Config):
    """Settings of the hops curriculum."""

    start: PositiveInt = 2
    """The limit on the number of hops that the first step has."""
    raise_above: Share = 0.6
    """Solve rate of questions of as many hops as the limit from which on it rises by one."""
    least_tries: PositiveInt = 32
    """Attempts at such questions, discounted, before it may rise."""
    least_share: Share = 0.05
    """Chance of each number of hops up to the limit, at least: what is hopeless now is tried again."""
    discount: Annotated[float, Field(gt=0.0, le=1.0)] = 0.9
    """Factor on all tries and solves at each step, so that rates follow the policy."""
    candidates: PositiveInt = 4
    """Paths that are drawn for each parent; one of relations tried less often is likelier to be taken."""
    capacity: PositiveInt = 4096
    """How many accepted questions are kept; the least informative leaves first."""


class HopsCurriculum:
    """Draws paths by their number of hops, and keeps the accepted questions."""

    def __init__(self, config: Hops, domain: Domain) -> None:
        if not isinstance(domain, KGDomain):
            raise ConfigError(
                "loop.curriculum: 'hops' needs an environment of questions about a graph, such as 'kg-v0'."
            )
        self._config = config
        self._domain = domain
        self.least, self.most = domain.hops
        self.limit = min(self.most, max(self.least, config.start))
        self.edges = EdgeStats(config.discount)
        self._archive = Archive(capacity=config.capacity)
        self._met: set[str] = set()
        # What the step under way was given: planned again before every fold, so it is no part of the state.
        self._given: dict[str, Task] = {}
        self._shown: list[Signature] = []

    @property
    def hops(self) -> range:
        """The numbers of hops that are asked for now."""
        return range(self.least, self.limit + 1)

    def weights(self) -> list[float]:
        """Return the chance of each of them."""
        return hop_weights([self.edges.rate(h) for h in self.hops], self._config.least_share)

    def parents(self, rng: np.random.Generator, number: int, step: int) -> Sequence[Task]:
        """Return paths to ask about, each a task that carries its choices."""
        found = []
        for hops in rng.choice(self.hops, size=number, p=self.weights()).tolist():
            options = self._domain.walks(rng, hops, self._config.candidates)
            rarity = np.array([self.edges.rarity(self._signature(path)) for path in options])
            first = options[int(rng.choice(len(options), p=rarity / rarity.sum()))]
            found.append(self._domain.parent(rng, first))
        self._given = {task.id: task for task in found}
        self._shown = [tuple(row[1::2]) for task in found for row in self._domain.choices(task)]
        return found

    def _signature(self, path: Path) -> Signature:
        return tuple(step_id(self._domain.graph, step) for step in path.steps)

    def practice(self, rng: np.random.Generator, number: int, step: int) -> Sequence[Task]:
        """Return accepted questions that were solved sometimes but not always; fewer when there are no more."""
        return [task for _, task in self._archive.draw(rng, number, step)]

    def copies(self, form: str) -> int:
        """Return how often ``form`` was proposed before."""
        return self._archive.copies(form)

    def forms(self) -> Collection[str]:
        """Return all forms that were proposed."""
        return self._archive.forms

    def novelty(self, task: Task) -> float:
        """Return N of a question, as `EdgeStats.novelty` defines it."""
        return self.edges.novelty(signature_of(task))

    def fold(self, step: int, credit: Credit) -> None:
        """Count attempts, keep accepted questions, and raise the limit where it is mastered."""
        self.edges.fade()
        for signature in self._shown:
            self.edges.show(signature)
        self._shown = []
        proposed = self._fold_proposals(step, credit)
        for form, item in list(self._archive.kept.items()):
            estimate = credit.estimates.get(item.task.id)
            if estimate is not None and item.task.id not in proposed:
                self._attempt(item.task, estimate)
                self._archive.visit(form, estimate, step)
                proposed.add(item.task.id)
        for id, task in self._given.items():
            if id in credit.estimates and id not in proposed:
                self._attempt(task, credit.estimates[id])
        rate = self.edges.rate(self.limit)
        tried = self.edges.tried(self.limit)
        if rate is not None and tried >= self._config.least_tries and rate > self._config.raise_above:
            self.limit = min(self.most, self.limit + 1)

    def _fold_proposals(self, step: int, credit: Credit) -> set[str]:
        """Take in the proposals and return the ids of the questions they asked."""
        proposed: set[str] = set()
        for judged in credit.proposals:
            task, form, estimate = judged.proposal.task, judged.form, judged.estimate
            if task is None or form is None or not judged.proposal.valid:
                continue
            self._archive.propose(form)
            proposed.add(task.id)
            self._met.update(entities_of(task))
            self.edges.ask(signature_of(task))
            if estimate is not None:
                self._attempt(task, estimate)
                if judged.proposal.shelf == "admitted":
                    self._archive.admit(form, task, estimate, step)
        return proposed

    def _attempt(self, task: Task, estimate: Estimate) -> None:
        self.edges.attempt(signature_of(task), estimate.tried, estimate.solved)

    def figures(self) -> Mapping[str, float]:
        """Return the limit, the chances and rates by hops, what was asked so far, and how much of the graph it met."""
        rates = {h: self.edges.rate(h) for h in self.hops}
        return {
            "curriculum/hop_limit": float(self.limit),
            **{f"curriculum/hops/{h}/share": w for h, w in zip(self.hops, self.weights(), strict=True)},
            **{f"curriculum/hops/{h}/rate": rate for h, rate in rates.items() if rate is not None},
            "curriculum/proposed": float(len(self._archive.forms)),
            "curriculum/kept": float(len(self._archive.kept)),
            "curriculum/entity_coverage": len(self._met) / self._domain.graph.num_entities,
        }

    def state(self) -> Json:
        """Return everything."""
        return {
            "limit": self.limit,
            "edges": self.edges.state(),
            "archive": self._archive.state(),
            "met": sorted(self._met),
        }

    def load(self, state: Mapping[str, Any]) -> None:
        """Restore everything."""
        self.limit = state["limit"]
        self.edges.load(state["edges"])
        self._archive.load(state["archive"])
        self._met = set(state["met"])


CURRICULA.add("hops", HopsCurriculum, config=Hops, paper="arXiv:2605.05546")
