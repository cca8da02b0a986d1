"""The hall: all tables of one step, served in batches that are the same whenever the step is played.

Episodes are coroutines. They run until every one of them waits; then all waiting verdicts are made, after them all
waiting actions in environments, and when only text is waited for, all requests form batches in plan order. Which
requests share a batch is therefore a function of the plan and the recorded results, never of timing, so a resumed
run asks for the same batches. A batch settles whole in the run store or not at all.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeVar

from rlvr_gym.policies import Policy
from rlvr_gym.seeding import work_id
from rlvr_gym.selfplay.asks import Check, Enter, Sampling, Say
from rlvr_gym.selfplay.records import read_trajectory, task_key, write_trajectory
from rlvr_gym.selfplay.stage import Act, Stage
from rlvr_gym.selfplay.table import Table
from rlvr_gym.store import Record, RunStore, Work
from rlvr_gym.types import Completion, Episode, Json, Setup, Trajectory, Verdict

R = TypeVar("R")


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
        self._says: list[Say] = []
        self._checks: list[Check] = []
        self._acts: list[Act] = []
        self._waiting: list[Enter] = []
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

    def ask_text(self, ask: Say) -> None:
        """Queue a request for text."""
        self._says.append(ask)

    def ask_verdict(self, ask: Check) -> None:
        """Queue a request for a verdict."""
        self._checks.append(ask)

    def ask_seats(self, ask: Enter) -> None:
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
        by_policy: dict[int, list[Say]] = {}
        for ask in asks:
            by_policy.setdefault(id(self.policies[ask.role]), []).append(ask)
        for group in by_policy.values():
            for start in range(0, len(group), self.batch_size):
                self._serve_batch(group[start : start + self.batch_size])

    def _serve_batch(self, asks: list[Say]) -> None:
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


def _record(ask: Say, completion: Completion) -> Record:
    """Return the record of one turn: what was added since the turn before, and what was sampled."""
    said = Trajectory.single_turn(ask.request.key, ask.role, ask.task, ask.request, completion)
    return write_trajectory(replace(said, segments=(ask.added, *said.segments[1:])))


def _judge(asks: Sequence[Check]) -> list[Json]:
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
