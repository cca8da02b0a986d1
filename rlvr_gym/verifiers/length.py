"""The length of a response: full marks within a window, falling in a line beside it."""

from __future__ import annotations

from typing import Literal

from pydantic import Field, NonNegativeInt, model_validator

from rlvr_gym.config import Config
from rlvr_gym.types import Status, Task, Verdict
from rlvr_gym.verifiers.base import verifier
from rlvr_gym.verifiers.ranges import PASS_OR_FAIL, ScoreRange


class Length(Config):
    """Settings of the length verifier."""

    most: NonNegativeInt
    """Longest length with full marks."""
    least: int = Field(default=1, ge=0)
    """Shortest length with full marks."""
    falloff: NonNegativeInt = 0
    """Over how many units the score falls to 0, on either side of the window; 0 is a sharp edge."""
    unit: Literal["words", "characters"] = "words"
    """What is counted: words are what white space separates, characters are code points."""

    @model_validator(mode="after")
    def _ordered(self) -> Length:
        if self.least > self.most:
            raise ValueError("least must not exceed most")
        return self


def length_range(config: Length) -> ScoreRange:
    """Return 1 for a sharp window; beside a soft one a response passes with less."""
    if config.falloff <= 1:
        return PASS_OR_FAIL
    return ScoreRange(passed=(1.0 / config.falloff, 1.0), failed=(0.0, 0.0))


@verifier("length", config=Length, bounded=True, scores=length_range)
def length(task: Task, response: str, config: Length) -> Verdict:
    """Pass when the response is neither too short nor too long; the reference is not used.

    Lengths in tokens are the learner's business, which knows them: the shaping rule ``overlong`` lowers rewards near
    the token limit (DAPO, arXiv:2503.14476, equation 13).
    """
    size = len(response.split()) if config.unit == "words" else len(response)
    outside = max(config.least - size, size - config.most, 0)
    measured = f"{size} {config.unit}"
    if outside == 0:
        return Verdict.of(Status.PASSED, f"{measured}, within {config.least} to {config.most}")
    side = f"fewer than {config.least}" if size < config.least else f"more than {config.most}"
    if outside >= config.falloff:
        return Verdict.of(Status.FAILED, f"{measured}, {side}")
    # A whole number over a whole number: the least score is exactly 1 / falloff.
    score = (config.falloff - outside) / config.falloff
    return Verdict(Status.PASSED, score, f"{measured}, a little {side}")
