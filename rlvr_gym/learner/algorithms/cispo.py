"""CISPO: cap the importance weight, keep every token's gradient (MiniMax-M1, arXiv:2506.13585)."""

from __future__ import annotations

from jaxtyping import Float
from pydantic import PositiveFloat
from torch import Tensor

from rlvr_gym.learner.algorithms.base import AlgorithmConfig, algorithm
from rlvr_gym.learner.batch import Batch
from rlvr_gym.learner.ratios import token_ratio
from rlvr_gym.learner.reductions import token_mean
from rlvr_gym.learner.regularisers import penalty
from rlvr_gym.learner.surrogates import capped_importance


class CISPO(AlgorithmConfig):
    """Settings of CISPO."""

    ratio_cap: PositiveFloat = 5.0
    """Largest weight; absolute, where some stacks write 1 + clip_high."""


@algorithm("cispo", config=CISPO, paper="arXiv:2506.13585")
def cispo(batch: Batch, config: CISPO) -> Float[Tensor, ""]:
    """Return the loss of equation 4, without a lower cap, as the paper's own runs have it."""
    gain_BT = capped_importance(token_ratio(batch), batch, config.ratio_cap)
    return token_mean(-gain_BT + penalty(batch, config), batch)
