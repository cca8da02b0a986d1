"""Moving baseline per role and game, for play where a group has one member (SPIRAL, arXiv:2506.24119)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pydantic import Field

from rlvr_gym.config import Config
from rlvr_gym.learner.advantages.base import ADVANTAGES, PerMember, rewards_of
from rlvr_gym.types import Group, Json


class RoleBaseline(Config):
    """Settings of the role baseline."""

    decay: float = Field(default=0.95, ge=0.0, lt=1.0)
    """Share of the old baseline that stays per reward, b <- decay b + (1 - decay) R."""


class RoleBaselineRule:
    """A = R - b[role, key], with b read before this update's rewards enter it.

    A group of n rewards moves b by the n-fold decay towards their mean. The paper moves it reward by reward;
    this form has the same total weight and does not depend on the order inside a group.
    """

    def __init__(self, config: RoleBaseline) -> None:
        self._decay = config.decay
        self._baselines: dict[str, float] = {}

    def credit(self, groups: Sequence[Group]) -> list[PerMember]:
        """Return reward minus the role's baseline per member, then move the baselines."""
        rewards: dict[str, list[float]] = {}
        advantages = []
        for group in groups:
            name = f"{group.key.role}/{group.key.key}"
            rewards_G = rewards_of(group)
            advantages.append(rewards_G - self._baselines.get(name, 0.0))
            rewards.setdefault(name, []).extend(rewards_G.tolist())
        for name, seen in rewards.items():
            if seen:
                keep = self._decay ** len(seen)
                # Sorted, so that neither the order of groups nor of members reaches the last bit.
                mean = sum(sorted(seen)) / len(seen)
                self._baselines[name] = keep * self._baselines.get(name, 0.0) + (1.0 - keep) * mean
        return advantages

    def state_dict(self) -> dict[str, Json]:
        """Return the baselines by role and key."""
        return dict(sorted(self._baselines.items()))

    def load_state_dict(self, state: Mapping[str, Json]) -> None:
        """Take over what ``state_dict`` returned."""
        self._baselines = {str(name): float(value) for name, value in state.items()}


ADVANTAGES.add(
    "role_baseline",
    RoleBaselineRule,
    config=RoleBaseline,
    paper="arXiv:2506.24119",
    summary="Return minus a moving average kept per role and game.",
)
