"""A right answer that is taken back."""

from __future__ import annotations

from collections.abc import Iterator

from rlvr_gym.testing.audit.families.base import Family, Named
from rlvr_gym.testing.audit.ground import Ground


def changed(ground: Ground) -> Iterator[Named]:
    """Yield the right answer followed by a wrong one as the last word, in the same form."""
    if not ground.core:
        return
    wrong = ground.decoys[0]
    for channel in ground.thoughtless:
        right, last = channel.wrap(ground.core), channel.wrap(wrong)
        yield f"taken back, {channel.name}", f"{right}\n\nWait, that is wrong.\n\n{last}"
        yield f"corrected, {channel.name}", f"I first thought:\n{right}\nIt is not. Rather:\n{last}"
        yield f"below, {channel.name}", f"{right}\n\n{last}"


FAMILIES = (Family("changed answer", changed, cases=4),)
