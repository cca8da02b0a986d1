"""Channels: further rewards of a group's members, each with the advantage rule of its own, added up with weights.

A channel is credited like a group by itself, within the group and within its role: A = A(rewards) + sum of
weight * A(channel). Credit weights of tokens multiply the first term alone.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from rlvr_gym.learner.advantages import AdvantageRule, rewards_of
from rlvr_gym.learner.advantages.base import PerMember
from rlvr_gym.types import Group, Json


class Channels:
    """The channels of one role, with a rule for each name, so that rules with a memory never share it.

    Args:
        make: Makes the advantage rule of a channel when a group first has it.
    """

    def __init__(self, make: Callable[[], AdvantageRule]) -> None:
        self._make = make
        self._rules: dict[str, AdvantageRule] = {}

    def credit(self, groups: Sequence[Group]) -> tuple[list[PerMember], dict[str, float]]:
        """Return per group the weighted sum of its channels' advantages, 0 without any, and figures by channel.

        Args:
            groups: Without masked members. One without a reward in a channel leaves it and gets 0 from it.
        """
        total = [np.zeros(len(group.members)) for group in groups]
        figures: dict[str, float] = {}
        for name in sorted({channel.name for group in groups for channel in group.channels}):
            places, weights, kept, parts = [], [], [], []
            for place, group in enumerate(groups):
                channel = next((c for c in group.channels if c.name == name), None)
                if channel is None:
                    continue
                own = np.array([r is not None for r in channel.rewards], bool)
                members = tuple(
                    m for m, r in zip(group.members, channel.rewards, strict=True) if r is not None
                )
                rewards = tuple(r for r in channel.rewards if r is not None)
                places.append(place)
                weights.append(channel.weight)
                kept.append(own)
                parts.append(replace(group, members=members, rewards=rewards, channels=()))
            advantages = self._rule(name).credit(parts)
            for place, weight, own, advantages_G in zip(places, weights, kept, advantages, strict=True):
                total[place][own] += weight * advantages_G
            figures |= _figures(name, parts, advantages)
        return total, figures

    def _rule(self, name: str) -> AdvantageRule:
        if name not in self._rules:
            self._rules[name] = self._make()
        return self._rules[name]

    def state_dict(self) -> dict[str, Json]:
        """Return the memories by channel; empty while no group had one."""
        return {name: rule.state_dict() for name, rule in sorted(self._rules.items())}

    def load_state_dict(self, state: Mapping[str, Json]) -> None:
        """Take over what ``state_dict`` returned."""
        self._rules = {}
        for name, memory in state.items():
            self._rule(name).load_state_dict(memory)


def _figures(name: str, parts: Sequence[Group], advantages: Sequence[PerMember]) -> dict[str, float]:
    """Return a channel's mean reward, the share of its groups that carry a signal, and its positive advantages."""
    rewards = np.concatenate([np.zeros(0), *(rewards_of(part) for part in parts)])
    flat = np.concatenate([np.zeros(0), *advantages])
    return {
        f"channel/{name}/reward_mean": float(rewards.mean()) if rewards.size else 0.0,
        f"channel/{name}/informative_share": sum(part.informative for part in parts) / len(parts),
        # Before the weight, so that it compares with the same figure of the group's own rewards.
        f"channel/{name}/advantage_positive": float(flat[flat > 0].sum()),
    }
