"""Three-valued conclusions: what several decisions say together."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TypeVar

from rlvr_gym.verifiers.algebra import Decision, Outcome

T = TypeVar("T")


def every(decisions: Iterable[Decision]) -> Decision:
    """Return the first decision that something differs, else the first open one, else the last."""
    open_one: Decision | None = None
    last = Decision(Outcome.SAME, "the same")
    for decision in decisions:
        if decision.outcome is Outcome.DIFFERENT:
            return decision
        if decision.outcome is Outcome.OPEN:
            open_one = open_one or decision
        last = decision
    return open_one or last


def matched(gold: Sequence[T], answer: Sequence[T], same: Callable[[T, T], Decision]) -> Decision:
    """Return whether ``answer`` is ``gold`` in another order.

    Being the same is transitive, so that the first partner of an item will do.
    """
    if len(gold) != len(answer):
        return Decision(Outcome.DIFFERENT, f"{len(answer)} items, not {len(gold)}")
    left = list(answer)
    open_one: Decision | None = None
    for item in gold:
        for at, candidate in enumerate(left):
            decision = same(item, candidate)
            if decision.outcome is Outcome.SAME:
                del left[at]
                break
            if decision.outcome is Outcome.OPEN:
                open_one = open_one or decision
        else:
            return open_one or Decision(Outcome.DIFFERENT, "an item has no partner")
    return Decision(Outcome.SAME, "the same items")


def without_repeats(items: Sequence[T], same: Callable[[T, T], Decision]) -> list[T]:
    """Return the items of which none is certainly the same as an earlier one."""
    kept: list[T] = []
    for item in items:
        if not any(same(other, item).outcome is Outcome.SAME for other in kept):
            kept.append(item)
    return kept
