"""Sign: fixed-reference advantage, so that no group is silent (arXiv:2605.07689)."""

from __future__ import annotations

from jaxtyping import Float
from torch import Tensor

from rlvr_gym.learner.algorithms.base import Table, algorithm
from rlvr_gym.learner.algorithms.dr_grpo import DrGRPO, dr_grpo
from rlvr_gym.learner.batch import Batch


class SignLoss(DrGRPO):
    """Settings of Sign. The paper's group size is 4."""

    advantage: Table = "sign"
    """2 r - 1."""


@algorithm("sign", config=SignLoss, paper="arXiv:2605.07689")
def sign(batch: Batch, config: SignLoss) -> Float[Tensor, ""]:
    """Return Dr. GRPO's loss on the advantages 2 r - 1.

    Reconstructed from the abstract, which gives the advantage only: Dr. GRPO's loss is taken so that the two
    differ in nothing else.
    """
    return dr_grpo(batch, config)
