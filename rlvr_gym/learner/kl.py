"""Estimators of KL(pi || pi_ref) from samples of pi (http://joschu.net/blog/kl-approx.html)."""

from __future__ import annotations

from typing import Literal, TypeAlias

import torch
from jaxtyping import Float
from torch import Tensor

from rlvr_gym.learner.ratios import LOG_LIMIT

KLEstimator: TypeAlias = Literal["k1", "k2", "k3"]


def kl_estimate(
    logprobs_BT: Float[Tensor, "B T"], ref_logprobs_BT: Float[Tensor, "B T"], estimator: KLEstimator
) -> Float[Tensor, "B T"]:
    """Return k1 = -l, k2 = l^2 / 2 or k3 = exp(l) - 1 - l with l = log pi_ref - log pi.

    All of E[k1] and E[k3] are the KL. As loss terms they differ: k1 has no expected gradient, k2 has that of
    KL(pi || pi_ref), k3 that of KL(pi_ref || pi). Inside a reward use k1.
    """
    log_ratio_BT = (ref_logprobs_BT - logprobs_BT).clamp(-LOG_LIMIT, LOG_LIMIT)
    if estimator == "k1":
        return -log_ratio_BT
    if estimator == "k2":
        return log_ratio_BT.square() / 2
    return torch.expm1(log_ratio_BT) - log_ratio_BT
