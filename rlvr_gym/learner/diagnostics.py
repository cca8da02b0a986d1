"""Figures about groups and advantages, taken before any filter."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from rlvr_gym.learner.advantages import rewards_of
from rlvr_gym.metrics import signal_density
from rlvr_gym.types import Group

FULL = 1.0
"""Reward of a response that passes everything, in the scale of ``pass_rate``; between 0 and it lie partial passes."""
REACH_BINS = (0, 25, 50, 75, 99)
"""Largest percentage of a bin of rewards below ``FULL``: none, up to a quarter, up to a half, ..."""


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


def reward_density(groups: Sequence[Group]) -> dict[str, float]:
    """Return the share of groups whose rewards differ, ``signal_density``, and how many attempts pass in full and in part.

    Density is the first diagnostic of arXiv:2605.02944: for the same attempts a pass rate is never less dense than
    its binary reward, since rewards that differ in being ``FULL`` differ.
    """
    rewards = [[r for r in group.rewards if r is not None] for group in groups]
    density = signal_density(rewards)
    flat = [r for group in rewards for r in group]
    if density is None:
        return {}
    return {
        "signal_density": density,
        "full_share": sum(r >= FULL for r in flat) / len(flat),
        "partial_share": sum(0 < r < FULL for r in flat) / len(flat),
    }


def full_reachable(groups: Sequence[Group]) -> dict[str, float]:
    """Return the calibration curve of arXiv:2605.02944: P(full pass reachable | bin of the pass rate).

    A full pass counts as reachable from a response when another attempt of its group is one: the policy, asked the
    same, found it. ``full_reachable_50`` is the share of responses with a reward above 0.25 and up to 0.5 of which
    that is true. A pass rate that says how near a response is to a full pass makes the curve rise; bins without a
    response are left out.
    """
    found: dict[int, list[bool]] = {}
    for group in groups:
        rewards = [r for r in group.rewards if r is not None]
        reachable = any(r >= FULL for r in rewards)
        for reward in rewards:
            if reward < FULL:
                most = next((b for b in REACH_BINS if 100.0 * reward <= b), REACH_BINS[-1])
                found.setdefault(most, []).append(reachable)
    return {f"full_reachable_{most}": sum(hits) / len(hits) for most, hits in sorted(found.items())}
