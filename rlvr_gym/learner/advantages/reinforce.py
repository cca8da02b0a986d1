"""REINFORCE: reward minus a baseline that never contains the rollout it is subtracted from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from rlvr_gym.config import Config
from rlvr_gym.learner.advantages.base import ADVANTAGES, PerMember, rewards_of
from rlvr_gym.types import Group, Json


class Reinforce(Config):
    """Settings of the REINFORCE advantage."""

    baseline: Literal["constant", "running_mean"] = "constant"
    """What is subtracted: ``constant``, or the mean of all rewards of earlier updates."""
    constant: float = 0.0
    """The constant baseline; also the running mean's value before the first update."""


class ReinforceRule:
    """A = r - b (Williams 1992). The running mean is read before this update's rewards enter it."""

    def __init__(self, config: Reinforce) -> None:
        self._config = config
        self._count = 0
        self._total = 0.0

    @property
    def baseline(self) -> float:
        """The value that the next update subtracts."""
        if self._config.baseline == "constant" or self._count == 0:
            return self._config.constant
        return self._total / self._count

    def credit(self, groups: Sequence[Group]) -> list[PerMember]:
        """Return reward minus baseline per member, then count the rewards."""
        rewards = [rewards_of(group) for group in groups]
        advantages = [rewards_G - self.baseline for rewards_G in rewards]
        self._count += sum(rewards_G.size for rewards_G in rewards)
        self._total += float(sum(rewards_G.sum() for rewards_G in rewards))
        return advantages

    def state_dict(self) -> dict[str, Json]:
        """Return count and sum of the rewards seen."""
        return {"count": self._count, "total": self._total}

    def load_state_dict(self, state: Mapping[str, Json]) -> None:
        """Take over what ``state_dict`` returned."""
        self._count = int(state["count"])
        self._total = float(state["total"])


ADVANTAGES.add(
    "reinforce",
    ReinforceRule,
    config=Reinforce,
    paper="Williams 1992",
    summary="Reward minus a constant or running-mean baseline.",
)
