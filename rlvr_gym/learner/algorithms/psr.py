"""PSR: learn from right answers only (arXiv:2506.01347)."""

from __future__ import annotations

from jaxtyping import Float
from torch import Tensor

from rlvr_gym.learner.algorithms.base import Table, algorithm
from rlvr_gym.learner.algorithms.w_reinforce import WReinforce, w_reinforce
from rlvr_gym.learner.batch import Batch


class PSR(WReinforce):
    """Settings of PSR."""

    advantage: Table = "psr"
    """1 for a right answer, 0 for a wrong one."""
    drop_zero_advantage: bool = True
    """Wrong answers leave the batch, and with it the denominator, as in the released recipe."""


@algorithm("psr", config=PSR, paper="arXiv:2506.01347")
def psr(batch: Batch, config: PSR) -> Float[Tensor, ""]:
    """Return W-REINFORCE's loss over the right answers."""
    return w_reinforce(batch, config)
