"""Dr. GRPO's advantage: centred, not divided by the standard deviation (arXiv:2503.20783)."""

from __future__ import annotations

from rlvr_gym.config import NoConfig
from rlvr_gym.learner.advantages import base
from rlvr_gym.learner.advantages.base import PerMember, group_advantage


@group_advantage("centred", paper="arXiv:2503.20783")
def centred(rewards_G: PerMember, config: NoConfig) -> PerMember:
    """Return reward minus the group's mean; 0 for a group of one."""
    return base.centred(rewards_G)
