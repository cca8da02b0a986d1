"""An answer that never leaves the thought."""

from __future__ import annotations

from collections.abc import Iterator

from rlvr_gym.testing.audit.families.base import Family, Named
from rlvr_gym.testing.audit.ground import Ground


def thought(ground: Ground) -> Iterator[Named]:
    """Yield the right answer inside a thought that is open, or closed and followed by none or by another."""
    if ground.right is None:
        return
    for channel in ground.thoughtless:
        right = channel.wrap(ground.core)
        yield f"open thought, {channel.name}", f"<think>\nThe result is {right}"
        yield f"open thought, answer alone, {channel.name}", f"<think>{right}"
        yield f"reopened, {channel.name}", f"<think>Hm.</think><think>{right}"
        yield f"nothing after, {channel.name}", f"<think>{right}</think>"
        yield f"no idea after, {channel.name}", f"<think>{right}</think>\nI don't know."
        yield f"another after, {channel.name}", f"<think>{right}</think>\n{channel.wrap(ground.decoys[0])}"


FAMILIES = (Family("in thought", thought),)
