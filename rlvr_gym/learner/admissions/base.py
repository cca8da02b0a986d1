"""What an admission rule is and how one is registered.

A refused group leaves the update and its counts; the statistics of the update are taken before.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias, TypeVar

from rlvr_gym.config import Config, NoConfig
from rlvr_gym.registry import Registry
from rlvr_gym.types import Group

Admission: TypeAlias = Callable[[Group, Any], str | None]
"""``rule(group, config)`` returns None to keep the group, else the reason why it does not train."""

ADMISSIONS: Registry[Admission] = Registry("admission", "rlvr_gym.learner.admissions", needs="train")
F = TypeVar("F", bound=Admission)


def admission(name: str, *, config: type[Config] = NoConfig, paper: str = "") -> Callable[[F], F]:
    """Register the decorated admission rule under ``name``."""

    def decorate(rule: F) -> F:
        ADMISSIONS.add(name, rule, config=config, paper=paper)
        return rule

    return decorate


def make_admission(
    table: str | Mapping[str, Any], *, where: str = "admission"
) -> Callable[[Group], str | None]:
    """Return the rule that ``table`` names, with its settings bound.

    Raises:
        ConfigError: an unknown name or a wrong setting.
    """
    entry, config = ADMISSIONS.resolve(table, where=where)
    return lambda group: entry.value(group, config)
