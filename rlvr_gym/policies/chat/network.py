"""One event loop per process, in a thread of its own, on which all requests to endpoints run.

A request that runs as a task can be cancelled wherever it waits: in the name look-up, between two bytes of a header,
in a body that trickles. The time limits of a blocking client hold per read, so that a slow sender outlasts them.
"""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import Coroutine
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    import httpx

T = TypeVar("T")


class Network:
    """The loop and the client of this process."""

    def __init__(self) -> None:
        import httpx

        # No limits of its own: each call has one deadline over all it asks. Redirects could take the key elsewhere.
        self.client: httpx.AsyncClient = httpx.AsyncClient(
            timeout=None,
            follow_redirects=False,
            limits=httpx.Limits(max_connections=None, keepalive_expiry=5.0),
        )
        self._loop = asyncio.new_event_loop()
        threading.Thread(target=self._loop.run_forever, name="chat-network", daemon=True).start()

    async def arun(self, work: Coroutine[Any, Any, T]) -> T:
        """Return the result of ``work`` without blocking the caller's loop; cancelling this cancels it."""
        return await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(work, self._loop))

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """Return the result of ``work``; an interruption of the caller cancels it."""
        future = asyncio.run_coroutine_threadsafe(work, self._loop)
        try:
            return future.result()
        finally:
            future.cancel()


_network: Network | None = None
_lock = threading.Lock()


def network() -> Network:
    """Return this process's network, made when first asked for."""
    global _network
    with _lock:
        if _network is None:
            _network = Network()
        return _network


def _after_fork() -> None:
    # Threads do not survive a fork, and the connections are the parent's.
    global _network, _lock
    _network, _lock = None, threading.Lock()


os.register_at_fork(after_in_child=_after_fork)
