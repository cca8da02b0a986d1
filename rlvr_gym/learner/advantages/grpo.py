"""GRPO's advantage: centred and divided by the group's standard deviation (arXiv:2402.03300)."""

from __future__ import annotations

from typing import Literal

import numpy as np
from pydantic import PositiveFloat

from rlvr_gym.config import Config
from rlvr_gym.learner.advantages.base import PerMember, centred, group_advantage


class GroupNormalised(Config):
    """Settings of the group-normalised advantage."""

    std: Literal["population", "sample"] = "population"
    """Divide by G or by G - 1 under the root; released stacks use ``sample``, which is larger."""
    eps: PositiveFloat = 1e-6
    """Added to the standard deviation."""


@group_advantage("grpo", config=GroupNormalised, paper="arXiv:2402.03300")
def grpo(rewards_G: PerMember, config: GroupNormalised) -> PerMember:
    """Return (r - mean) / (std + eps); 0 where all rewards are equal, hence for a group of one."""
    advantages_G = centred(rewards_G)
    if not advantages_G.any():
        return advantages_G
    return advantages_G / (np.std(rewards_G, ddof=1 if config.std == "sample" else 0) + config.eps)
