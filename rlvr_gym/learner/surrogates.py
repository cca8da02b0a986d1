"""Surrogate gains: what a loss maximises per token. Each takes the advantage of the batch."""

from __future__ import annotations

import torch
from jaxtyping import Float
from torch import Tensor

from rlvr_gym.learner.batch import Batch


def policy_gradient(batch: Batch) -> Float[Tensor, "B T"]:
    """Return A log pi, whose gradient is REINFORCE's."""
    return batch.advantages_BT * torch.where(batch.mask_BT, batch.logprobs_BT, 0.0)


def clipped(
    ratio: Float[Tensor, "B _"],
    batch: Batch,
    low: float,
    high: float,
    dual: float | None = None,
) -> Float[Tensor, "B T"]:
    """Return min(ratio A, clip(ratio, 1 - low, 1 + high) A) (PPO, arXiv:1707.06347, equation 7).

    Args:
        ratio: One per token, or one per sequence.
        batch: Gives the advantages.
        low: How far below 1 the ratio may go before the gradient of a negative advantage is cut.
        high: How far above 1 for a positive advantage.
        dual: Bounds the loss of a negative advantage at ``dual`` |A| (dual clip, arXiv:1912.09729).
    """
    advantages_BT = batch.advantages_BT
    gain_BT = torch.minimum(ratio * advantages_BT, ratio.clamp(1.0 - low, 1.0 + high) * advantages_BT)
    ratio_BT = ratio.detach().expand_as(advantages_BT)
    batch.note("clip_low", (ratio_BT < 1.0 - low) & (advantages_BT < 0))
    batch.note("clip_high", (ratio_BT > 1.0 + high) & (advantages_BT > 0))
    if dual is None:
        return gain_BT
    batch.note("clip_dual", (ratio_BT > dual) & (advantages_BT < 0))
    return torch.where(advantages_BT < 0, torch.maximum(gain_BT, dual * advantages_BT), gain_BT)


def capped_importance(ratio_BT: Float[Tensor, "B T"], batch: Batch, cap: float) -> Float[Tensor, "B T"]:
    """Return sg[min(ratio, cap)] A log pi: no token's gradient is ever cut (CISPO, arXiv:2506.13585)."""
    batch.note("clip_high", ratio_BT > cap)
    return ratio_BT.detach().clamp(max=cap) * policy_gradient(batch)
