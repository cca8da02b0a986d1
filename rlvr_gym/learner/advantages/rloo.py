"""RLOO: each rollout's baseline is the mean of the others (arXiv:2402.14740)."""

from __future__ import annotations

from rlvr_gym.config import NoConfig
from rlvr_gym.learner.advantages.base import PerMember, centred, group_advantage


@group_advantage("rloo", paper="arXiv:2402.14740")
def rloo(rewards_G: PerMember, config: NoConfig) -> PerMember:
    """Return reward minus the mean of the other rewards, G/(G-1) (r - mean); 0 for a group of one."""
    size = rewards_G.size
    return centred(rewards_G) * (size / max(size - 1, 1))
