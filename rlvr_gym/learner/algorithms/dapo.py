"""DAPO: asymmetric clip, informative groups only, mean over all tokens (arXiv:2503.14476)."""

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


class DAPO(AlgorithmConfig):
    """Settings of DAPO.

    Its length penalty needs the run's limits: ``shaping = [{name = "overlong", max_tokens = .., buffer = ..}]``.
    Sampling again until enough groups are informative is up to the loop; here the others are dropped.
    """

    admission: Table = "informative"
    """Only groups whose rewards differ."""
    clip_low: PositiveFloat = 0.2
    """How far below 1 a token's ratio may go before its gradient is cut."""
    clip_high: PositiveFloat = 0.28
    """How far above 1: higher, so that rare tokens can grow."""


@algorithm("dapo", config=DAPO, paper="arXiv:2503.14476")
def dapo(batch: Batch, config: DAPO) -> Float[Tensor, ""]:
    """Return the loss of equation 8."""
    gain_BT = clipped(token_ratio(batch), batch, config.clip_low, config.clip_high)
    return token_mean(-gain_BT + penalty(batch, config), batch)
