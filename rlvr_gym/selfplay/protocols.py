"""Protocols: how an episode is played. A protocol knows roles and texts, never tensors."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Protocol

from rlvr_gym.agents import Domain, claimed
from rlvr_gym.selfplay.asks import Path
from rlvr_gym.selfplay.table import Table
from rlvr_gym.types import Conversation, Proposal, Setup, Status, Task, Trajectory

PROPOSER = "proposer"
SOLVER = "solver"
HELD_OUT = "held_out"
"""Code of the reason that refuses a proposal of the held-out split."""
MORE = "more:"
"""Before the task id of an attempt that was made for another purpose than to train on it."""


class Solving(Protocol):
    """How a solver attempts a task."""

    async def attempt(self, task: Task, table: Table, *, place: Path, parent: Trajectory | None) -> None:
        """Play one attempt at ``place`` that hangs from ``parent``, and record it with its verdict."""
        ...

    async def enter(self, table: Table, attempts: int) -> None:
        """Wait until ``attempts`` more may be played."""
        ...

    def leave(self, table: Table, attempts: int) -> None:
        """Free what ``enter`` took."""
        ...


class SingleTurn:
    """A solver attempts one task ``setup.attempts`` times: plain RLVR."""

    name = "single_turn"

    def __init__(self, domain: Domain) -> None:
        self.domain = domain

    async def play(self, setup: Setup, table: Table) -> None:
        """Play all attempts side by side."""
        if setup.task is None:
            raise ValueError("a single-turn setup needs a task")
        task = setup.task
        await table.gather(
            *(self.attempt(task, table, place=(0, k), parent=None) for k in range(setup.attempts))
        )

    async def attempt(self, task: Task, table: Table, *, place: Path, parent: Trajectory | None) -> None:
        """Write one text and have it judged."""
        view = self.domain.solver_view(task)
        trajectory = await table.say(SOLVER, view, place=place, task=task.id, parent=parent)
        await table.verify(self.domain.judge, task, trajectory, place=place)

    async def enter(self, table: Table, attempts: int) -> None:
        """Wait for nothing: texts take no seats."""

    def leave(self, table: Table, attempts: int) -> None:
        """Free nothing."""


class ProposeSolve:
    """A proposer writes ``setup.siblings`` tasks from one parent; a solver attempts each ``setup.attempts`` times.

    Args:
        domain: What both roles see.
        gated: Whether the gate decides which proposals are attempted. Without it every proposal that can be
            read is attempted and judged against the proposer's own claim: the naive control, which collapses.
        near: Returns the canonical form that a task is a near-duplicate of, None for one that is new; a
            near-duplicate is not attempted. It is asked once per valid proposal, in plan order.
        view: What a proposer is shown; the first parent when left out.
        solving: How proposals are attempted; in one text when left out.
        more: Further attempts at a task for another purpose, by how they open. They hang from the proposal like the
            others, but carry the id of the task behind ``MORE``.
    """

    def __init__(
        self,
        domain: Domain,
        *,
        gated: bool = True,
        near: Callable[[Task], str | None] | None = None,
        view: Callable[[Setup], Conversation] | None = None,
        solving: Solving | None = None,
        more: tuple[Callable[[Task], Conversation], int] | None = None,
    ) -> None:
        self.domain = domain
        self.gated = gated
        self._near = near
        self._view = view
        self._solving = solving or SingleTurn(domain)
        self._more = more

    async def play(self, setup: Setup, table: Table) -> None:
        """Play all siblings side by side."""
        (parent,) = setup.parents
        view = self._view(setup) if self._view else self.domain.proposer_view(parent)
        await table.gather(*(self._sibling(parent, view, setup, table, j) for j in range(setup.siblings)))

    async def _sibling(self, parent: Task, view: Conversation, setup: Setup, table: Table, j: int) -> None:
        domain = self.domain
        # Place 0 is the proposal itself, so that it sorts before its attempts 1 ... K.
        draft = await table.say(PROPOSER, view, place=(j, 0), task=parent.id)
        gate = await table.verify(domain.gate, domain.gate_task(draft.text, parent), draft, place=(j, 0))
        task = domain.read(draft.text, parent, trajectory=draft.id, step=table.step)
        if task is not None and domain.held_out(task):
            gate = replace(
                gate, status=Status.FAILED, score=0.0, reason=f"{HELD_OUT}: belongs to the held-out split"
            )
            table.overrule(draft, gate)
        near = self._near(task) if self._near and task is not None and gate.passed else None
        table.propose(Proposal(draft.id, task, gate, near=near))
        if task is None or domain.held_out(task) or (self.gated and not gate.passed) or near is not None:
            return
        if not self.gated:
            task = claimed(task)
        await self._solving.enter(table, setup.attempts)
        tries = [
            self._solving.attempt(task, table, place=(j, k + 1), parent=draft) for k in range(setup.attempts)
        ]
        if self._more is not None:
            opening, number = self._more
            view = opening(task)
            tries += [
                self._further(task, view, table, place=(j, setup.attempts + k + 1), parent=draft)
                for k in range(number)
            ]
        await table.gather(*tries)
        self._solving.leave(table, setup.attempts)

    async def _further(
        self, task: Task, view: Conversation, table: Table, *, place: Path, parent: Trajectory
    ) -> None:
        """Attempt a task from another opening than the solver's own."""
        trajectory = await table.say(SOLVER, view, place=place, task=MORE + task.id, parent=parent)
        await table.verify(self.domain.judge, task, trajectory, place=place)
