"""The penalty that an algorithm adds to its per-token loss: KL to the reference and entropy."""

from __future__ import annotations

import torch
from jaxtyping import Float
from torch import Tensor

from rlvr_gym.learner.algorithms.base import AlgorithmConfig
from rlvr_gym.learner.batch import Batch
from rlvr_gym.learner.kl import kl_estimate


def penalty(batch: Batch, config: AlgorithmConfig) -> Float[Tensor, "B T"]:
    """Return kl_coef KL - entropy_coef H per token; 0 where both coefficients are 0."""
    penalty_BT = torch.zeros_like(batch.advantages_BT)
    if config.kl_coef:
        assert batch.ref_logprobs_BT is not None, "the trainer scores the reference when kl_coef is set"
        kl_BT = kl_estimate(batch.logprobs_BT, batch.ref_logprobs_BT, config.kl_estimator)
        batch.note("kl_reference", kl_BT)
        penalty_BT = penalty_BT + config.kl_coef * kl_BT
    if config.entropy_coef:
        assert batch.entropies_BT is not None, "the trainer asks for entropies when entropy_coef is set"
        penalty_BT = penalty_BT - config.entropy_coef * batch.entropies_BT
    return penalty_BT
