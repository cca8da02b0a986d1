"""Verus specifications as both roles meet them: a proposer extends a contract, a solver writes the proved program."""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from dataclasses import replace
from importlib import resources
from typing import cast

import numpy as np

from rlvr_gym.agents.base import DOMAINS, Demonstration, Domain
from rlvr_gym.agents.environment import EnvironmentDomain
from rlvr_gym.envs import TaskEnv, make_env
from rlvr_gym.envs.verus import VerusEnv, VerusRepairEnv
from rlvr_gym.envs.verus_files import Found, fenced, task_of
from rlvr_gym.types import Conversation, Message, Provenance, Task
from rlvr_gym.verifiers import Verifier
from rlvr_gym.verifiers.verus.holes import canonical_form
from rlvr_gym.verifiers.verus.judging import code_of


class VerusDomain(EnvironmentDomain):
    """Proposer and solver of Verus specifications.

    Args:
        env: A ``verus`` environment; its tasks are the roots.
    """

    def __init__(self, env: VerusEnv | VerusRepairEnv) -> None:
        super().__init__(env)
        self.verus_env = env
        self._gate = Verifier("verus_spec")

    @property
    def gate(self) -> Verifier:
        """Passes specifications that the prover finds to be tasks."""
        return self._gate

    def warm_start(self, mistakes: Mapping[str, float]) -> str:
        """Return what imitation teaches."""
        return "it imitated verified solutions of the train split, and specifications of it as extensions of each other"

    def proposer_view(self, parent: Task) -> Conversation:
        """Return the instruction with the parent's program; nothing of its solution is in it."""
        return (Message("user", _prompt("verus_proposer").format(spec=fenced(parent.reference["given"]))),)

    def examples_view(self, examples: Sequence[tuple[str, Task]], wanted: str) -> Conversation:
        """Return specifications with their classes, and the class that is wanted."""
        shown = "\n\n".join(f"{label}:\n{fenced(task.reference['given'])}" for label, task in examples)
        prompt = _prompt("verus_proposer_of_class").format(examples=shown, wanted=wanted)
        return (Message("user", prompt),)

    def gate_task(self, text: str, parent: Task) -> Task:
        """Return the gate's task: the function is found in the text."""
        reference = {"dialect": parent.reference["dialect"]}
        return Task("gate", prompt="", reference=reference, verifier=self._gate.name)

    def read(self, text: str, parent: Task, *, trajectory: str, step: int) -> Task | None:
        """Return the task of a program with a hole, None where the text is none."""
        config = self.verus_env.config
        found = Found(trajectory, spec=code_of(text), dialect=parent.reference["dialect"])
        try:
            _, task = task_of(found, "solution", config.instruction)
        except ValueError:
            return None
        # Written as the proposer wrote it: where it came from is told by its provenance.
        return replace(
            task,
            env=self.verus_env.id,
            verifier=self.judge.name,
            public={},
            provenance=Provenance("proposed", (parent.id,), trajectory, step),
        )

    def form(self, task: Task) -> str:
        """Return the program in canonical spacing, without comments."""
        return canonical_form(task.reference["given"])

    def held_out(self, task: Task) -> bool:
        """Return whether the specification is one of the held-out split's."""
        return self.form(task) in self._held_out_forms()

    @functools.lru_cache(maxsize=1)  # noqa: B019  # a domain lives as long as its run
    def _held_out_forms(self) -> frozenset[str]:
        config = self.verus_env.config
        if config.split == "all":
            return frozenset()
        other = make_env({"name": "verus", **config.model_dump(exclude_defaults=True), "split": "heldout"})
        return frozenset(self.form(task) for task in other.all_tasks())

    def demonstrations(
        self, rng: np.random.Generator, number: int, mistakes: Mapping[str, float]
    ) -> Sequence[Demonstration]:
        """Return solutions, and in turn specifications as extensions of easier ones, whatever ``mistakes`` says."""
        tasks = [task for task in self.verus_env.all_tasks() if self.verus_env.oracle(task) is not None]
        found = []
        for index in range(number):
            task = tasks[int(rng.integers(len(tasks)))]
            answer = self.verus_env.oracle(task)
            assert answer is not None, "only tasks with a solution are drawn"
            if index % 2 == 0:
                found.append(Demonstration("solver", self.solver_view(task), answer))
                continue
            parent = tasks[int(rng.integers(len(tasks)))]
            found.append(
                Demonstration("proposer", self.proposer_view(parent), fenced(task.reference["given"]))
            )
        return found


@functools.cache
def _prompt(name: str) -> str:
    return (
        (resources.files("rlvr_gym.agents") / "prompts" / f"{name}.txt").read_text(encoding="utf-8").strip()
    )


def _verus(env: TaskEnv) -> Domain:
    return VerusDomain(cast("VerusEnv | VerusRepairEnv", env))


DOMAINS.add("verus", _verus, summary="Verus specifications: the proposer writes a contract one step further.")
