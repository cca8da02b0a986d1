"""Negative sample reinforcement: only wrong answers teach (arXiv:2506.01347)."""

from __future__ import annotations

from rlvr_gym.config import NoConfig
from rlvr_gym.learner.advantages.base import PerMember, group_advantage


@group_advantage("nsr", paper="arXiv:2506.01347")
def nsr(rewards_G: PerMember, config: NoConfig) -> PerMember:
    """Return r - 1: 0 for a right answer, -1 for a wrong one."""
    return rewards_G - 1.0
