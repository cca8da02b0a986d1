"""Soft penalty on completions near the length limit (DAPO, arXiv:2503.14476, equation 13)."""

from __future__ import annotations

import numpy as np
from pydantic import PositiveInt, model_validator

from rlvr_gym.config import Config
from rlvr_gym.learner.advantages.base import PerMember, rewards_of
from rlvr_gym.learner.shapings.base import shaping
from rlvr_gym.types import Group


class Overlong(Config):
    """Settings of the overlong penalty."""

    max_tokens: PositiveInt
    """Length at which the penalty reaches -1."""
    buffer: PositiveInt
    """Over how many tokens before it the penalty grows; the paper uses 4096 of 20480."""

    @model_validator(mode="after")
    def _fits(self) -> Overlong:
        if self.buffer > self.max_tokens:
            raise ValueError("buffer must not exceed max_tokens")
        return self


@shaping("overlong", config=Overlong, paper="arXiv:2503.14476")
def overlong(group: Group, config: Overlong) -> PerMember:
    """Return the reward plus a penalty: 0 up to max_tokens - buffer, falling in a line to -1 at max_tokens.

    A reward is lowered by at most 1 and never raised: those in [0, 1] end in [-1, 1].
    """
    lengths_G = np.array([member.num_sampled for member in group.members], dtype=np.float64)
    excess_G = lengths_G - (config.max_tokens - config.buffer)
    return rewards_of(group) - np.clip(excess_G / config.buffer, 0.0, 1.0)
