"""FLINT's working precision, which is one global number of the process, held by one thread at a time."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager

from flint import ctx

_LOCK = threading.RLock()


@contextmanager
def ball_precision(bits: int) -> Iterator[None]:
    """Work at ``bits`` bits inside the ``with`` block; other threads that use this wait.

    Balls stay true enclosures at any precision, so the lock protects speed and repeatability, not soundness.
    """
    with _LOCK:
        before = ctx.prec
        ctx.prec = bits
        try:
            yield
        finally:
            ctx.prec = before
