"""Settings of a learner."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import NonNegativeInt, PositiveFloat, PositiveInt

from rlvr_gym.config import Config


class RoleConfig(Config):
    """How one role learns."""

    algorithm: str | dict[str, Any] = "grpo"
    """Registered algorithm, ``"gspo"`` or ``{name = "gspo", clip_high = 1e-3}``."""
    weight: PositiveFloat = 1.0
    """Factor on this role's loss in the joint step."""


class LearnerConfig(Config):
    """Settings of a learner."""

    algorithm: str | dict[str, Any] = "grpo"
    """Algorithm of every role that ``roles`` does not name."""
    roles: dict[str, RoleConfig] = {}
    """Roles that learn otherwise, by name."""
    optimizer: str | dict[str, Any] = "adamw"
    """Registered optimizer with its learning rate and schedule, ``{name = "adamw", lr = 1e-4}``."""
    max_grad_norm: PositiveFloat = 1.0
    """Gradients longer than this are scaled down to it."""
    epochs: PositiveInt = 1
    """Passes over the samples of one update."""
    minibatches: PositiveInt = 1
    """Optimizer steps per pass; groups are dealt whole, in an order drawn from the seed."""
    token_budget: PositiveInt = 16384
    """Most padded tokens in one micro-batch. Does not change the result, only memory and speed."""
    old_logprobs: Literal["sampler", "recompute"] = "sampler"
    """Where the ratio's denominator comes from: the sampler's own record, or a pass before the first step.

    Samples drawn with top-p below 1 are always recomputed: their record is of a truncated law.
    """
    skip_no_signal: bool = True
    """Leave samples of advantage 0 out of the computation where they cannot have a gradient.

    They still count in the denominators, so the result is the same.
    """
    share_prefixes: bool = True
    """Read a prompt that several samples begin with once per micro-batch, not once per sample.

    The gradient is the same up to rounding.
    """
    diagnose_every: NonNegativeInt = 0
    """Every so many steps, also report density, calibration, alignment and conflict of the rewards; 0 is never.

    It costs a backward pass over the step's samples, one over the full passes and one for each partial pass.
    Weights come out the same, bit for bit.
    """
