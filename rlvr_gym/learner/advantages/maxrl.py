"""MaxRL: centred and divided by the group's mean, so that the gradient is that of log p."""

from __future__ import annotations

import numpy as np
from pydantic import PositiveFloat

from rlvr_gym.config import Config
from rlvr_gym.learner.advantages.base import PerMember, centred, group_advantage


class MeanNormalised(Config):
    """Settings of the mean-normalised advantage."""

    eps: PositiveFloat = 1e-6
    """Added to the mean."""


@group_advantage("maxrl", config=MeanNormalised, paper="maximum-likelihood RL")
def maxrl(rewards_G: PerMember, config: MeanNormalised) -> PerMember:
    """Return (r - mean) / (mean + eps); 0 where the mean is not positive.

    With known p the expected gradient is that of log p as G grows. Taken from secondary descriptions of the
    method, not from the paper's own text.
    """
    mean = rewards_G.mean() if rewards_G.size else 0.0
    if mean <= 0.0:
        return np.zeros_like(rewards_G)
    return centred(rewards_G) / (mean + config.eps)
