"""MaxRL: GRPO's loss on advantages divided by the group's mean."""

from __future__ import annotations

from jaxtyping import Float
from torch import Tensor

from rlvr_gym.learner.algorithms.base import Table, algorithm
from rlvr_gym.learner.algorithms.grpo import GRPO, grpo
from rlvr_gym.learner.batch import Batch


class MaxRL(GRPO):
    """Settings of MaxRL."""

    advantage: Table = "maxrl"
    """(r - mean) / mean, whose expected gradient tends to that of log p."""


@algorithm("maxrl", config=MaxRL, paper="maximum-likelihood RL")
def maxrl(batch: Batch, config: MaxRL) -> Float[Tensor, ""]:
    """Return GRPO's loss; only the advantages differ.

    Taken from secondary descriptions: the choice of clip and reduction is ours.
    """
    return grpo(batch, config)
