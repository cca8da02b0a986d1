"""What a credit rule is and how one is registered.

Credit rules of one algorithm run in their order, after the advantage rule and before the first gradient. Each
gets all samples of one role of one update and returns, per sample, its new ``advantages_T``: a weight times the
old ones, or the old ones plus a further channel.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias, TypeVar

from rlvr_gym.config import Config, NoConfig
from rlvr_gym.learner.batch import Sample
from rlvr_gym.registry import Registry
from rlvr_gym.types import Floats

Credit: TypeAlias = Callable[[Sequence[Sample], Any], list[Floats]]
"""``rule(samples, config)`` returns one array of token advantages per sample."""

CREDITS: Registry[Credit] = Registry("credit", "rlvr_gym.learner.credits", needs="train")
F = TypeVar("F", bound=Credit)


def credit(name: str, *, config: type[Config] = NoConfig, paper: str = "") -> Callable[[F], F]:
    """Register the decorated credit rule under ``name``."""

    def decorate(rule: F) -> F:
        CREDITS.add(name, rule, config=config, paper=paper)
        return rule

    return decorate


def make_credit(
    table: str | Mapping[str, Any], *, where: str = "credit"
) -> Callable[[Sequence[Sample]], list[Floats]]:
    """Return the rule that ``table`` names, with its settings bound.

    Raises:
        ConfigError: an unknown name or a wrong setting.
    """
    entry, config = CREDITS.resolve(table, where=where)
    return lambda samples: entry.value(samples, config)
