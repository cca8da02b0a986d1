"""Positive sample reinforcement: only right answers teach (arXiv:2506.01347)."""

from __future__ import annotations

from rlvr_gym.config import NoConfig
from rlvr_gym.learner.advantages.base import PerMember, group_advantage


@group_advantage("psr", paper="arXiv:2506.01347")
def psr(rewards_G: PerMember, config: NoConfig) -> PerMember:
    """Return the reward itself: 1 for a right answer, 0 for a wrong one."""
    return rewards_G.copy()
