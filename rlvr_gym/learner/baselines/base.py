"""What a learned baseline is and how one is registered."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Protocol, TypeAlias

from jaxtyping import Float
from torch import Tensor

from rlvr_gym.learner.batch import Batch, Sample
from rlvr_gym.lm.model import TorchLM
from rlvr_gym.registry import Registry

ScoredBatches: TypeAlias = Iterable[tuple[Sequence[Sample], Batch]]
"""Samples with their batch, scored without gradient by the present policy, hidden states included."""


class Baseline(Protocol):
    """Sets advantages before the first gradient and learns beside the policy."""

    def credit(self, samples: Sequence[Sample], scored: ScoredBatches) -> list[Sample]:
        """Return the samples, in their order, with ``advantages_T`` (and what ``loss`` needs) set."""
        ...

    def loss(self, batch: Batch) -> Float[Tensor, ""] | None:
        """Return this micro-batch's share of the baseline's own loss, None if it has none.

        ``batch.hidden_BTH`` is set and detached: the baseline's loss never moves the policy.
        """
        ...

    def step(self) -> None:
        """Learn, once per optimizer step, from the gradients of ``loss``."""
        ...

    def state_dict(self) -> dict[str, Any]:
        """Return the state: nested dicts and lists of tensors and JSON values."""
        ...

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Take over what ``state_dict`` returned."""
        ...


BASELINES: Registry[Callable[[Any, TorchLM], Baseline]] = Registry(
    "baseline", "rlvr_gym.learner.baselines", needs="train"
)
"""Factories ``factory(config, lm) -> Baseline``."""


def make_baseline(table: str | Mapping[str, Any], lm: TorchLM, *, where: str = "baseline") -> Baseline:
    """Return the baseline that ``table`` names.

    Raises:
        ConfigError: an unknown name or a wrong setting.
    """
    entry, config = BASELINES.resolve(table, where=where)
    return entry.value(config, lm)
