"""GSPO: clip whole sequences, not tokens (arXiv:2507.18071)."""

from __future__ import annotations

from jaxtyping import Float
from pydantic import PositiveFloat
from torch import Tensor

from rlvr_gym.learner.algorithms.base import AlgorithmConfig, algorithm
from rlvr_gym.learner.batch import Batch
from rlvr_gym.learner.ratios import sequence_ratio
from rlvr_gym.learner.reductions import prompt_mean
from rlvr_gym.learner.regularisers import penalty
from rlvr_gym.learner.surrogates import clipped


class GSPO(AlgorithmConfig):
    """Settings of GSPO; the defaults are the paper's, section 5.1."""

    clip_low: PositiveFloat = 3e-4
    """How far below 1 a sequence's ratio may go before its gradient is cut."""
    clip_high: PositiveFloat = 4e-4
    """How far above 1."""


@algorithm("gspo", config=GSPO, paper="arXiv:2507.18071")
def gspo(batch: Batch, config: GSPO) -> Float[Tensor, ""]:
    """Return the loss of equation 5; with token credit it is the GSPO-token form of equation 13."""
    gain_BT = clipped(sequence_ratio(batch), batch, config.clip_low, config.clip_high)
    return prompt_mean(-gain_BT + penalty(batch, config), batch)
