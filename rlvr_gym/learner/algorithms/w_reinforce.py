"""W-REINFORCE: right answers weigh a little, wrong ones fully (arXiv:2506.01347)."""

from __future__ import annotations

from jaxtyping import Float
from pydantic import PositiveFloat
from torch import Tensor

from rlvr_gym.learner.algorithms.base import AlgorithmConfig, Table, algorithm
from rlvr_gym.learner.batch import Batch
from rlvr_gym.learner.ratios import token_ratio
from rlvr_gym.learner.reductions import token_mean
from rlvr_gym.learner.regularisers import penalty
from rlvr_gym.learner.surrogates import clipped


class WReinforce(AlgorithmConfig):
    """Settings of W-REINFORCE; the released recipe has group size 8, learning rate 1e-6 and no KL."""

    advantage: Table = "w_reinforce"
    """0.1 for a right answer, -1 for a wrong one."""
    clip_low: PositiveFloat = 0.2
    """How far below 1 a token's ratio may go before its gradient is cut."""
    clip_high: PositiveFloat = 0.2
    """How far above 1."""


@algorithm("w_reinforce", config=WReinforce, paper="arXiv:2506.01347")
def w_reinforce(batch: Batch, config: WReinforce) -> Float[Tensor, ""]:
    """Return the token-mean PPO loss on the weighted advantages, as the released recipe computes it."""
    gain_BT = clipped(token_ratio(batch), batch, config.clip_low, config.clip_high)
    return token_mean(-gain_BT + penalty(batch, config), batch)
