"""What a self-play loop asks about a kind of task: what each role sees and how its text is read."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

import numpy as np

from rlvr_gym.envs import MultiTurnEnv
from rlvr_gym.registry import Registry
from rlvr_gym.types import Conversation, Task
from rlvr_gym.verifiers import Verifier


@dataclass(frozen=True, slots=True)
class Demonstration:
    """A prompt with a text to imitate, for warm starts; a conversation has more of both."""

    role: str
    prompt: Conversation
    completion: str
    weight: float = 1.0
    more: tuple[tuple[Conversation, str], ...] = ()
    """What is shown after the completion, with the next text to imitate, and so on."""


class Domain(Protocol):
    """One kind of task as both roles meet it. All methods are pure functions of their arguments."""

    @property
    def gate(self) -> Verifier:
        """Judges a proposer's whole text; only what it passes may become a task."""
        ...

    @property
    def judge(self) -> Verifier:
        """Judges a solver's text."""
        ...

    @property
    def dialogue(self) -> MultiTurnEnv | None:
        """The environment that answers a solver turn by turn; None where ``judge`` judges one text."""
        ...

    def warm_start(self, mistakes: Mapping[str, float]) -> str:
        """Return one line for people: what a policy knows after imitating ``demonstrations`` with ``mistakes``."""
        ...

    def seed(self, rng: np.random.Generator) -> Task:
        """Return a task of the train split, drawn from ``rng`` alone."""
        ...

    def proposer_view(self, parent: Task) -> Conversation:
        """Return what a proposer sees: its instruction and the public side of ``parent``."""
        ...

    def examples_view(self, examples: Sequence[tuple[str, Task]], wanted: str) -> Conversation:
        """Return what a proposer sees that is asked for a class of difficulty: tasks with their classes, and the class.

        Loop ``psv`` alone asks so.
        """
        ...

    def solver_view(self, task: Task) -> Conversation:
        """Return what a solver sees: the public side of ``task`` and nothing else."""
        ...

    def gate_task(self, text: str, parent: Task) -> Task:
        """Return the task that ``gate`` is to judge ``text`` with."""
        ...

    def read(self, text: str, parent: Task, *, trajectory: str, step: int) -> Task | None:
        """Return the task a proposer wrote, or None when it cannot be read; says nothing of validity."""
        ...

    def form(self, task: Task) -> str:
        """Return the canonical form: equal for tasks that ask the same."""
        ...

    def held_out(self, task: Task) -> bool:
        """Return True for a task that belongs to the held-out split and must never be trained on."""
        ...

    def demonstrations(
        self, rng: np.random.Generator, number: int, mistakes: Mapping[str, float]
    ) -> Sequence[Demonstration]:
        """Return texts for a warm start; ``mistakes`` is the share of wrong answers by role, made on purpose."""
        ...


DOMAINS: Registry[Callable[[Any], Domain]] = Registry("domain", "rlvr_gym.agents")
"""Factories ``factory(config) -> Domain``, named like the environment they belong to."""


def claimed(task: Task) -> Task:
    """Return ``task`` judged against the proposer's own claim instead of the truth.

    Only the naive control loop does this: it is what goes wrong without a verifier.
    """
    return replace(task, reference=task.hidden["claim"])
