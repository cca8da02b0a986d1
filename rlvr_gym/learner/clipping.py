"""Gradient clipping that refuses gradients which are not finite."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor, nn

from rlvr_gym.errors import RLVRError


class NonFiniteGradientError(RLVRError, ArithmeticError):
    """A gradient that is infinite or not a number; no step was taken with it."""


def clip(parameters: Sequence[nn.Parameter], max_norm: float, *, where: str) -> Tensor:
    """Scale the gradients down to ``max_norm`` and return their norm before.

    Raises:
        NonFiniteGradientError: the norm is infinite or not a number; the gradients are cleared.
    """
    norm = torch.nn.utils.clip_grad_norm_(parameters, max_norm)
    if not bool(torch.isfinite(norm)):
        for parameter in parameters:
            parameter.grad = None
        raise NonFiniteGradientError(
            f"{where}: the gradient is not finite (norm {float(norm)}). A lower learning rate helps."
        )
    return norm
