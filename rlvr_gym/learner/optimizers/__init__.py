"""Optimizers: what is done with a gradient that can be asked for."""

from rlvr_gym.learner.optimizers.base import (
    OPTIMIZERS,
    Optimizer,
    OptimizerConfig,
    learning_rate,
    make_optimizer,
)

__all__ = ["OPTIMIZERS", "Optimizer", "OptimizerConfig", "learning_rate", "make_optimizer"]
