"""``broadcast use`` among the items of a module."""

from __future__ import annotations

from rlvr_gym.verifiers.verus.errors import Rejected
from rlvr_gym.verifiers.verus.inference.crate import Crate


def check_broadcasts(crate: Crate) -> None:
    """Check that a module has one ``broadcast use`` at most.

    Raises:
        Rejected: it has several.
    """
    seen: set[str] = set()
    for item in crate.broadcasts:
        if item.name is not None:
            continue
        if item.module in seen:
            raise Rejected("a module can have one `broadcast use` only", item.place)
        seen.add(item.module)
