"""Group advantage rules: rewards of a group in, one number per member out. Numpy only."""

from rlvr_gym.learner.advantages.base import (
    ADVANTAGES,
    AdvantageRule,
    GroupRule,
    group_advantage,
    make_advantage,
    rewards_of,
)

__all__ = [
    "ADVANTAGES",
    "AdvantageRule",
    "GroupRule",
    "group_advantage",
    "make_advantage",
    "rewards_of",
]
