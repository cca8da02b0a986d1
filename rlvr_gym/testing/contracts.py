"""Running contracts: each is a function that raises when its claim does not hold."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from typing import TypeVar

from rlvr_gym.types import Check

T = TypeVar("T")
HOSTILE_LIMIT_S = 2.0
# A busy machine can make a fast verdict late, but not three times in a row.
_TRIES = 3


def run_contract(name: str, contract: Callable[[], str | None]) -> Check:
    """Return whether ``contract`` holds; a claim that does not hold may show as any exception."""
    try:
        detail = contract()
    except Exception as error:
        return Check(name, False, f"{type(error).__name__}: {error}")
    return Check(name, True, detail or "")


def require(checks: Iterable[Check]) -> None:
    """Raise when any of ``checks`` failed; for tests.

    Raises:
        AssertionError: with one line per failed check.
    """
    failed = [f"{check.name}: {check.detail}" for check in checks if not check.passed]
    if failed:
        raise AssertionError("\n".join(failed))


def within_limit(call: Callable[[], T], *, what: str) -> T:
    """Return ``call()``, which must take less than two seconds.

    Raises:
        AssertionError: when it never does.
    """
    seconds = 0.0
    for _ in range(_TRIES):
        start = time.perf_counter()
        result = call()
        seconds = time.perf_counter() - start
        if seconds < HOSTILE_LIMIT_S:
            return result
    raise AssertionError(f"{what}: a verdict took {seconds:.1f} s, more than {HOSTILE_LIMIT_S} s")
