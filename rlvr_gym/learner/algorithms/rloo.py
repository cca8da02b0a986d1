"""RLOO: REINFORCE with the mean of the other rollouts as baseline (arXiv:2402.14740)."""

from __future__ import annotations

from jaxtyping import Float
from torch import Tensor

from rlvr_gym.learner.algorithms.base import AlgorithmConfig, Table, algorithm
from rlvr_gym.learner.batch import Batch
from rlvr_gym.learner.reductions import constant_mean
from rlvr_gym.learner.regularisers import penalty
from rlvr_gym.learner.surrogates import policy_gradient


class RLOO(AlgorithmConfig):
    """Settings of RLOO."""

    advantage: Table = "rloo"
    """Reward minus the mean of the other rewards of the group."""


@algorithm("rloo", config=RLOO, paper="arXiv:2402.14740")
def rloo(batch: Batch, config: RLOO) -> Float[Tensor, ""]:
    """Return the loss of section 3.2: leave-one-out advantage times the log-probability of the whole sequence.

    The paper puts the KL into the reward; here it is a term of the loss, off by default.
    """
    return constant_mean(-policy_gradient(batch) + penalty(batch, config), batch, 1.0)
