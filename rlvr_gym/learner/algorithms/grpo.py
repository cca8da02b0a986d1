"""GRPO: group-normalised advantage, token ratio, PPO clip (arXiv:2402.03300)."""

from __future__ import annotations

from jaxtyping import Float
from pydantic import PositiveFloat
from torch import Tensor

from rlvr_gym.learner.algorithms.base import AlgorithmConfig, algorithm
from rlvr_gym.learner.batch import Batch
from rlvr_gym.learner.ratios import token_ratio
from rlvr_gym.learner.reductions import prompt_mean
from rlvr_gym.learner.regularisers import penalty
from rlvr_gym.learner.surrogates import clipped


class GRPO(AlgorithmConfig):
    """Settings of GRPO. The paper adds a KL of 0.04 (k3); most later recipes, and this default, leave it out."""

    clip_low: PositiveFloat = 0.2
    """How far below 1 a token's ratio may go before its gradient is cut."""
    clip_high: PositiveFloat = 0.2
    """How far above 1."""


@algorithm("grpo", config=GRPO, paper="arXiv:2402.03300")
def grpo(batch: Batch, config: GRPO) -> Float[Tensor, ""]:
    """Return the loss of equation 3: mean over tokens of a response, then responses, then prompts."""
    gain_BT = clipped(token_ratio(batch), batch, config.clip_low, config.clip_high)
    return prompt_mean(-gain_BT + penalty(batch, config), batch)
