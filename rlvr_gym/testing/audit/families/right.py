"""Right answers, which must be paid."""

from __future__ import annotations

from collections.abc import Iterator

from rlvr_gym.testing.audit.families.base import Family, Named
from rlvr_gym.testing.audit.ground import Ground


def right(ground: Ground) -> Iterator[Named]:
    """Yield the right response, and with the white space that sampling leaves around it."""
    if ground.right is not None:
        yield "right answer", ground.right
        yield "newline after", f"{ground.right}\n"
        yield "space around", f" \n{ground.right} \n\n"


def right_after_thought(ground: Ground) -> Iterator[Named]:
    """Yield the right response behind a closed thought, which holds something else."""
    if ground.right is not None:
        decoy = ground.decoys[0]
        yield "behind a thought", f"<think>\nMaybe {decoy}? No.\n</think>\n\n{ground.right}"


FAMILIES = (
    Family("right", right, expect="paid", cases=8),
    Family("right after thought", right_after_thought, expect="paid", grave=False),
)
