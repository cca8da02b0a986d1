"""What an algorithm is and how one is registered.

An algorithm is a loss over a micro-batch and the settings of the rooms around it: how rewards are shaped, which
groups train, which rule turns rewards into advantages, how tokens share them, which samples leave the count.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias, TypeVar

from jaxtyping import Float
from pydantic import NonNegativeFloat
from torch import Tensor

from rlvr_gym.config import Config
from rlvr_gym.learner.batch import Batch
from rlvr_gym.learner.kl import KLEstimator
from rlvr_gym.registry import Registry

Table: TypeAlias = str | dict[str, Any]
"""A registered name, or ``{"name": ..., **settings}``."""


class AlgorithmConfig(Config):
    """Settings that every algorithm has; each states its own defaults."""

    advantage: Table = "grpo"
    """Rule that turns a group's rewards into advantages."""
    credit: tuple[Table, ...] = ()
    """Rules that spread a rollout's advantage over its tokens, in order; none: every token gets it whole."""
    baseline: Table | None = None
    """Learned baseline whose per-token advantages replace the rule's, such as a critic."""
    shaping: tuple[Table, ...] = ()
    """Rules that change rewards before the advantage rule, in order."""
    admission: Table = "all"
    """Rule that says which groups train; refused ones leave the loss's denominator too."""
    drop_zero_advantage: bool = False
    """Whether samples of advantage 0 leave the loss's denominator."""
    drop_truncated: bool = False
    """Whether samples cut at the length limit leave the loss; their rewards still count in the group."""
    kl_coef: NonNegativeFloat = 0.0
    """Weight of the KL to the reference policy in the loss."""
    kl_estimator: KLEstimator = "k3"
    """Estimator of that KL: k2 has the gradient of the reverse KL, k3 of the forward KL, k1 of none."""
    entropy_coef: NonNegativeFloat = 0.0
    """Weight of the entropy bonus."""


Loss: TypeAlias = Callable[[Batch, Any], Float[Tensor, ""]]
"""``loss(batch, config)``: this micro-batch's share of the step's loss."""


@dataclass(frozen=True, slots=True)
class Algorithm:
    """A registered loss and what it needs of its batches."""

    loss: Loss
    whole_groups: bool
    """Whether a micro-batch must hold whole groups, for losses that compare the members of one."""


ALGORITHMS: Registry[Algorithm] = Registry("algorithm", "rlvr_gym.learner.algorithms", needs="train")
L = TypeVar("L", bound=Loss)


def algorithm(
    name: str, *, config: type[AlgorithmConfig], paper: str = "", whole_groups: bool = False
) -> Callable[[L], L]:
    """Register the decorated loss.

    Args:
        name: What recipes call it.
        config: Settings class, handed to the loss as its second argument.
        paper: Where the method is from.
        whole_groups: Set when the loss compares the members of a group with each other.
    """

    def decorate(loss: L) -> L:
        summary = (loss.__doc__ or "").strip().partition("\n")[0]
        ALGORITHMS.add(name, Algorithm(loss, whole_groups), config=config, paper=paper, summary=summary)
        return loss

    return decorate
