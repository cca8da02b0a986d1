"""Importance ratios between the current policy and the one that sampled."""

from __future__ import annotations

import torch
from jaxtyping import Float
from torch import Tensor

from rlvr_gym.learner.batch import Batch

LOG_LIMIT = 60.0
"""Log-ratios are cut here: beyond, exp would overflow in float32 and the sample says nothing anyway."""


def log_ratio(batch: Batch) -> Float[Tensor, "B T"]:
    """Return log pi - log pi_old per token, 0 on padding."""
    difference_BT = (batch.logprobs_BT - batch.old_logprobs_BT).clamp(-LOG_LIMIT, LOG_LIMIT)
    return torch.where(batch.mask_BT, difference_BT, 0.0)


def token_ratio(batch: Batch) -> Float[Tensor, "B T"]:
    """Return pi / pi_old per token, 1 on padding."""
    return log_ratio(batch).exp()


def sequence_ratio(batch: Batch) -> Float[Tensor, "B 1"]:
    """Return the geometric mean of a sequence's token ratios (GSPO, arXiv:2507.18071, equation 7)."""
    lengths_B1 = batch.mask_BT.sum(-1, keepdim=True).clamp(min=1)
    return (log_ratio(batch).sum(-1, keepdim=True) / lengths_B1).exp()
