"""The table a protocol plays at: it may ask for text, verdicts and an environment's answers, and for nothing else.

Episodes are coroutines. They run until every one of them waits; then all waiting verdicts are made, after them all
waiting actions in environments, and when only text is waited for, all requests form batches in plan order. Which
requests share a batch is therefore a function of the plan and the recorded results, never of timing, so a resumed
run asks for the same batches. A batch settles whole in the run store or not at all.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from rlvr_gym.envs import MultiTurnEnv
from rlvr_gym.errors import StoreError
from rlvr_gym.policies import Policy, room_left
from rlvr_gym.seeding import derive, work_id
from rlvr_gym.selfplay.records import read_trajectory, task_key, write_trajectory
from rlvr_gym.selfplay.stage import STEPPED, Act, Action, Answer, Stage
from rlvr_gym.store import Record, RunStore, Work
from rlvr_gym.types import (
    Completion,
    Conversation,
    Episode,
    Ids,
    Json,
    Proposal,
    SampleRequest,
    Segment,
    Setup,
    Task,
    Trajectory,
    Verdict,
)
from rlvr_gym.verifiers import Verifier

R = TypeVar("R")
Path = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Sampling:
    """How text is sampled for one role."""

    max_new_tokens: int
    temperature: float = 1.0
    top_p: float = 1.0
    max_trajectory_tokens: int | None = None


@dataclass(slots=True)
class _Say:
    path: Path
    role: str
    task: str
    parent: str | None
    request: SampleRequest
    added: Segment
    future: asyncio.Future[Trajectory]


@dataclass(slots=True)
class _Enter:
    slot: int
    seats: int
    limit: int | None
    future: asyncio.Future[None]


@dataclass(slots=True)
class _Check:
    path: Path
    verifier: Verifier
    task: Task
    trajectory: str
    text: str
    future: asyncio.Future[Verdict]


class Hall:
    """All tables of one step: gathers what the episodes ask for and serves it in batches.

    Args:
        store: Where each result is recorded before an episode sees it.
        policies: Role -> policy that plays it.
        sampling: Role -> how it is sampled.
        root: Seed of the run's current branch.
        run: Id of the run and branch, part of every work id.
        step: Step played.
        batch_size: Requests per batch.
    """

    def __init__(
        self,
        store: RunStore,
        policies: Mapping[str, Policy],
        sampling: Mapping[str, Sampling],
        *,
        root: int,
        run: str,
        step: int,
        batch_size: int,
    ) -> None:
        self.store = store
        self.policies = policies
        self.sampling = sampling
        self.root = root
        self.run = run
        self.step = step
        self.batch_size = batch_size
        self._running = 0
        self._idle = asyncio.Event()
        self._says: list[_Say] = []
        self._checks: list[_Check] = []
        self._acts: list[Act] = []
        self._waiting: list[_Enter] = []
        self._seated = 0
        self._stage = Stage(store, step)

    def play(
        self, episodes: Iterable[tuple[Setup, Callable[[Setup, Table], Coroutine[Any, Any, None]]]]
    ) -> list[Episode]:
        """Play all episodes and return them in plan order."""
        return asyncio.run(self._play(list(episodes)))

    async def _play(
        self, episodes: list[tuple[Setup, Callable[[Setup, Table], Coroutine[Any, Any, None]]]]
    ) -> list[Episode]:
        if not episodes:
            return []
        tables = [Table(self, slot, setup) for slot, (setup, _) in enumerate(episodes)]
        played = [
            self.start(protocol(setup, table))
            for table, (setup, protocol) in zip(tables, episodes, strict=True)
        ]
        try:
            while True:
                await self._idle.wait()
                self._idle.clear()
                failed = next((task for task in played if task.done() and task.exception()), None)
                if failed is not None:
                    failed.result()
                if self._admit():
                    continue
                if self._checks:
                    self._serve_checks()
                elif self._acts:
                    self._serve_acts()
                elif self._says:
                    self._serve_says()
                else:
                    break
        finally:
            for task in played:
                task.cancel()
            self._stage.close()
        return [table.episode() for table in tables]

    def start(self, coroutine: Coroutine[Any, Any, R]) -> asyncio.Task[R]:
        """Run a coroutine that counts as running until it ends."""
        self._running += 1

        async def counted() -> R:
            try:
                return await coroutine
            finally:
                self._pause()

        return asyncio.ensure_future(counted())

    async def gather(self, coroutines: Sequence[Coroutine[Any, Any, R]]) -> list[R]:
        """Run coroutines side by side; the caller waits, and goes on in the place of the last that ends."""
        remaining = len(coroutines)
        if not remaining:
            return []
        self._running += remaining

        async def child(coroutine: Coroutine[Any, Any, R]) -> R:
            nonlocal remaining
            try:
                return await coroutine
            finally:
                remaining -= 1
                if remaining:
                    self._pause()

        tasks = [asyncio.ensure_future(child(c)) for c in coroutines]
        return list(await self.wait(asyncio.gather(*tasks)))

    def _pause(self) -> None:
        self._running -= 1
        # Below zero only after an exception, which the next look at the episodes raises.
        if self._running <= 0:
            self._idle.set()

    async def wait(self, awaited: Awaitable[R]) -> R:
        """Await something while not counting as running; whoever ends the wait must count the caller again."""
        self._pause()
        return await awaited

    def resume(self, future: asyncio.Future[R], result: R) -> None:
        """Hand ``result`` to whoever waits; it counts as running from now on."""
        self._running += 1
        future.set_result(result)

    def ask_text(self, ask: _Say) -> None:
        """Queue a request for text."""
        self._says.append(ask)

    def ask_verdict(self, ask: _Check) -> None:
        """Queue a request for a verdict."""
        self._checks.append(ask)

    def ask_seats(self, ask: _Enter) -> None:
        """Queue an episode that wants to begin."""
        self._waiting.append(ask)

    def free_seats(self, seats: int) -> None:
        """Take seats back, for others to begin."""
        self._seated -= seats

    def _admit(self) -> bool:
        """Let episodes begin, in plan order, while there are seats; one that wants more than all waits for all."""
        self._waiting.sort(key=lambda ask: ask.slot)
        admitted = 0
        for ask in self._waiting:
            if ask.limit is not None and self._seated and self._seated + ask.seats > ask.limit:
                break
            self._seated += ask.seats
            self.resume(ask.future, None)
            admitted += 1
        del self._waiting[:admitted]
        return admitted > 0

    def ask_answer(self, ask: Act) -> None:
        """Queue an action in an environment."""
        self._acts.append(ask)

    def _serve_acts(self) -> None:
        asks = sorted(self._acts, key=lambda ask: ask.action.path)
        self._acts = []
        answers = self._stage.serve([ask.action for ask in asks])
        for ask, answer in zip(asks, answers, strict=True):
            self.resume(ask.future, answer)

    def _serve_checks(self) -> None:
        asks = sorted(self._checks, key=lambda ask: ask.path)
        self._checks = []
        keys = [work_id(self.run, self.step, ask.verifier.id, *ask.path) for ask in asks]
        by_key = dict(zip(keys, asks, strict=True))
        # Verdicts name their tasks, so that they can be made again by another verifier.
        self.store.remember(self.step, "posed", {task_key(ask.task): ask.task.to_dict() for ask in asks})
        rows = self.store.once_many(
            self.step, "judged", keys, lambda new: _judge([by_key[key] for key in new])
        )
        for ask, row in zip(asks, rows, strict=True):
            self.resume(ask.future, Verdict.from_dict(row))

    def _serve_says(self) -> None:
        asks = sorted(self._says, key=lambda ask: ask.path)
        self._says = []
        by_policy: dict[int, list[_Say]] = {}
        for ask in asks:
            by_policy.setdefault(id(self.policies[ask.role]), []).append(ask)
        for group in by_policy.values():
            for start in range(0, len(group), self.batch_size):
                self._serve_batch(group[start : start + self.batch_size])

    def _serve_batch(self, asks: list[_Say]) -> None:
        ids = [ask.request.key for ask in asks]
        self.store.planned(
            self.step,
            [Work(ask.request.key, kind="rollout", role=ask.role, parent=ask.parent) for ask in asks],
        )
        records = self.store.settled(ids)
        if records is None:
            completions = self.policies[asks[0].role].sample([ask.request for ask in asks])
            records = self.store.settle(
                [_record(ask, completion) for ask, completion in zip(asks, completions, strict=True)]
            )
        trajectories = [read_trajectory(record) for record in records]
        for ask, trajectory in zip(asks, trajectories, strict=True):
            self.resume(ask.future, trajectory)


def _record(ask: _Say, completion: Completion) -> Record:
    """Return the record of one turn: what was added since the turn before, and what was sampled."""
    said = Trajectory.single_turn(ask.request.key, ask.role, ask.task, ask.request, completion)
    return write_trajectory(replace(said, segments=(ask.added, *said.segments[1:])))


def _judge(asks: Sequence[_Check]) -> list[Json]:
    """Return the verdicts on ``asks`` as `read_judged` takes them; equal texts on one task are judged once."""
    rows: dict[tuple[int, int, str], Json] = {}
    keys = [(id(ask.verifier), id(ask.task), ask.text) for ask in asks]
    first = dict(zip(keys, asks, strict=True))
    for verifier in dict.fromkeys(ask.verifier for ask in asks):
        some = [key for key, ask in first.items() if ask.verifier is verifier]
        verdicts = verifier.check_many((first[key].task, first[key].text) for key in some)
        rows.update((key, verdict.to_dict()) for key, verdict in zip(some, verdicts, strict=True))
    return [
        {**rows[key], "trajectory": ask.trajectory, "posed": task_key(ask.task)}
        for key, ask in zip(keys, asks, strict=True)
    ]


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
        prompt = Segment("prompt", self.policy(role).render(conversation))
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
        """
        hall, sampling = self._hall, self._hall.sampling[role]
        path: Path = (self._slot, *place)
        name = (*path, "turn", turn) if turn else path
        left = self.room(role, len(ids))
        request = SampleRequest(
            key=work_id(hall.run, hall.step, role, *name),
            prompt_ids=ids,
            seed=derive(hall.root, "step", hall.step, "say", role, *name),
            max_new_tokens=sampling.max_new_tokens if left is None else min(sampling.max_new_tokens, left),
            temperature=sampling.temperature,
            top_p=sampling.top_p,
        )
        future: asyncio.Future[Trajectory] = asyncio.get_running_loop().create_future()
        hall.ask_text(_Say((*path, turn), role, task, parent, request, added, future))
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

    def room(self, role: str, used: int) -> int | None:
        """Return how many tokens are left for a trajectory that has ``used``, None where nothing limits it."""
        return room_left(self.policy(role), self._hall.sampling[role].max_trajectory_tokens, used)

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
        self._hall.ask_seats(_Enter(self._slot, seats, limit, future))
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
        self._hall.ask_verdict(_Check(path, verifier, task, trajectory.id, trajectory.text, future))
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
