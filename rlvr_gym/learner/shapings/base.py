"""What a shaping rule is and how one is registered."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias, TypeVar

from rlvr_gym.config import Config, NoConfig
from rlvr_gym.learner.advantages.base import PerMember
from rlvr_gym.registry import Registry
from rlvr_gym.types import Group

Shaping: TypeAlias = Callable[[Group, Any], PerMember]
"""``rule(group, config)`` returns the shaped reward of each decided member."""

SHAPINGS: Registry[Shaping] = Registry("shaping", "rlvr_gym.learner.shapings", needs="train")
F = TypeVar("F", bound=Shaping)


def shaping(name: str, *, config: type[Config] = NoConfig, paper: str = "") -> Callable[[F], F]:
    """Register the decorated shaping rule under ``name``."""

    def decorate(rule: F) -> F:
        SHAPINGS.add(name, rule, config=config, paper=paper)
        return rule

    return decorate


def make_shaping(table: str | Mapping[str, Any], *, where: str = "shaping") -> Callable[[Group], PerMember]:
    """Return the rule that ``table`` names, with its settings bound.

    Raises:
        ConfigError: an unknown name or a wrong setting.
    """
    entry, config = SHAPINGS.resolve(table, where=where)
    return lambda group: entry.value(group, config)
