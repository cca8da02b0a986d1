"""What an update and a fine-tuning say of themselves."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from rlvr_gym.types import Json, Role

DropReason: TypeAlias = str
"""``masked``, ``empty``, ``truncated``, ``zero_advantage``, ``no_signal``, or an admission rule's own."""


@dataclass(frozen=True, slots=True)
class UpdateReport:
    """What one update did. Every trajectory it was given is in ``charged`` or in ``dropped``, once."""

    step: int
    applied: bool
    """False when no advantage differed from 0: weights, optimizer and version are as before."""
    version_in: str
    version_out: str
    charged: tuple[str, ...]
    """Ids of the trajectories that the loss was averaged over."""
    dropped: Mapping[str, DropReason]
    """Ids of the others, each with the reason."""
    metrics: Mapping[str, float]
    """Of the step as a whole: loss, grad_norm, lr, num_tokens, ..."""
    roles: Mapping[Role, Mapping[str, float]] = field(default_factory=dict)
    """Per role: rewards, group health before the filter, advantage masses, clip fractions, KL, entropy."""

    def to_dict(self) -> dict[str, Json]:
        """Return the report as JSON values."""
        return {
            "step": self.step,
            "applied": self.applied,
            "version_in": self.version_in,
            "version_out": self.version_out,
            "charged": list(self.charged),
            "dropped": dict(self.dropped),
            "metrics": dict(self.metrics),
            "roles": {role: dict(metrics) for role, metrics in self.roles.items()},
        }


@dataclass(frozen=True, slots=True)
class SFTReport:
    """What one supervised fine-tuning did."""

    num_steps: int
    num_examples: int
    num_tokens: int
    """Loss tokens trained on, over all epochs."""
    first_loss: float
    last_loss: float
    """Mean negative log-likelihood per token over the first and the last tenth of the steps."""
    version_in: str
    version_out: str
    stopped: Literal["done", "empty"] = "done"
    """``empty`` when there was nothing to train on."""

    def to_dict(self) -> dict[str, Json]:
        """Return the report as JSON values."""
        return {name: getattr(self, name) for name in self.__dataclass_fields__}
