"""Named places where a run may die, so that tests can kill a process exactly there."""

from __future__ import annotations

from collections.abc import Callable

TRANSACTIONS = ("planned", "settled", "memo", "event", "metrics", "commit", "rollback")
"""What is written in one transaction each: ``<name>-inside`` is before its end, ``<name>-after`` behind it."""

CRASH_POINTS = (
    "create-built",
    "create-renamed",
    "blob-half",
    "blob-written",
    "blob-synced",
    "checkpoint-half",
    "checkpoint-written",
    "checkpoint-renamed",
    "mirror-half",
    *(f"{name}-{where}" for name in TRANSACTIONS for where in ("inside", "after")),
    "sft",
)
"""Every name given to ``reached``; ``sft`` is reached by the loop between two steps of supervised training."""

_hook: Callable[[str], None] | None = None


def reached(name: str) -> None:
    """Tell the hook, if a test has set one, that the run is at ``name``."""
    if _hook is not None:
        _hook(name)


def set_hook(hook: Callable[[str], None] | None) -> None:
    """Call ``hook`` with the name of every point that is reached from now on; None ends it."""
    global _hook
    _hook = hook
