"""From played episodes to groups with rewards: who is compared with whom, and who leaves."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from rlvr_gym.selfplay.difficulty import Difficulty
from rlvr_gym.selfplay.protocols import HELD_OUT, PROPOSER, SOLVER
from rlvr_gym.types import Channel, Episode, Estimate, Group, GroupKey, Proposal, Task, Trajectory, Verdict

REFUSED = ("rejected", "near_duplicate")
"""Why a proposal is not attempted: the gate refuses it, or it is too much like another."""


@dataclass(slots=True)
class Credit:
    """What a step's episodes earned. Every trajectory is in a group, or in ``masked``, or in ``dropped``."""

    groups: list[Group] = field(default_factory=list)
    masked: dict[str, str] = field(default_factory=dict)
    """Trajectory -> the status that left it without a reward."""
    dropped: dict[str, str] = field(default_factory=dict)
    """Trajectory -> why it does not train although it was judged."""
    proposals: list[Judged] = field(default_factory=list)
    estimates: dict[str, Estimate] = field(default_factory=dict)
    """Task id -> success of this step's attempts at it."""
    behind_prefixes: dict[str, Estimate] = field(default_factory=dict)
    """Task id -> success of those that began behind a replayed prefix, which is another experiment."""

    def note(self, estimate: Estimate) -> None:
        """Add attempts at a task; two copies of one task in a step add up, those of two sources never."""
        known = self.estimates if estimate.source == "plain" else self.behind_prefixes
        old = known.get(estimate.task, Estimate(estimate.task))
        known[estimate.task] = replace(
            estimate,
            tried=old.tried + estimate.tried,
            solved=old.solved + estimate.solved,
            masked=old.masked + estimate.masked,
        )

    def join(self, other: Credit) -> None:
        """Add what other episodes of the step earned."""
        self.groups += other.groups
        self.masked |= other.masked
        self.dropped |= other.dropped
        self.proposals += other.proposals
        for estimate in (*other.estimates.values(), *other.behind_prefixes.values()):
            self.note(estimate)


@dataclass(frozen=True, slots=True)
class Judged:
    """A proposal with its success estimate and what its proposer earned."""

    proposal: Proposal
    text: str
    form: str | None
    """Canonical form, None for what could not be read."""
    estimate: Estimate | None
    reward: float | None
    attempts: tuple[tuple[str, Verdict], ...] = ()
    """What the solver wrote, with the verdict on it."""
    parent: str = ""
    """Id of the task that it was proposed from."""
    episode: str = ""
    """Id of the episode, whose proposals are compared with each other."""


def min_decided(attempts: int) -> int:
    """Return how many decided attempts a group needs before it says anything: max(2, half), or 1 of 1."""
    return min(attempts, max(2, math.ceil(attempts / 2)))


def reward_of(verdict: Verdict) -> float | None:
    """Return the score of a decided verdict, None for any other: a failure to judge is no failure to solve."""
    return verdict.score if verdict.decided else None


Part = tuple[str, str, float]
"""A channel: its name, the name of the verifier whose part of a verdict it pays, and its weight."""


def channels_of(judged: Sequence[Verdict], parts: Sequence[Part]) -> tuple[Channel, ...]:
    """Return the channels of a group, whose rewards are those of parts of the verdicts.

    A decided verdict without the part is worth 0 in the channel; one whose part is undecided leaves it.
    """
    return tuple(
        Channel(name, weight, tuple(_part(v, verifier) for v in judged)) for name, verifier, weight in parts
    )


def _part(verdict: Verdict, verifier: str) -> float | None:
    if not verdict.decided:
        return None
    found = next((part for part in verdict.parts if part.verifier.partition("@")[0] == verifier), None)
    return 0.0 if found is None else reward_of(found)


def solver_group(
    key: str,
    attempts: Sequence[Trajectory],
    verdicts: Mapping[str, Verdict],
    out: Credit,
    parts: Sequence[Part] = (),
) -> Estimate:
    """Put the attempts at one task into a group of ``out`` and return their success estimate."""
    judged = [verdicts[t.id] for t in attempts]
    rewards = tuple(reward_of(v) for v in judged)
    for trajectory, verdict in zip(attempts, judged, strict=True):
        if not verdict.decided:
            out.masked[trajectory.id] = str(verdict.status)
    tried = sum(r is not None for r in rewards)
    estimate = Estimate(
        attempts[0].task,
        tried=tried,
        solved=sum(v.passed for v in judged),
        masked=len(judged) - tried,
        # A group shares one prefix.
        source="prefix" if attempts[0].num_replayed else "plain",
    )
    if tried >= min_decided(len(attempts)):
        channels = channels_of(judged, parts)
        out.groups.append(Group(GroupKey(SOLVER, "task", key), tuple(attempts), rewards, channels))
    else:
        out.dropped.update(
            {t.id: "few_decided" for t, r in zip(attempts, rewards, strict=True) if r is not None}
        )
    return estimate


