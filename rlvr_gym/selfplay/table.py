"""The table a protocol plays at: it may ask for text, verdicts and an environment's answers, and for nothing else."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from rlvr_gym.envs import MultiTurnEnv
from rlvr_gym.errors import StoreError, UsageError
from rlvr_gym.policies import Policy, opening, room_left
from rlvr_gym.seeding import derive, work_id
from rlvr_gym.selfplay.asks import Check, Enter, Path, Say
from rlvr_gym.selfplay.records import read_trajectory
from rlvr_gym.selfplay.stage import STEPPED, Act, Action, Answer
from rlvr_gym.types import (
    Conversation,
    Episode,
    Ids,
    Proposal,
    SampleRequest,
    Segment,
    Setup,
    Task,
    Trajectory,
    Verdict,
)
from rlvr_gym.verifiers import Verifier

if TYPE_CHECKING:
    from rlvr_gym.selfplay.hall import Hall

R = TypeVar("R")


class Table:
    """What one episode may touch. It has no clock, no files and no global random state."""

    def __init__(self, hall: Hall, slot: int, setup: Setup) -> None:
        self._hall = hall
        self._slot = slot
        self._setup = setup
        self._trajectories: dict[Path, Trajectory] = {}
        self._parents: dict[str, str | None] = {}
        self._verdicts: dict[str, Verdict] = {}
        self._proposals: dict[str, Proposal] = {}

    @property
    def step(self) -> int:
        """The step this episode belongs to."""
        return self._hall.step

    async def gather(self, *coroutines: Coroutine[Any, Any, R]) -> list[R]:
        """Run coroutines side by side and return their results in order."""
        return await self._hall.gather(coroutines)

    async def say(
        self,
        role: str,
        conversation: Conversation,
        *,
        place: Path,
        task: str,
        parent: Trajectory | None = None,
    ) -> Trajectory:
        """Return what ``role`` writes after ``conversation``.

        Args:
            role: Who writes.
            conversation: The opening it sees.
            place: Where in the episode this is, such as (sibling, attempt); fixes id, seed and order.
            task: Id of the task it works on.
            parent: Trajectory this one hangs from.
        """
        prompt = Segment("prompt", opening(self.policy(role), conversation))
        trajectory = await self.write(
            role, prompt.ids, prompt, place=place, task=task, parent=parent.id if parent else None
        )
        self.keep(trajectory, place=place, parent=parent)
        return trajectory

    async def write(
        self,
        role: str,
        ids: Ids,
        added: Segment,
        *,
        place: Path,
        task: str,
        turn: int = 0,
        parent: str | None = None,
    ) -> Trajectory:
        """Return one turn of ``role`` as it is recorded: ``added`` and what was sampled after ``ids``.

        Args:
            role: Who writes.
            ids: All tokens so far, ``added`` included.
            added: What came since its last turn, or the whole opening.
            place: Names the trajectory within the episode.
            task: Id of the task it works on.
            turn: How often the role has written in this trajectory; its first turn gives the trajectory its id.
            parent: Id of the work this one hangs from.

        Raises:
            UsageError: there is no room for a token, neither in the policy's context nor within the limit.
        """
        hall, sampling = self._hall, self._hall.sampling[role]
        path: Path = (self._slot, *place)
        name: tuple[str | int, ...] = (*path, "turn", turn) if turn else path
        room = self.room(role, len(ids))
        if room == 0:
            raise UsageError(f"role '{role}': {len(ids)} tokens of task '{task}' leave no room to write.")
        request = SampleRequest(
            key=work_id(hall.run, hall.step, role, *name),
            prompt_ids=ids,
            seed=derive(hall.root, "step", hall.step, "say", role, *name),
            max_new_tokens=room,
            temperature=sampling.temperature,
            top_p=sampling.top_p,
        )
        future: asyncio.Future[Trajectory] = asyncio.get_running_loop().create_future()
        hall.ask_text(Say((*path, turn), role, task, parent, request, added, future))
        return await hall.wait(future)

    def keep(
        self,
        trajectory: Trajectory,
        *,
        place: Path,
        parent: Trajectory | None = None,
        verdict: Verdict | None = None,
    ) -> None:
        """Take a whole trajectory, and its verdict if there is one already, into the episode."""
        self._trajectories[(self._slot, *place)] = trajectory
        self._parents[trajectory.id] = parent.id if parent else None
        if verdict is not None:
            self._verdicts[trajectory.id] = verdict

    def policy(self, role: str) -> Policy:
        """Return the policy of a role, to render what is added to its conversation."""
        return self._hall.policies[role]

    def room(self, role: str, used: int) -> int:
        """Return how many tokens the next turn of a trajectory that has ``used`` may have."""
        sampling = self._hall.sampling[role]
        left = room_left(self.policy(role), sampling.max_trajectory_tokens, used)
        return sampling.max_new_tokens if left is None else min(sampling.max_new_tokens, left)

    async def act(
        self,
        env: MultiTurnEnv,
        task: Task,
        conversation: Conversation,
        *,
        place: Path,
        key: str,
        **action: Any,
    ) -> Answer:
        """Return what a trajectory's environment answers to an action, as `Action` describes it."""
        path = (self._slot, *place)
        future: asyncio.Future[Answer] = asyncio.get_running_loop().create_future()
        self._hall.ask_answer(Act(Action(path, key, env, task, conversation, **action), future))
        return await self._hall.wait(future)

    async def enter(self, seats: int, limit: int | None) -> None:
        """Wait until ``seats`` environments more may be live, of at most ``limit``."""
        future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._hall.ask_seats(Enter(self._slot, seats, limit, future))
        await self._hall.wait(future)

    def leave(self, seats: int) -> None:
        """Free what ``enter`` took."""
        self._hall.free_seats(seats)

    def key(self, role: str, *name: str | int) -> str:
        """Return a key for what this episode records, fixed by run, step, slot and ``name``."""
        return work_id(self._hall.run, self._hall.step, role, self._slot, *name)

    def recorded(self, turns: Sequence[str]) -> list[tuple[Trajectory, Answer]]:
        """Return turns of an earlier trajectory with the environment's answers to them.

        Raises:
            StoreError: the run does not hold them.
        """
        store = self._hall.store
        records, answers = store.settled(turns), store.recall(STEPPED, turns)
        if records is None or len(answers) < len(turns):
            raise StoreError(f"{store.folder}: turns to replay are not recorded: {', '.join(turns)}.")
        return [
            (read_trajectory(record), Answer.from_dict(answers[turn]))
            for record, turn in zip(records, turns, strict=True)
        ]

    async def verify(self, verifier: Verifier, task: Task, trajectory: Trajectory, *, place: Path) -> Verdict:
        """Return the verdict on a trajectory's text, and record it for the trajectory."""
        future: asyncio.Future[Verdict] = asyncio.get_running_loop().create_future()
        path = (self._slot, *place)
        self._hall.ask_verdict(Check(path, verifier, task, trajectory.id, trajectory.text, future))
        verdict = await self._hall.wait(future)
        self._verdicts[trajectory.id] = verdict
        return verdict

    def overrule(self, trajectory: Trajectory, verdict: Verdict) -> None:
        """Replace a trajectory's verdict by one that knows more than the verifier did."""
        self._verdicts[trajectory.id] = verdict

    def propose(self, proposal: Proposal) -> None:
        """Record what became of a proposal."""
        self._proposals[proposal.trajectory] = proposal

    def episode(self) -> Episode:
        """Return what was played so far, in plan order."""
        order = sorted(self._trajectories)
        trajectories = tuple(self._trajectories[path] for path in order)
        return Episode(
            id=self._setup.work,
            setup=self._setup,
            trajectories=trajectories,
            parents={t.id: self._parents[t.id] for t in trajectories},
            proposals=tuple(self._proposals[t.id] for t in trajectories if t.id in self._proposals),
            verdicts={t.id: self._verdicts[t.id] for t in trajectories if t.id in self._verdicts},
        )
