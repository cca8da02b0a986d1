"""Dialogues: a solver and an environment write in turn until a verdict, a turn limit or the token budget ends it.

All that was written is one trajectory. Each turn is sampled from the exact ids so far, to which only the rendered
answer of the environment is added: nothing is ever tokenised twice. A turn is a piece of work of its own in the run
store, so that a stop in the middle of a long trajectory loses at most the turns that were being sampled.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from rlvr_gym.agents import Domain
from rlvr_gym.envs import MultiTurnEnv
from rlvr_gym.policies import opening
from rlvr_gym.selfplay.asks import Path
from rlvr_gym.selfplay.protocols import SOLVER, SingleTurn
from rlvr_gym.selfplay.stage import answered
from rlvr_gym.selfplay.table import Table
from rlvr_gym.types import Conversation, Ids, Message, Segment, Setup, Task, Trajectory


@dataclass(frozen=True, slots=True)
class Start:
    """Where an attempt begins: at a task's opening, or behind a replayed prefix."""

    conversation: Conversation
    segments: tuple[Segment, ...]
    """All tokens so far; the last segment is what the first turn is to answer."""
    turns: tuple[str, ...] = ()
    """Work ids of the turns that are replayed."""
    fingerprint: str | None = None
    """Of the environment's state, as it was recorded."""


class Dialogue:
    """A solver attempts one task ``setup.attempts`` times in conversation with its environment.

    Args:
        domain: Whose environment answers.
        env: That environment; copied for each attempt.
        fingerprints: Whether the state is hashed after each turn, so that a prefix of the trajectory can be replayed.
    """

    name = "dialogue"

    def __init__(self, domain: Domain, env: MultiTurnEnv, *, fingerprints: bool = False) -> None:
        self.domain = domain
        self.env = env
        self.fingerprints = fingerprints

    async def play(self, setup: Setup, table: Table) -> None:
        """Play all attempts side by side, from the setup's prefix if every one of them can replay it."""
        task = setup.task
        if task is None:
            raise ValueError("a dialogue needs a task")
        await self.enter(table, setup.attempts)
        start = self._opening(task, table)
        if setup.prefix is not None:
            behind = self._behind(task, setup.prefix.turns, table)
            places = range(setup.attempts)
            same = await table.gather(*(self._replayed(task, behind, table, k) for k in places))
            # One state that differs would make one attempt of the group another experiment.
            start = behind if all(same) else start
        await table.gather(*(self._attempt(task, start, table, (0, k), None) for k in range(setup.attempts)))
        self.leave(table, setup.attempts)

    async def attempt(self, task: Task, table: Table, *, place: Path, parent: Trajectory | None) -> None:
        """Play one dialogue from the task's opening."""
        await self._attempt(task, self._opening(task, table), table, place, parent)

    async def enter(self, table: Table, attempts: int) -> None:
        """Wait until so many environments more may be live."""
        await table.enter(attempts, self.env.max_live)

    def leave(self, table: Table, attempts: int) -> None:
        """Free what ``enter`` took."""
        table.leave(attempts)

    def _opening(self, task: Task, table: Table) -> Start:
        view = self.domain.solver_view(task)
        return Start(view, (Segment("prompt", opening(table.policy(SOLVER), view)),))

    def _behind(self, task: Task, turns: Sequence[str], table: Table) -> Start:
        conversation, segments = self.domain.solver_view(task), list[Segment]()
        recorded = table.recorded(turns)
        for said, answer in recorded:
            added, written = said.segments
            segments += [added, replace(written, kind="replay")]
            conversation = _said(conversation, said, answer.observation)
        said, answer = recorded[-1]
        segments.append(_added(said, answer.observation, table))
        return Start(conversation, tuple(segments), tuple(turns), answer.fingerprint)

    async def _replayed(self, task: Task, start: Start, table: Table, k: int) -> bool:
        """Return whether playing the prefix again led an attempt's environment to the recorded state."""
        answer = await table.act(
            self.env,
            task,
            start.conversation,
            place=(0, k),
            key=table.key(SOLVER, 0, k, "replay"),
            kind="replay",
            fingerprint=start.fingerprint,
        )
        return answer.replayed

    async def _attempt(
        self, task: Task, start: Start, table: Table, place: Path, parent: Trajectory | None
    ) -> None:
        conversation, segments = start.conversation, list(start.segments)
        turns: list[Trajectory] = []
        while True:
            first = turns[0].id if turns else parent.id if parent else None
            said = await table.write(
                SOLVER, _ids(segments), segments[-1], place=place, task=task.id, turn=len(turns), parent=first
            )
            turns.append(said)
            segments.append(said.segments[-1])
            answer = await table.act(
                self.env,
                task,
                conversation,
                place=place,
                key=said.id,
                text=said.text,
                fingerprinted=self.fingerprints,
            )
            conversation = _said(conversation, said, answer.observation)
            if answer.verdict is not None:
                break
            added = _added(said, answer.observation, table)
            used = len(_ids(segments)) + len(added.ids)
            if table.room(SOLVER, used) == 0:
                answer = await table.act(
                    self.env,
                    task,
                    conversation,
                    place=place,
                    key=table.key(SOLVER, *place, "cut"),
                    kind="cut",
                    text=f"no room for another turn after {used} tokens",
                )
                break
            segments.append(added)
        whole = replace(
            turns[-1],
            id=turns[0].id,
            segments=tuple(segments),
            turns=(*start.turns, *(turn.id for turn in turns)),
        )
        table.keep(whole, place=place, parent=parent, verdict=answer.verdict)


def attempts(domain: Domain) -> Dialogue | SingleTurn:
    """Return the protocol by which a domain's tasks are attempted."""
    return SingleTurn(domain) if domain.dialogue is None else Dialogue(domain, domain.dialogue)


def _ids(segments: Sequence[Segment]) -> Ids:
    return np.concatenate([segment.ids for segment in segments])


def _added(said: Trajectory, observation: str, table: Table) -> Segment:
    """Return the tokens between one turn and the next; no stop texts are used, so "stop" is a sampled stop token."""
    closed = said.finish == "stop"
    return Segment("environment", table.policy(SOLVER).render_added(answered(observation), closed=closed))


def _said(conversation: Conversation, said: Trajectory, observation: str) -> Conversation:
    """Return the conversation as the environment keeps it, which leaves out empty answers."""
    conversation = (*conversation, Message("assistant", said.text))
    return (*conversation, *answered(observation)) if observation else conversation
