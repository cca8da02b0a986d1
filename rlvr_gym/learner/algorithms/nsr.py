"""NSR: learn from wrong answers only (arXiv:2506.01347)."""

from __future__ import annotations

from jaxtyping import Float
from torch import Tensor

from rlvr_gym.learner.algorithms.base import Table, algorithm
from rlvr_gym.learner.algorithms.w_reinforce import WReinforce, w_reinforce
from rlvr_gym.learner.batch import Batch


class NSR(WReinforce):
    """Settings of NSR."""

    advantage: Table = "nsr"
    """0 for a right answer, -1 for a wrong one."""
    drop_zero_advantage: bool = True
    """Right answers leave the batch, and with it the denominator, as in the released recipe."""


@algorithm("nsr", config=NSR, paper="arXiv:2506.01347")
def nsr(batch: Batch, config: NSR) -> Float[Tensor, ""]:
    """Return W-REINFORCE's loss over the wrong answers."""
    return w_reinforce(batch, config)
