"""Sign advantage: all-right and all-wrong groups still teach (arXiv:2605.07689)."""

from __future__ import annotations

from pydantic import PositiveFloat

from rlvr_gym.config import Config
from rlvr_gym.learner.advantages.base import PerMember, group_advantage


class Sign(Config):
    """Settings of the sign advantage."""

    scale: PositiveFloat = 1.0
    """Factor on +-1, so that its step can be matched to a centred estimator's (ours, not the paper's)."""


@group_advantage("sign", config=Sign, paper="arXiv:2605.07689")
def sign(rewards_G: PerMember, config: Sign) -> PerMember:
    """Return 2 r - 1: +1 for a right answer, -1 for a wrong one, whatever the rest of the group did.

    Its expected gradient is 2 grad p, hence a descent direction for (1 - p)^G, the chance that a group fails.
    """
    return config.scale * (2.0 * rewards_G - 1.0)
