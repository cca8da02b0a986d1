"""What the rest of the library asks of a policy."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol, runtime_checkable

from rlvr_gym.config import Config
from rlvr_gym.registry import Entry, Registry
from rlvr_gym.types import Completion, Conversation, Ids, SampleRequest, refuse_images


@runtime_checkable
class Policy(Protocol):
    """Writes completions. Ids and log-probabilities are the record; text is derived from ids.

    A policy that reads images has an attribute ``reads_images`` that is True; without one it reads text only, and
    `opening` keeps images from it.
    """

    version: str
    """Changes whenever the weights do."""

    def render(self, conversation: Conversation) -> Ids:
        """Return the prompt ids of a whole opening, ending where the policy is to write."""
        ...

    def render_added(self, conversation: Conversation, *, closed: bool = True) -> Ids:
        """Return the ids that continue a conversation: the end of the policy's turn, then these messages.

        Earlier turns are never rendered again. ``closed`` says whether the policy sampled the stop token that
        ends its turn; if not (token limit, stop text), the ids begin with one.
        """
        ...

    def decode(self, ids: Ids) -> str:
        """Return the text of ``ids``, special tokens left out."""
        ...

    def sample(self, requests: Sequence[SampleRequest]) -> list[Completion]:
        """Return one completion per request, in order.

        The requests of one call form one batch: the same list gives the same completions.
        """
        ...


def opening(policy: Policy, conversation: Conversation) -> Ids:
    """Return the prompt ids of a whole opening, as the policy renders it.

    Raises:
        UsageError: there are images in it, and the policy does not say that it reads them.
    """
    if not getattr(policy, "reads_images", False):
        refuse_images(conversation)
    return policy.render(conversation)


def room_left(policy: Policy, limit: int | None, used: int) -> int | None:
    """Return how many tokens may follow ``used``, at least 0; None where neither ``limit`` nor the policy sets any."""
    limits = [each for each in (limit, getattr(policy, "context", None)) if each is not None]
    return max(0, min(limits) - used) if limits else None


POLICIES: Registry[Callable[[Any], Policy]] = Registry("policy", "rlvr_gym.policies")
"""Factories ``factory(config) -> Policy``."""


def resolve_policy(
    table: str | Mapping[str, Any], *, where: str = "policy"
) -> tuple[Entry[Callable[[Any], Policy]], Config]:
    """Return the entry and the settings that ``table`` names, without building the policy.

    Args:
        table: A registered name, ``{"name": ..., **settings}``, or a model directory, hub id or GGUF file
            (anything with a ``/`` or ending in ``.gguf``), which means ``torch_lm`` with that model.
        where: Names the place in messages.

    Raises:
        ConfigError: an unknown name or a wrong setting.
    """
    if isinstance(table, str) and ("/" in table or table.endswith(".gguf")):
        table = {"name": "torch_lm", "model": table}
    return POLICIES.resolve(table, where=where)


def make_policy(table: str | Mapping[str, Any], *, where: str = "policy") -> Policy:
    """Return the policy that ``table`` names, as `resolve_policy` reads it.

    Raises:
        ConfigError: an unknown name or a wrong setting.
    """
    entry, config = resolve_policy(table, where=where)
    policy: Policy = entry.value(config)
    return policy
