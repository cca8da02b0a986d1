"""Constraints as both roles meet them: a proposer extends a specification, a solver sees it and writes a number."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import cast

import numpy as np

from rlvr_gym.agents.base import DOMAINS, Demonstration, Domain
from rlvr_gym.agents.specs import SpecDomain, corrupted
from rlvr_gym.envs import SingleTurnEnv
from rlvr_gym.envs.base import draw_until
from rlvr_gym.envs.constraints import ConstraintsEnv, draw_constraint, pose
from rlvr_gym.envs.splits import is_heldout
from rlvr_gym.types import Conversation, Message, Task
from rlvr_gym.verifiers.constraints import (
    MOST_CONSTRAINTS,
    MOST_SOLUTIONS,
    UnreadableError,
    normal_form,
    parse,
    solutions,
)

WRITTEN = "0123456789%=<>d,"
"""Characters of specifications."""


class ConstraintsDomain(SpecDomain):
    """Proposer and solver of constraints on a number.

    Args:
        env: A ``constraints`` environment.
    """

    def __init__(self, env: ConstraintsEnv) -> None:
        super().__init__(
            env,
            gate="constraints_spec",
            pose=pose,
            normal_form=normal_form,
            unreadable=UnreadableError,
            taught="specifications and numbers",
        )
        self.constraints_env = env

    def seed(self, rng: np.random.Generator) -> Task:
        """Return a short specification of the split."""
        return pose(self.constraints_env.draw_spec(rng, self.constraints_env.config.roots))

    def examples_view(self, examples: Sequence[tuple[str, Task]], wanted: str) -> Conversation:
        """Return specifications, each behind the first letter of its class, and the letter of the wanted class."""
        shown = ";".join(label[0] + task.prompt for label, task in examples)
        return (Message("system", "c"), Message("user", f"{shown};{wanted[0]}"))

    def demonstrations(
        self, rng: np.random.Generator, number: int, mistakes: Mapping[str, float]
    ) -> Sequence[Demonstration]:
        """Return both roles' texts in turn; ``mistakes`` is the share of characters that are drawn anew."""
        env = self.constraints_env
        found: list[Demonstration] = []
        for index in range(number):
            task = pose(env.draw_spec(rng, env.config.most))
            if index % 2 == 0:
                answer = f"{int(rng.choice(solutions(task.reference))):02d}"
                found.append(
                    Demonstration(
                        "solver",
                        self.solver_view(task),
                        corrupted(answer, WRITTEN, mistakes.get("solver", 0.0), rng),
                    )
                )
                continue
            view, text = self.proposer_view(task), self._extended(task.prompt, rng)
            if env.config.classes and index % 4 == 1:
                view, text = self._classed(rng)
            found.append(
                Demonstration("proposer", view, corrupted(text, WRITTEN, mistakes.get("proposer", 0.0), rng))
            )
        return found

    def _extended(self, spec: str, rng: np.random.Generator) -> str:
        """Return ``spec`` with a constraint more, or with one put in another's place where there is no room."""
        parts = [constraint.text for constraint in parse(spec)]
        room = len(parts) < MOST_CONSTRAINTS

        def draw() -> str:
            kept = list(parts)
            if not room:
                kept.pop(int(rng.integers(len(kept))))
            meets = int(rng.choice(solutions(",".join(kept))))
            return ",".join([*kept, draw_constraint(rng, meets)])

        return draw_until(draw, lambda text: _teachable(text, spec), what="demonstrations of 'constraints'")

    def _classed(self, rng: np.random.Generator) -> tuple[Conversation, str]:
        """Return a prompt with an example of each class, and a specification of the class that it wants."""
        env = self.constraints_env
        by_class: dict[str, str] = {}
        while len(by_class) < len(_CLASSES):
            spec = env.draw_spec(rng, env.config.most)
            by_class[_class_of(spec)] = spec
        wanted = str(rng.choice(list(_CLASSES)))
        text = draw_until(
            lambda: env.draw_spec(rng, env.config.most),
            lambda spec: _class_of(spec) == wanted,
            what="demonstrations of 'constraints'",
        )
        return self.examples_view([(name, pose(by_class[name])) for name in _CLASSES], wanted), text


_CLASSES = {"easy": 20, "medium": 6, "hard": 2, "impossible": 1}
"""Class -> how many solutions its demonstrations have at least: guessing is the first thing that a policy learns."""


def _class_of(spec: str) -> str:
    return next(name for name, least in _CLASSES.items() if len(solutions(spec)) >= least)


def _teachable(text: str, parent: str) -> bool:
    form = normal_form(text)
    return (
        len(set(form.split(","))) == form.count(",") + 1
        and form != normal_form(parent)
        and 0 < len(solutions(text)) <= MOST_SOLUTIONS
        and not is_heldout(form)
    )


def _constraints(env: SingleTurnEnv) -> Domain:
    return ConstraintsDomain(cast(ConstraintsEnv, env))


DOMAINS.add(
    "constraints", _constraints, summary="Constraints on a number: the proposer extends a specification."
)
