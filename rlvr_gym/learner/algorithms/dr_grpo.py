"""Dr. GRPO: GRPO without its two biases, the std and the length normaliser (arXiv:2503.20783)."""

from __future__ import annotations

from jaxtyping import Float
from pydantic import PositiveFloat, PositiveInt
from torch import Tensor

from rlvr_gym.learner.algorithms.base import AlgorithmConfig, Table, algorithm
from rlvr_gym.learner.batch import Batch
from rlvr_gym.learner.ratios import token_ratio
from rlvr_gym.learner.reductions import constant_mean
from rlvr_gym.learner.regularisers import penalty
from rlvr_gym.learner.surrogates import clipped


class DrGRPO(AlgorithmConfig):
    """Settings of Dr. GRPO."""

    advantage: Table = "centred"
    """Reward minus the group's mean."""
    clip_low: PositiveFloat = 0.2
    """How far below 1 a token's ratio may go before its gradient is cut."""
    clip_high: PositiveFloat = 0.2
    """How far above 1."""
    max_tokens: PositiveInt = 1024
    """The constant that token sums are divided by; the length limit of a completion."""


@algorithm("dr_grpo", config=DrGRPO, paper="arXiv:2503.20783")
def dr_grpo(batch: Batch, config: DrGRPO) -> Float[Tensor, ""]:
    """Return the loss of section 3.2: token sums over a constant, so a longer response weighs more."""
    gain_BT = clipped(token_ratio(batch), batch, config.clip_low, config.clip_high)
    return constant_mean(-gain_BT + penalty(batch, config), batch, config.max_tokens)