def credit_single_turn(episodes: Iterable[Episode], *, parts: Sequence[Part] = ()) -> Credit:
    """Return one solver group per episode, with the channels that ``parts`` name."""
    out = Credit()
    for episode in episodes:
        if episode.trajectories:
            out.note(solver_group(episode.id, episode.trajectories, episode.verdicts, out, parts))
    return out


def credit_propose_solve(
    episodes: Sequence[Episode],
    *,
    difficulty: Difficulty,
    rejected: Literal["zero", "exclude"],
    gated: bool,
    form: Callable[[Task], str],
    copies: Callable[[str], int],
    novelty: bool,
    factor: Callable[[Proposal], float] = lambda proposal: 1.0,
    parts: Sequence[Part] = (),
) -> Credit:
    """Return proposer groups (siblings of one parent) and solver groups (attempts at one proposal).

    The reward of a proposal is gate x difficulty x novelty, so what the gate refuses never earns more than
    what it passes. The same attempts set the difficulty and train the solver.

    Args:
        episodes: Played episodes, in plan order.
        difficulty: Rule from the solve rate to [0, 1].
        rejected: Whether a refused proposal, a near-duplicate included, scores 0 in its group (VHG) or leaves it
            (ANCORA).
        gated: Whether the gate decides; False pays difficulty alone, the naive control.
        form: Canonical form of a task.
        copies: How often a form was proposed before this step.
        novelty: Whether the reward is divided by the number of copies so far, this step's included.
        factor: What else the reward of an attempted proposal is multiplied by.
        parts: Channels of the solver's groups.
    """
    out = Credit()
    forms = {p.trajectory: form(p.task) for e in episodes for p in e.proposals if p.task is not None}
    valid = {p.trajectory for e in episodes for p in e.proposals if p.valid}
    now = Counter(f for trajectory, f in forms.items() if trajectory in valid)
    for episode in episodes:
        by_id = {t.id: t for t in episode.trajectories}
        attempts: dict[str, list[Trajectory]] = {}
        for child, parent in episode.parents.items():
            if parent is not None:
                attempts.setdefault(parent, []).append(by_id[child])
        members: list[Trajectory] = []
        rewards: list[float | None] = []
        for proposal in episode.proposals:
            draft = by_id[proposal.trajectory]
            tries = attempts.get(draft.id, [])
            estimate = solver_group(draft.id, tries, episode.verdicts, out, parts) if tries else None
            if estimate is not None:
                out.note(estimate)
            f = forms.get(draft.id)
            before = copies(f) if f is not None else 0
            share = 1.0 / max(1, before + now[f]) if f is not None and proposal.valid else 1.0
            reward, why = _proposal_reward(proposal, estimate, len(tries), difficulty, gated)
            if reward is not None and novelty:
                reward *= share
            if reward:
                reward *= factor(proposal)
            if why == HELD_OUT or (why in REFUSED and rejected == "exclude"):
                out.dropped[draft.id] = why
                reward = None
            else:
                members.append(draft)
                rewards.append(reward)
                if reward is None:
                    out.masked[draft.id] = why
            judged = replace(proposal, novelty=share, shelf=_shelf(proposal, estimate, before))
            tried = tuple((t.text, episode.verdicts[t.id]) for t in tries)
            out.proposals.append(
                Judged(
                    judged, draft.text, f, estimate, reward, tried, episode.setup.parents[0].id, episode.id
                )
            )
        if sum(r is not None for r in rewards) >= min_decided(len(rewards)) > 0:
            out.groups.append(Group(GroupKey(PROPOSER, "parent", episode.id), tuple(members), tuple(rewards)))
        else:
            out.dropped.update(
                {t.id: "few_decided" for t, r in zip(members, rewards, strict=True) if r is not None}
            )
    return out


def _proposal_reward(
    proposal: Proposal, estimate: Estimate | None, attempts: int, difficulty: Difficulty, gated: bool
) -> tuple[float | None, str]:
    gate = proposal.gate
    if gate.reason.startswith(HELD_OUT):
        return None, HELD_OUT
    if proposal.task is None or (gated and gate.decided and not gate.passed):
        return 0.0, "rejected"
    if proposal.near is not None:
        return 0.0, "near_duplicate"
    if gated and not gate.decided:
        return None, str(gate.status)
    if estimate is None or estimate.tried < min_decided(attempts):
        return None, "few_decided"
    return difficulty(estimate.solved, estimate.tried), ""


def _shelf(
    proposal: Proposal, estimate: Estimate | None, before: int
) -> Literal["rejected", "confirm", "admitted", "retired"]:
    if not proposal.valid or estimate is None or before:
        return "rejected"
    # Valid but never solved: kept aside until some attempt succeeds.
    return "admitted" if estimate.solved else "confirm"
