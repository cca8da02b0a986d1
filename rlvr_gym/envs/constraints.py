"""Find a number under constraints: small enough that a tiny policy can learn to pose such problems and to solve them."""

from __future__ import annotations

import numpy as np
from pydantic import Field

from rlvr_gym.config import Config
from rlvr_gym.envs.base import SingleTurnEnv, draw_until
from rlvr_gym.envs.catalog import register
from rlvr_gym.envs.splits import Split, in_split
from rlvr_gym.types import Task
from rlvr_gym.verifiers.constraints import MOST_CONSTRAINTS, MOST_SOLUTIONS, NUMBERS, normal_form, solutions


class Constraints(Config):
    """Settings of the constraints environment."""

    most: int = Field(default=MOST_CONSTRAINTS, ge=1, le=MOST_CONSTRAINTS)
    """Most constraints of a specification; every number from 1 on is as likely."""
    roots: int = Field(default=1, ge=1, le=MOST_CONSTRAINTS)
    """Most constraints of the specifications that a proposer starts from."""
    classes: bool = False
    """Whether demonstrations teach a proposer to ask for a class of difficulty too, as loop ``psv`` wants it."""
    split: Split = "train"
    """Which specifications; the order of the constraints makes no difference."""


class ConstraintsEnv(SingleTurnEnv):
    """Write a number from 00 to 99 that meets all constraints of a specification."""

    def __init__(self, config: Constraints) -> None:
        super().__init__("constraints")
        self.config = config

    def draw(self, rng: np.random.Generator) -> Task:
        """Return a specification of the split, with one to ``most`` constraints."""
        return pose(self.draw_spec(rng, self.config.most))

    def draw_spec(self, rng: np.random.Generator, most: int) -> str:
        """Return a valid specification of the split with at most ``most`` constraints that one hidden number meets."""
        number = 1 + int(rng.integers(most))
        split = self.config.split
        return draw_until(
            lambda: _meeting(rng, number),
            lambda spec: bool(spec) and in_split(normal_form(spec), split),
            what=f"env 'constraints' with split '{split}'",
        )

    def oracle(self, task: Task) -> str:
        """Return the smallest number that meets all constraints."""
        return f"{solutions(task.reference)[0]:02d}"


def pose(spec: str) -> Task:
    """Return the task of a specification."""
    return Task(
        f"constraints:{spec}",
        prompt=spec,
        reference=spec,
        verifier="constraints",
        env="constraints-v0",
        strata={"constraints": spec.count(",") + 1},
    )


def draw_constraint(rng: np.random.Generator, meets: int) -> str:
    """Return a constraint that the number ``meets`` meets, every kind as likely."""
    kind = int(rng.integers(4))
    if kind == 0:
        modulus = int(rng.integers(2, 10))
        return f"%{modulus}={meets % modulus}"
    if kind == 1 and meets > NUMBERS[0]:
        return f">{int(rng.integers(NUMBERS[0], meets)):02d}"
    if kind == 2 and meets < NUMBERS[-1]:
        return f"<{int(rng.integers(meets + 1, NUMBERS[-1] + 1)):02d}"
    return f"d={meets // 10 + meets % 10:02d}"


def _meeting(rng: np.random.Generator, number: int) -> str:
    """Return ``number`` different constraints that a number drawn first meets, nothing where too many others do."""
    meets = int(rng.integers(len(NUMBERS)))
    texts = dict.fromkeys(draw_constraint(rng, meets) for _ in range(number))
    spec = ",".join(texts)
    return spec if len(texts) == number and len(solutions(spec)) <= MOST_SOLUTIONS else ""


register("constraints", ConstraintsEnv, Constraints)
