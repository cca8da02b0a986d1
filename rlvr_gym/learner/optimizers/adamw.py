"""AdamW (arXiv:1711.05101)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import torch
from pydantic import Field, NonNegativeFloat, PositiveFloat
from torch import nn

from rlvr_gym.learner.optimizers.base import OPTIMIZERS, OptimizerConfig


class AdamWConfig(OptimizerConfig):
    """Settings of AdamW."""

    beta1: float = Field(default=0.9, ge=0.0, lt=1.0)
    """Decay of the first moment."""
    beta2: float = Field(default=0.95, ge=0.0, lt=1.0)
    """Decay of the second moment."""
    eps: PositiveFloat = 1e-8
    """Added to the root of the second moment."""
    weight_decay: NonNegativeFloat = 0.0
    """Decoupled weight decay."""


class AdamW:
    """AdamW in torch's fused form."""

    def __init__(self, parameters: Sequence[nn.Parameter], config: AdamWConfig) -> None:
        self._inner = torch.optim.AdamW(
            parameters,
            lr=config.lr,
            betas=(config.beta1, config.beta2),
            eps=config.eps,
            weight_decay=config.weight_decay,
            fused=True,
        )

    def step(self, gradient: Callable[[], None], lr: float) -> None:
        """Take one step."""
        gradient()
        for group in self._inner.param_groups:
            group["lr"] = lr
        self._inner.step()

    def state_dict(self) -> dict[str, Any]:
        """Return the moments by parameter number."""
        return {"moments": self._inner.state_dict()["state"]}

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Take over what ``state_dict`` returned."""
        groups = self._inner.state_dict()["param_groups"]
        moments = {int(number): values for number, values in state["moments"].items()}
        self._inner.load_state_dict({"state": moments, "param_groups": groups})

    def reset(self) -> None:
        """Forget all moments."""
        self._inner.state.clear()


OPTIMIZERS.add("adamw", AdamW, config=AdamWConfig, paper="arXiv:1711.05101")
