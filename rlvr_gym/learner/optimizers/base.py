"""What an optimizer is, how one is registered, and the learning-rate schedule that all share."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, Protocol

from pydantic import NonNegativeInt, PositiveFloat, model_validator
from torch import nn

from rlvr_gym.config import Config
from rlvr_gym.registry import Registry


class OptimizerConfig(Config):
    """Settings that every optimizer has."""

    lr: PositiveFloat = 1e-5
    """Learning rate after warm-up. About 1e-4 for models trained from scratch, 1e-5 and less for large ones."""
    warmup_steps: NonNegativeInt = 10
    """Steps over which the learning rate rises in a line."""
    decay: Literal["constant", "linear", "cosine"] = "constant"
    """What follows the warm-up; ``linear`` and ``cosine`` reach 0 at ``total_steps``."""
    total_steps: NonNegativeInt = 0
    """Length of the decay; needed unless ``constant``."""

    @model_validator(mode="after")
    def _has_an_end(self) -> OptimizerConfig:
        if self.decay != "constant" and self.total_steps <= self.warmup_steps:
            raise ValueError(f"decay '{self.decay}' needs total_steps above warmup_steps")
        return self


def learning_rate(config: OptimizerConfig, step: int) -> float:
    """Return the learning rate of optimizer step ``step``, counted from 0."""
    if step < config.warmup_steps:
        return config.lr * (step + 1) / config.warmup_steps
    if config.decay == "constant":
        return config.lr
    done = min(1.0, (step - config.warmup_steps) / (config.total_steps - config.warmup_steps))
    return config.lr * ((1.0 - done) if config.decay == "linear" else 0.5 * (1.0 + math.cos(math.pi * done)))


class Optimizer(Protocol):
    """Moves parameters. It may ask for the gradient of the same batch more than once."""

    def step(self, gradient: Callable[[], None], lr: float) -> None:
        """Take one step.

        Args:
            gradient: Fills ``.grad`` of every parameter, clipped, at the parameters' present values.
            lr: Learning rate of this step.
        """
        ...

    def state_dict(self) -> dict[str, Any]:
        """Return the state: nested dicts and lists of tensors and JSON values."""
        ...

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Take over what ``state_dict`` returned."""
        ...

    def reset(self) -> None:
        """Forget all moments."""
        ...


OPTIMIZERS: Registry[Callable[[Sequence[nn.Parameter], Any], Optimizer]] = Registry(
    "optimizer", "rlvr_gym.learner.optimizers", needs="train"
)
"""Factories ``factory(parameters, config) -> Optimizer``; settings classes extend ``OptimizerConfig``."""


def make_optimizer(
    table: str | Mapping[str, Any], parameters: Sequence[nn.Parameter], *, where: str = "optimizer"
) -> tuple[Optimizer, OptimizerConfig]:
    """Return the optimizer that ``table`` names, and its settings.

    Raises:
        ConfigError: an unknown name or a wrong setting.
    """
    entry, config = OPTIMIZERS.resolve(table, where=where)
    assert isinstance(config, OptimizerConfig)
    return entry.value(parameters, config), config
