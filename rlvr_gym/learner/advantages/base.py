"""What an advantage rule is and how one is registered.

A rule sees the groups of one role of one update, after their masked members left. A rule of one group's
rewards is a function under ``group_advantage``; a rule with memory is a class with ``state_dict``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from rlvr_gym.config import Config, NoConfig
from rlvr_gym.registry import Registry
from rlvr_gym.types import Group, Json

PerMember: TypeAlias = NDArray[np.float64]
"""One value per member of a group, shape (G,)."""
GroupFunction: TypeAlias = Callable[[PerMember, Any], PerMember]
"""``rule(rewards_G, config) -> advantages_G``."""


class AdvantageRule(Protocol):
    """Turns rewards into advantages, once per update and role, before the first gradient."""

    def credit(self, groups: Sequence[Group]) -> list[PerMember]:
        """Return one array of advantages per group; any memory is updated after it was read."""
        ...

    def state_dict(self) -> dict[str, Json]:
        """Return the memory as JSON values, empty for a rule without one."""
        ...

    def load_state_dict(self, state: Mapping[str, Json]) -> None:
        """Take over what ``state_dict`` returned."""
        ...


ADVANTAGES: Registry[Callable[[Any], AdvantageRule]] = Registry(
    "advantage", "rlvr_gym.learner.advantages", needs="train"
)
"""Factories ``factory(config) -> AdvantageRule``."""
F = TypeVar("F", bound=GroupFunction)


class GroupRule:
    """A rule that looks at one group's rewards at a time and remembers nothing."""

    def __init__(self, function: GroupFunction, config: Config) -> None:
        self._function = function
        self._config = config

    def credit(self, groups: Sequence[Group]) -> list[PerMember]:
        """Return one array of advantages per group."""
        return [self._function(rewards_of(group), self._config) for group in groups]

    def state_dict(self) -> dict[str, Json]:
        """Return nothing: there is no memory."""
        return {}

    def load_state_dict(self, state: Mapping[str, Json]) -> None:
        """Accept the empty state."""
        assert not state, "a rule without memory was given some"


def group_advantage(name: str, *, config: type[Config] = NoConfig, paper: str = "") -> Callable[[F], F]:
    """Register the decorated function of one group's rewards.

    Args:
        name: What recipes call it.
        config: Settings class, handed to the function as its second argument.
        paper: Where the rule is from.
    """

    def decorate(function: F) -> F:
        summary = (function.__doc__ or "").strip().partition("\n")[0]
        ADVANTAGES.add(
            name, lambda settings: GroupRule(function, settings), config=config, paper=paper, summary=summary
        )
        return function

    return decorate


def make_advantage(table: str | Mapping[str, Any], *, where: str = "advantage") -> AdvantageRule:
    """Return the rule that ``table`` names.

    Raises:
        ConfigError: an unknown name or a wrong setting.
    """
    entry, config = ADVANTAGES.resolve(table, where=where)
    return entry.value(config)


def rewards_of(group: Group) -> PerMember:
    """Return the decided rewards of a group, shape (G,)."""
    return np.array([r for r in group.rewards if r is not None], dtype=np.float64)


def centred(rewards_G: PerMember) -> PerMember:
    """Return the rewards minus their mean; exactly 0 where all are equal, so that rounding is no signal."""
    if rewards_G.size == 0 or np.ptp(rewards_G) == 0.0:
        return np.zeros_like(rewards_G)
    advantages_G: PerMember = rewards_G - rewards_G.mean()
    return advantages_G
