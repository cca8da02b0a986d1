"""What domains share whose tasks are short specifications written in a language of their own."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

import numpy as np

from rlvr_gym.agents.environment import EnvironmentDomain
from rlvr_gym.envs import TaskEnv
from rlvr_gym.envs.splits import is_heldout
from rlvr_gym.types import Conversation, Message, Provenance, Task
from rlvr_gym.verifiers import Verifier


class SpecDomain(EnvironmentDomain):
    """Proposer and solver of specifications: a proposer extends one, a solver sees it alone.

    Args:
        env: The environment of the solver.
        gate: Registered verifier of what a proposer writes.
        pose: From a specification to its task.
        normal_form: From a specification to a text that is equal for those that ask the same.
        unreadable: What ``normal_form`` raises on text that is no specification.
        taught: What demonstrations are, in the words of ``warm_start``.
    """

    def __init__(
        self,
        env: TaskEnv,
        *,
        gate: str,
        pose: Callable[[str], Task],
        normal_form: Callable[[str], str],
        unreadable: type[ValueError],
        taught: str,
    ) -> None:
        super().__init__(env)
        self._gate = Verifier(gate)
        self._pose = pose
        self._normal_form = normal_form
        self._unreadable = unreadable
        self._taught = taught

    @property
    def gate(self) -> Verifier:
        """Passes specifications that are tasks."""
        return self._gate

    def warm_start(self, mistakes: Mapping[str, float]) -> str:
        """Return what imitation teaches."""
        return (
            f"it imitated {self._taught}, of whose characters {mistakes['proposer']:.0%} and "
            f"{mistakes['solver']:.0%} were drawn anew"
        )

    def proposer_view(self, parent: Task) -> Conversation:
        """Return the specification to extend."""
        return (Message("system", "p"), Message("user", parent.prompt))

    def gate_task(self, text: str, parent: Task) -> Task:
        """Return the gate's task, which needs no reference."""
        return Task("gate", prompt="", verifier=self._gate.name)

    def read(self, text: str, parent: Task, *, trajectory: str, step: int) -> Task | None:
        """Return the task of a specification that can be read."""
        try:
            self._normal_form(text)
        except self._unreadable:
            return None
        return replace(self._pose(text), provenance=Provenance("proposed", (parent.id,), trajectory, step))

    def form(self, task: Task) -> str:
        """Return the parts of the specification in one order."""
        return self._normal_form(task.reference)

    def held_out(self, task: Task) -> bool:
        """Return whether the specification belongs to the held-out split."""
        return is_heldout(self.form(task))


def corrupted(text: str, alphabet: str, share: float, rng: np.random.Generator) -> str:
    """Return ``text`` with each character drawn anew from ``alphabet`` with the chance ``share``."""
    return "".join(str(rng.choice(list(alphabet))) if rng.random() < share else c for c in text)
