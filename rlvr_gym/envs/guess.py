"""Guess a number from hints: the smallest environment of several turns, solved by halving the range."""

from __future__ import annotations

import numpy as np
from pydantic import Field, model_validator

from rlvr_gym.config import Config
from rlvr_gym.envs.base import MultiTurnEnv, Reply
from rlvr_gym.envs.catalog import register
from rlvr_gym.seeding import work_id
from rlvr_gym.types import Conversation, Status, Task


class Guess(Config):
    """Settings of the guessing environment."""

    low: int = Field(default=1, ge=0, le=10**9)
    """Smallest secret."""
    high: int = Field(default=100, ge=1, le=10**9)
    """Largest secret."""
    max_turns: int | None = Field(default=None, ge=1, le=1000)
    """Guesses allowed; as many as halving needs when left out."""

    @model_validator(mode="after")
    def _has_a_choice(self) -> Guess:
        if self.low >= self.high:
            raise ValueError(f"low must be less than high, got {self.low} and {self.high}")
        return self


class GuessEnv(MultiTurnEnv):
    """Find a secret number; each wrong guess is answered with 'higher' or 'lower'."""

    def __init__(self, config: Guess) -> None:
        halvings = (config.high - config.low + 1).bit_length()
        # A response may say more than its guess: its last number is taken.
        super().__init__("number", {"lenient_score": 1.0}, max_turns=config.max_turns or halvings)
        self.config = config

    def draw(self, rng: np.random.Generator) -> Task:
        """Return a secret, drawn uniformly."""
        low, high = self.config.low, self.config.high
        secret = int(rng.integers(low, high + 1))
        return Task(
            # Hashed, since the id is shown and the secret is not.
            id=f"guess:{work_id('guess', low, high, secret)}",
            prompt=f"I think of a number from {low} to {high}. You have {self.max_turns} guesses. "
            "Answer each time with a number only.",
            reference=secret,
        )

    def reply(self, task: Task, conversation: Conversation) -> Reply:
        """Return the hint for the last guess."""
        from rlvr_gym.verifiers.number import read_number

        guess = conversation[-1].content
        verdict = self.verifier.check(task, guess)
        if verdict.passed:
            return Reply("Right.", verdict)
        value = read_number(guess, lenient=True)
        if verdict.status is Status.MALFORMED or value is None:
            return Reply("That is not one number.")
        return Reply("Higher." if value < int(task.reference) else "Lower.")

    def oracle(self, task: Task) -> str:
        """Return the secret."""
        return str(task.reference)


register("guess", GuessEnv, Guess)
