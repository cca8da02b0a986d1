"""Right answers to something else, and answers known to be wrong."""

from __future__ import annotations

from collections.abc import Iterator

from rlvr_gym.testing.audit.families.base import Family, Named
from rlvr_gym.testing.audit.ground import Ground


def other(ground: Ground) -> Iterator[Named]:
    """Yield the right responses to the other examples."""
    for text in ground.others:
        yield "another's answer", text


def wrong(ground: Ground) -> Iterator[Named]:
    """Yield the responses that the user gave as wrong."""
    for text in ground.wrong:
        yield "given as wrong", text


FAMILIES = (Family("other task", other, cases=8), Family("given wrong", wrong, cases=1_000))
