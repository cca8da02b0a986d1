"""Plain gradient descent: the step is the gradient, for analyses and matched-step comparisons."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import torch
from torch import nn

from rlvr_gym.learner.optimizers.base import OPTIMIZERS, OptimizerConfig


class SGD:
    """Gradient descent without momentum."""

    def __init__(self, parameters: Sequence[nn.Parameter], config: OptimizerConfig) -> None:
        self._parameters = parameters

    @torch.no_grad()
    def step(self, gradient: Callable[[], None], lr: float) -> None:
        """Take one step."""
        with torch.enable_grad():
            gradient()
        for parameter in self._parameters:
            if parameter.grad is not None:
                parameter.sub_(parameter.grad, alpha=lr)

    def state_dict(self) -> dict[str, Any]:
        """Return nothing: there is no state."""
        return {}

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Accept the empty state."""
        assert not state, "gradient descent was given a state"

    def reset(self) -> None:
        """Do nothing: there are no moments."""


OPTIMIZERS.add("sgd", SGD, config=OptimizerConfig)
