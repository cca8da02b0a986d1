"""REINFORCE: plain policy gradient (Williams 1992)."""

from __future__ import annotations

from jaxtyping import Float
from torch import Tensor

from rlvr_gym.learner.algorithms.base import AlgorithmConfig, Table, algorithm
from rlvr_gym.learner.batch import Batch
from rlvr_gym.learner.reductions import constant_mean
from rlvr_gym.learner.regularisers import penalty
from rlvr_gym.learner.surrogates import policy_gradient


class ReinforceLoss(AlgorithmConfig):
    """Settings of REINFORCE."""

    advantage: Table = "reinforce"
    """Reward minus a constant or a running mean."""


@algorithm("reinforce", config=ReinforceLoss, paper="Williams 1992")
def reinforce(batch: Batch, config: ReinforceLoss) -> Float[Tensor, ""]:
    """Return -(1/N) sum_i (r_i - b) sum_t log pi(y_t), with no ratio: meant for one step per batch."""
    return constant_mean(-policy_gradient(batch) + penalty(batch, config), batch, 1.0)
