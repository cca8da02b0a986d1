"""Indefinite integrals of elementary functions, by family and level, judged by the integral verifier."""

from __future__ import annotations

from typing import Literal

import numpy as np
from pydantic import Field, field_validator, model_validator

from rlvr_gym.config import Config
from rlvr_gym.envs.base import SingleTurnEnv, draw_until
from rlvr_gym.envs.catalog import register
from rlvr_gym.envs.integrands import FAMILIES, LEVELS, Family, Pair, families
from rlvr_gym.envs.splits import Split, in_split
from rlvr_gym.envs.table_terms import compact
from rlvr_gym.errors import did_you_mean
from rlvr_gym.types import Task


class Integral(Config):
    """Settings of the integral environment."""

    min_level: int = Field(default=1, ge=1, le=LEVELS)
    """Easiest level: 1 powers, 2 one table entry, 3 substitution, 4 by parts, 5 rational functions and sums."""
    max_level: int = Field(default=3, ge=1, le=LEVELS)
    """Hardest level."""
    families: tuple[str, ...] = ()
    """Families to draw from, whatever their level; all of the levels when empty."""
    style: Literal["text", "compact"] = "text"
    """``text`` asks in words for a boxed answer, ``compact`` is the bare integrand without spaces and ``*``."""
    split: Split = "train"
    """Which problems. Integrands that differ by a constant factor only are the same problem."""

    @field_validator("families")
    @classmethod
    def _known(cls, names: tuple[str, ...]) -> tuple[str, ...]:
        for name in names:
            if name not in FAMILIES:
                raise ValueError(f"no family is named '{name}'.{did_you_mean(name, FAMILIES)}")
        return names

    @model_validator(mode="after")
    def _ordered(self) -> Integral:
        if self.min_level > self.max_level:
            raise ValueError(f"min_level {self.min_level} is above max_level {self.max_level}")
        return self


class IntegralEnv(SingleTurnEnv):
    """Find an antiderivative of an elementary function."""

    def __init__(self, config: Integral) -> None:
        super().__init__("integral")
        self.config = config
        named = [FAMILIES[name] for name in config.families]
        self._families = named or families(config.min_level, config.max_level)

    def draw(self, rng: np.random.Generator) -> Task:
        """Return an integral of the split, its family drawn uniformly."""
        # Imported here, since importing the package must not load the calculus library.
        from rlvr_gym.verifiers.calculus import parse, value_hash

        def draw() -> tuple[Family, Pair]:
            family = self._families[int(rng.integers(len(self._families)))]
            return family, family.draw(rng)

        def belongs(drawn: tuple[Family, Pair]) -> bool:
            return in_split(value_hash(parse(drawn[1].integrand)), self.config.split)

        what = f"env 'integral' with split '{self.config.split}'"
        family, pair = draw_until(draw, belongs, what=what)
        problem = self.write(pair.integrand)
        return Task(
            id=f"integral:{problem}",
            prompt=self.prompt(problem),
            reference=problem,
            hidden={"antiderivative": self.write(pair.antiderivative)},
            strata={"level": family.level, "family": family.name},
        )

    def write(self, formula: str) -> str:
        """Return a formula in the notation of this environment's style."""
        return compact(formula) if self.config.style == "compact" else formula

    def prompt(self, integrand: str) -> str:
        """Return how this environment asks for an antiderivative of ``integrand``."""
        if self.config.style == "compact":
            return integrand
        return f"Find an antiderivative of f(x) = {integrand}. Put the final answer in \\boxed{{}}."

    def oracle(self, task: Task) -> str | None:
        """Return the antiderivative the integrand was made with, None for a task from elsewhere."""
        answer = task.hidden.get("antiderivative")
        if answer is None or self.config.style == "compact":
            return answer
        return f"\\boxed{{{answer}}}"


register("integral", IntegralEnv, Integral)
