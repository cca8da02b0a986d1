"""Sums: a few numbers to add, subtract or multiply."""

from __future__ import annotations

from typing import Literal

import numpy as np
from pydantic import Field

from rlvr_gym.config import Config
from rlvr_gym.envs.base import SingleTurnEnv, draw_until
from rlvr_gym.envs.catalog import register
from rlvr_gym.envs.splits import Split, in_split
from rlvr_gym.types import Task


class Sums(Config):
    """Settings of the sums environment."""

    terms: int = Field(default=2, ge=2, le=20)
    """How many numbers."""
    digits: int = Field(default=1, ge=1, le=18)
    """Most digits of a number."""
    operators: tuple[Literal["+", "-", "*"], ...] = Field(default=("+",), min_length=1)
    """Operators to draw from; products bind tighter, as usual."""
    style: Literal["text", "compact"] = "text"
    """``text`` asks in words, ``compact`` is the bare ``3+4=``."""
    lenient_score: float = Field(default=0.0, ge=0.0, le=1.0)
    """Score when only the last number of the response is right; 0 wants the number alone or in a box."""
    split: Split = "train"
    """Which problems: sums of the same numbers in another order are the same problem."""


class SumsEnv(SingleTurnEnv):
    """Add, subtract or multiply ``terms`` numbers of up to ``digits`` digits."""

    def __init__(self, config: Sums) -> None:
        super().__init__("number", {"lenient_score": config.lenient_score})
        self.config = config

    def draw(self, rng: np.random.Generator) -> Task:
        """Return a sum of the split, its numbers and operators drawn uniformly."""
        config = self.config

        def draw() -> tuple[list[int], list[str]]:
            numbers = rng.integers(0, 10**config.digits, size=config.terms).tolist()
            picks = rng.integers(0, len(config.operators), size=config.terms - 1).tolist()
            return numbers, [config.operators[pick] for pick in picks]

        numbers, operators = draw_until(
            draw,
            lambda drawn: in_split(_problem(*drawn), config.split),
            what=f"env 'sums' with split '{config.split}'",
        )
        text = _written(numbers, operators, "" if config.style == "compact" else " ")
        prompt = f"{text}=" if config.style == "compact" else f"What is {text}? Answer with a number only."
        return Task(
            id=f"sums:{_written(numbers, operators, '')}",
            prompt=prompt,
            reference=str(_result(numbers, operators)),
            strata={"terms": config.terms, "digits": max(len(str(number)) for number in numbers)},
        )

    def oracle(self, task: Task) -> str:
        """Return the right number."""
        return str(task.reference)


def _written(numbers: list[int], operators: list[str], space: str) -> str:
    parts = [str(numbers[0])]
    for operator, number in zip(operators, numbers[1:], strict=True):
        parts.append(f"{space}{operator}{space}{number}")
    return "".join(parts)


def _problem(numbers: list[int], operators: list[str]) -> str:
    """Return one text for all orders of a plain sum or a plain product."""
    if set(operators) in ({"+"}, {"*"}):
        numbers = sorted(numbers)
    return _written(numbers, operators, "")


def _result(numbers: list[int], operators: list[str]) -> int:
    summands = [numbers[0]]
    for operator, number in zip(operators, numbers[1:], strict=True):
        if operator == "*":
            summands[-1] *= number
        else:
            summands.append(number if operator == "+" else -number)
    return sum(summands)


register("sums", SumsEnv, Sums)
