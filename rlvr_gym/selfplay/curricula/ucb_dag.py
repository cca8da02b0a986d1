"""ANCORA's curriculum: a graph of solved specifications, grown by what is proposed and searched by UCB.

A share of the parents is chosen among the roots; the others are found by going down from a root, at each task
choosing by UCB whether to stop there or to go on to one of the tasks that were proposed from it. What proposals earn
is credited to their parent and, faded, to those above it; all statistics are discounted at every step.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from typing import Annotated, Literal

import numpy as np
from pydantic import Field, NonNegativeFloat, NonNegativeInt, PositiveInt

from rlvr_gym.agents import Domain
from rlvr_gym.config import Config
from rlvr_gym.seeding import generator
from rlvr_gym.selfplay.credit import REFUSED, Credit, Judged
from rlvr_gym.selfplay.curricula.base import CURRICULA
from rlvr_gym.selfplay.dag import RECENT, Dag, Node, score
from rlvr_gym.selfplay.minhash import similarity
from rlvr_gym.types import Json, Task

Share = Annotated[float, Field(ge=0.0, le=1.0)]
_PATIENCE = 300
"""Draws in a row without a new root after which the domain is taken to have no more."""


class UCBDag(Config):
    """Settings of the UCB-guided graph."""

    roots: PositiveInt = 68
    """How many seeds the graph begins with; fewer when the domain has fewer."""
    roots_seed: NonNegativeInt = 0
    """Seed of their drawing."""
    root_quota: Share = 0.5
    """Share of parents that are chosen among the roots; 1 never goes down."""
    exploration: NonNegativeFloat = 0.5
    """The c of UCB; 0 always takes what earned most."""
    discount: Annotated[float, Field(gt=0.0, le=1.0)] = 0.99
    """Factor on all visits and earnings at each step."""
    slack: NonNegativeFloat = 0.1
    """How far below its parent's a child's value starts, per unit of distance: the values are taken to be Lipschitz."""
    backup: Literal["reward", "learnability"] = "reward"
    """What a visit earns: the mean reward of its proposals, or the mean of 4 p (1 - p); refused ones count as 0."""
    solved_only: bool = True
    """Admit a proposal only when some attempt solved it."""
    choice: Literal["ucb", "uniform"] = "ucb"
    """``uniform`` takes every root, and every admitted task, to be as good: the control."""
    retire_above: Share = 0.95
    """Solve rate of the last three visits from which on a task is no parent any more."""
    capacity: PositiveInt = 4096
    """How many tasks are kept; past it the leaf of the lowest value leaves, retired ones first."""
    anchors: Share = 0.5
    """Share of practice that comes from roots."""


class UCBDagCurriculum:
    """Chooses parents in a graph that grows."""

    def __init__(self, config: UCBDag, domain: Domain) -> None:
        self._config = config
        self._domain = domain
        self.dag = Dag(config.slack)
        self._slots = 0
        self._root_slots = 0
        for task, form in _roots(domain, config):
            self.dag.add(Node(task, form, [], depth=0, step=0))

    def parents(self, rng: np.random.Generator, number: int, step: int) -> Sequence[Task]:
        """Return a parent for each slot; those chosen before count as visited, so that a step looks around."""
        pending: dict[str, int] = defaultdict(int)
        chosen = []
        for _ in range(number):
            id = self._choose(rng, pending)
            pending[id] += 1
            chosen.append(self.dag.nodes[id].task)
        return chosen

    def _choose(self, rng: np.random.Generator, pending: Mapping[str, int]) -> str:
        dag, config = self.dag, self._config
        fresh = {id: node for id, node in dag.nodes.items() if not node.retired}
        at_root = rng.random() < config.root_quota
        if config.choice == "uniform":
            wanted = [id for id, node in fresh.items() if node.root == at_root]
            return str(rng.choice(wanted or list(fresh) or dag.roots))
        if at_root:
            return self._best([id for id in dag.roots if id in fresh] or dag.roots, pending)
        open_ = dag.open()
        at = self._best([id for id in dag.roots if id in open_] or dag.roots, pending)
        while below := [id for id in dag.children(at) if id in open_]:
            found = self._best([at, *below] if at in fresh else below, pending)
            if found == at:
                break
            at = found
        return at

    def _best(self, options: Sequence[str], pending: Mapping[str, int]) -> str:
        """Return the option of the highest score, the oldest of equal ones."""
        dag = self.dag
        visits = {id: dag.nodes[id].visits + pending.get(id, 0) for id in options}
        total = sum(visits.values())
        return max(options, key=lambda id: score(dag.value(id), visits[id], total, self._config.exploration))

    def practice(self, rng: np.random.Generator, number: int, step: int) -> Sequence[Task]:
        """Return roots and admitted tasks, those near a solve rate of one half more often."""
        dag = self.dag
        grown = [(n.task, n.rate * (1.0 - n.rate)) for n in dag.nodes.values() if not n.root and n.rate]
        grown = [(task, use) for task, use in grown if use > 0.0]
        wanted = min(len(grown), number - round(number * self._config.anchors))
        found: list[Task] = []
        if wanted:
            weights = np.array([use for _, use in grown])
            picks = rng.choice(len(grown), size=wanted, replace=False, p=weights / weights.sum())
            found = [grown[i][0] for i in picks]
        roots = dag.roots
        picks = rng.choice(len(roots), size=min(len(roots), number - len(found)), replace=False)
        return found + [dag.nodes[roots[i]].task for i in picks]

    def copies(self, form: str) -> int:
        """Return how often an admitted form was proposed; what was never solved may come again as new."""
        id = self.dag.forms.get(form)
        return 0 if id is None else self.dag.nodes[id].copies

    def forms(self) -> Collection[str]:
        """Return the forms of all tasks."""
        return self.dag.forms

    def fold(self, step: int, credit: Credit) -> None:
        """Discount, credit the visits, admit what is new and solved, fold the solver's visits, retire."""
        dag = self.dag
        dag.discount(self._config.discount)
        for parent, earned in self._visits(credit):
            self._slots += 1
            self._root_slots += dag.nodes[parent].root
            dag.visit(parent, earned)
        visited = dict.fromkeys(id for id in credit.estimates if id in dag.nodes)
        for judged in credit.proposals:
            self._admit(judged, step)
        for id in visited:
            dag.nodes[id].attempt(credit.estimates[id].tried, credit.estimates[id].solved)
        for node in dag.nodes.values():
            rate = node.rate
            node.retired = (
                len(node.recent) == RECENT and rate is not None and rate > self._config.retire_above
            )
        self._evict()

    def _visits(self, credit: Credit) -> list[tuple[str, float]]:
        """Return each episode's parent with what its proposals earned; undecided and held-out ones do not count."""
        earned: dict[str, list[float]] = {}
        parents: dict[str, str] = {}
        for judged in credit.proposals:
            value = self._earned(judged, credit)
            if value is not None and judged.parent in self.dag.nodes:
                earned.setdefault(judged.episode, []).append(value)
                parents[judged.episode] = judged.parent
        return [(parents[episode], sum(values) / len(values)) for episode, values in earned.items()]

    def _earned(self, judged: Judged, credit: Credit) -> float | None:
        if credit.dropped.get(judged.proposal.trajectory) in REFUSED:
            return 0.0
        if judged.reward is None or self._config.backup == "reward":
            return judged.reward
        rate = judged.estimate.rate if judged.estimate else None
        return 0.0 if rate is None else 4.0 * rate * (1.0 - rate)

    def _admit(self, judged: Judged, step: int) -> None:
        """Take a proposal in if it is valid, new and, unless set otherwise, solved at least once."""
        dag, task, form, estimate = self.dag, judged.proposal.task, judged.form, judged.estimate
        if task is None or form is None or not judged.proposal.valid or judged.parent not in dag.nodes:
            return
        if form in dag.forms:
            dag.nodes[dag.forms[form]].copies += 1
            dag.adopt(dag.forms[form], judged.parent)
            return
        wanted = ("admitted",) if self._config.solved_only else ("admitted", "confirm")
        if judged.proposal.shelf not in wanted or estimate is None:
            return
        parent = dag.nodes[judged.parent]
        distance = 1.0 - similarity(parent.form, form)
        node = Node(task, form, [judged.parent], depth=parent.depth + 1, step=step, distance=distance)
        node.attempt(estimate.tried, estimate.solved)
        dag.add(node)

    def _evict(self) -> None:
        dag = self.dag
        while len(dag.nodes) > self._config.capacity:
            leaves = [id for id, node in dag.nodes.items() if not node.root and not dag.children(id)]
            if not leaves:
                return
            dag.remove(min(leaves, key=lambda id: (not dag.nodes[id].retired, dag.value(id))))

    def figures(self) -> Mapping[str, float]:
        """Return the size and the shape of the graph."""
        nodes = list(self.dag.nodes.values())
        solved = [node.depth for node in nodes if node.solved]
        return {
            "dag/nodes": float(len(nodes)),
            "dag/admitted": float(sum(not node.root for node in nodes)),
            "dag/retired": float(sum(node.retired for node in nodes)),
            "dag/depth": float(max((node.depth for node in nodes), default=0)),
            "dag/solved_depth": float(max(solved, default=0)),
            "dag/root_share": self._root_slots / self._slots if self._slots else self._config.root_quota,
        }

    def state(self) -> Json:
        """Return the graph."""
        return {"nodes": self.dag.state(), "slots": [self._slots, self._root_slots]}

    def load(self, state: Json) -> None:
        """Restore the graph."""
        self.dag.load(state["nodes"])
        self._slots, self._root_slots = state["slots"]


def _roots(domain: Domain, config: UCBDag) -> list[tuple[Task, str]]:
    rng = generator(config.roots_seed, "roots")
    found: dict[str, Task] = {}
    misses = 0
    while len(found) < config.roots and misses < _PATIENCE:
        task = domain.seed(rng)
        form = domain.form(task)
        misses = misses + 1 if form in found else 0
        found.setdefault(form, task)
    return [(task, form) for form, task in found.items()]


CURRICULA.add("ucb_dag", UCBDagCurriculum, config=UCBDag, paper="arXiv:2604.27644")
