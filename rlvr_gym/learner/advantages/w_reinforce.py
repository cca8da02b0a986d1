"""Weighted REINFORCE: right answers count a little, wrong ones fully (arXiv:2506.01347)."""

from __future__ import annotations

from pydantic import NonNegativeFloat

from rlvr_gym.config import Config
from rlvr_gym.learner.advantages.base import PerMember, group_advantage


class Weighted(Config):
    """Settings of the weighted advantage."""

    positive: NonNegativeFloat = 0.1
    """Advantage of a right answer (the paper's lambda); a wrong one has -1."""


@group_advantage("w_reinforce", config=Weighted, paper="arXiv:2506.01347")
def w_reinforce(rewards_G: PerMember, config: Weighted) -> PerMember:
    """Return (1 + lambda) r - 1: lambda for a right answer, -1 for a wrong one."""
    return (1.0 + config.positive) * rewards_G - 1.0
