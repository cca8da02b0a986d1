"""Reductions of a per-token loss to a number.

All divide by counts of the whole optimizer step, which the batch carries, so micro-batches add up.
"""

from __future__ import annotations

import torch
from jaxtyping import Float
from torch import Tensor

from rlvr_gym.learner.batch import Batch


def prompt_mean(loss_BT: Float[Tensor, "B T"], batch: Batch) -> Float[Tensor, ""]:
    """Return the mean over tokens in a rollout, then over rollouts of a group, then over groups."""
    return (_row_means(loss_BT, batch) / batch.group_sizes_B).sum() / batch.counts.groups


def sequence_mean(loss_BT: Float[Tensor, "B T"], batch: Batch) -> Float[Tensor, ""]:
    """Return the mean over tokens in a rollout, then over all rollouts; equals the above for equal groups."""
    return _row_means(loss_BT, batch).sum() / batch.counts.sequences


def token_mean(loss_BT: Float[Tensor, "B T"], batch: Batch) -> Float[Tensor, ""]:
    """Return the mean over all tokens, so that a long rollout weighs more (DAPO, arXiv:2503.14476)."""
    return _row_sums(loss_BT, batch).sum() / batch.counts.tokens


def constant_mean(loss_BT: Float[Tensor, "B T"], batch: Batch, divisor: float) -> Float[Tensor, ""]:
    """Return the token sum over a constant, then the mean over rollouts (Dr. GRPO, arXiv:2503.20783)."""
    return _row_sums(loss_BT, batch).sum() / (divisor * batch.counts.sequences)


def _row_sums(loss_BT: Tensor, batch: Batch) -> Tensor:
    # where, not a product: 0 * inf on padding would be nan.
    return torch.where(batch.mask_BT, loss_BT, 0.0).sum(-1)


def _row_means(loss_BT: Tensor, batch: Batch) -> Tensor:
    return _row_sums(loss_BT, batch) / batch.mask_BT.sum(-1).clamp(min=1)
