"""Figures about groups and advantages, taken before any filter."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from rlvr_gym.learner.advantages import rewards_of
from rlvr_gym.types import Group


def group_health(groups: Sequence[Group]) -> dict[str, float]:
    """Return rewards, sizes and the shares of all-right and all-wrong groups, before any filter.

    A group whose rewards are all equal is all-right when they are above 0, else all-wrong.
    """
    decided = [rewards_G for group in groups if (rewards_G := rewards_of(group)).size]
    rewards = np.concatenate([np.zeros(0), *decided])
    flat = [float(rewards_G[0]) for rewards_G in decided if np.ptp(rewards_G) == 0.0]
    num_groups = max(len(decided), 1)
    members = [member for group in groups for member in group.members]
    sampled = sum(member.num_sampled for member in members)
    return {
        "num_groups": float(len(decided)),
        "num_sampled": float(len(members)),
        "num_masked": float(sum(group.num_masked for group in groups)),
        "reward_mean": float(rewards.mean()) if rewards.size else 0.0,
        "all_right_share": sum(r > 0 for r in flat) / num_groups,
        "all_wrong_share": sum(r <= 0 for r in flat) / num_groups,
        "reward_variance_mean": float(np.mean([r.var() for r in decided])) if decided else 0.0,
        "tokens_mean": sampled / max(len(members), 1),
        "truncated_share": sum(m.finish == "length" for m in members) / max(len(members), 1),
        "entropy": sum(float(m.entropies.sum()) for m in members) / max(sampled, 1),
    }


def masses(advantages: NDArray[np.float64]) -> dict[str, float]:
    """Return the sums of positive and of negative advantages and the share that is 0, before any drop."""
    return {
        "advantage_positive": float(advantages[advantages > 0].sum()),
        "advantage_negative": float(-advantages[advantages < 0].sum()),
        "zero_advantage_share": float((advantages == 0).mean()) if advantages.size else 0.0,
    }
