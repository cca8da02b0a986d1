"""PPO with a critic (arXiv:1707.06347)."""

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


class PPO(AlgorithmConfig):
    """Settings of PPO."""

    advantage: Table = "reinforce"
    """Only reported: the critic's advantages replace it."""
    baseline: Table | None = "critic"
    """Value head with GAE; its settings are ``{name = "critic", lr = .., lam = .., value_clip = ..}``."""
    clip_low: PositiveFloat = 0.2
    """How far below 1 a token's ratio may go before its gradient is cut."""
    clip_high: PositiveFloat = 0.2
    """How far above 1."""
    dual_clip: PositiveFloat | None = 3.0
    """Bound on the ratio of a negative advantage (arXiv:1912.09729); none: no bound."""


@algorithm("ppo", config=PPO, paper="arXiv:1707.06347")
def ppo(batch: Batch, config: PPO) -> Float[Tensor, ""]:
    """Return the clipped loss of equation 7, averaged over tokens; the value loss is the critic's own."""
    gain_BT = clipped(token_ratio(batch), batch, config.clip_low, config.clip_high, config.dual_clip)
    return token_mean(-gain_BT + penalty(batch, config), batch)
