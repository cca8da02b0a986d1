"""Prefix Sampling: skewed groups replay a prefix of their own history, so that about half of them succeed.

A task that mostly fails gets a head start: its attempts replay the first turns of an earlier success and go on from
there. A task that mostly passes gets a handicap: they replay the first turns of an earlier failure. A controller
moves each task's depth towards a pass rate of one half. The state is rebuilt by playing the recorded actions in the
environment, whose fingerprint must then be the recorded one; replayed tokens carry no gradient; the attempts of a
group share one prefix. So a prefix makes groups informative, and saves the tokens that it replays.

Where the paper (arXiv:2605.05112) leaves things open, this is our reconstruction [R]: the controller's rule; that a
prefix ends with a turn; which trajectories are kept and for how long; that a trajectory which itself had a prefix is
kept whole and counts from the step in which it ended; that a depth grows only while there is something to replay;
and that a visit whose replay failed is played plainly and moves no depth.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
from pydantic import Field, NonNegativeFloat, PositiveInt

from rlvr_gym.agents import Domain
from rlvr_gym.config import Config
from rlvr_gym.errors import ConfigError
from rlvr_gym.selfplay.credit import Credit, credit_single_turn
from rlvr_gym.selfplay.depths import Controller
from rlvr_gym.selfplay.dialogue import Dialogue
from rlvr_gym.selfplay.health import mean, solver_health
from rlvr_gym.selfplay.histories import History, Stored
from rlvr_gym.selfplay.loops.base import LOOPS, Plan, Play
from rlvr_gym.selfplay.protocols import SOLVER
from rlvr_gym.types import Episode, Group, Json, Setup


class PrefixSampling(Config):
    """Settings of the Prefix Sampling loop."""

    prompts: PositiveInt = 16
    """Tasks per step."""
    attempts: PositiveInt = 8
    """Attempts at each task: the group size."""
    tasks: PositiveInt = 64
    """Tasks that are visited in turn, over and over: a depth and a history belong to a task."""
    gain: NonNegativeFloat = 0.25
    """Change of a task's depth per unit of distance from a pass rate of one half; 0 never replays."""
    band: float = Field(default=0.25, ge=0.0, lt=0.5)
    """Distance from one half up to which a depth stays."""
    keep: PositiveInt = 4
    """Successes and failures kept of each task, each."""
    max_age: PositiveInt = 50
    """Steps, hence policy versions, after which a trajectory is not replayed any more."""


class PrefixSamplingLoop:
    """Visit tasks in turn, replay prefixes of the right depth, train on the groups."""

    roles = (SOLVER,)

    def __init__(self, config: PrefixSampling, domain: Domain) -> None:
        if domain.dialogue is None:
            raise ConfigError(
                "loop: 'prefix_sampling' replays turns, the environment has one turn only. Did you mean 'rlvr'?"
            )
        self.config = config
        self.domain = domain
        self.controller = Controller(config.gain, config.band)
        self._protocol = Dialogue(domain, domain.dialogue, fingerprints=True)
        self._histories: dict[str, History] = {}
        self._visits = 0

    def plan(self, step: int, rng: np.random.Generator, work: Callable[[int], str]) -> Plan:
        """Return the tasks whose turn it is, each with its prefix; new ones until there are enough."""
        c, known = self.config, list(self._histories.values())
        if len(known) < c.tasks:
            drawn = (self.domain.seed(rng) for _ in range(2 * c.prompts))
            new = {task.id: History(task) for task in drawn}
            chosen = [self._histories.get(id, history) for id, history in new.items()][: c.prompts]
        else:
            chosen = [known[(self._visits + i) % len(known)] for i in range(min(c.prompts, len(known)))]
        setups = tuple(
            Setup(
                work(slot),
                self._protocol.name,
                task=history.task,
                attempts=c.attempts,
                prefix=history.prefix(),
            )
            for slot, history in enumerate(chosen)
        )
        return Plan(setups, train=frozenset(self.roles))

    def play(self, setup: Setup) -> Play:
        """Return the dialogue protocol."""
        return self._protocol.play

    def credit(self, plan: Plan, episodes: Sequence[Episode]) -> Credit:
        """Return one group per task; success behind a prefix is kept apart from plain success."""
        return credit_single_turn(episodes)

    def fold(self, step: int, plan: Plan, credit: Credit) -> None:
        """Store the step's trajectories and move the depths of its tasks."""
        c = self.config
        groups = {group.key.key: group for group in credit.groups}
        for setup in plan.setups:
            assert setup.task is not None
            self._visits += 1
            history = self._histories.setdefault(setup.task.id, History(setup.task))
            group = groups.get(setup.work)
            if group is not None:
                # Without enough verdicts there is no group, and nothing is learned of the task.
                self._visit(history, setup, group, step)
            history.forget(before=step - c.max_age + 1)

    def _visit(self, history: History, setup: Setup, group: Group, step: int) -> None:
        decided = [(t, r) for t, r in zip(group.members, group.rewards, strict=True) if r is not None]
        history.store(
            ((Stored(t.id, t.turns, step), reward == 1.0) for t, reward in decided), keep=self.config.keep
        )
        if setup.prefix is not None and not _replays(group):
            history.discard(setup.prefix.trajectory)
            return
        history.depth = self.controller.moved(
            history.depth,
            mean([float(reward == 1.0) for _, reward in decided]),
            successes=bool(history.successes),
            failures=bool(history.failures),
        )

    def health(self, plan: Plan, credit: Credit) -> Mapping[str, float]:
        """Return the solver's figures and those of the prefixes; ``solver/solve_rate`` is that of plain groups."""
        prefixes = {setup.work: setup.prefix for setup in plan.setups if setup.prefix is not None}
        groups = [group for group in credit.groups if group.key.key in prefixes]
        replayed = [group for group in groups if _replays(group)]
        kinds = [prefixes[group.key.key].kind for group in replayed]
        members = [member for group in credit.groups for member in group.members]
        behind = [estimate.rate for estimate in credit.behind_prefixes.values() if estimate.rate is not None]
        return {
            **solver_health(credit),
            "prefix/share": len(replayed) / len(credit.groups) if credit.groups else mean([]),
            "prefix/head_starts": float(kinds.count("head_start")),
            "prefix/handicaps": float(kinds.count("handicap")),
            "prefix/discarded": float(len(groups) - len(replayed)),
            "prefix/depth": mean([history.depth for history in self._histories.values()]),
            "prefix/solve_rate": mean(behind),
            "prefix/tokens_sampled": float(sum(member.num_sampled for member in members)),
            "prefix/tokens_replayed": float(sum(member.num_replayed for member in members)),
        }

    def state(self) -> Json:
        """Return depths and histories; of trajectories only their ids, since the run store keeps them."""
        return {
            "visits": self._visits,
            "histories": [history.to_dict() for history in self._histories.values()],
        }

    def load(self, state: Json) -> None:
        """Restore depths and histories."""
        self._visits = state["visits"]
        histories = [History.from_dict(row) for row in state["histories"]]
        self._histories = {history.task.id: history for history in histories}


def _replays(group: Group) -> bool:
    return any(member.num_replayed for member in group.members)


LOOPS.add("prefix_sampling", PrefixSamplingLoop, config=PrefixSampling, paper="arXiv:2605.05112")
