"""Making one call wait, in a thread or in an event loop.

A call is a generator that yields whatever it has to wait for, so that what a call does is written once.
"""

from __future__ import annotations

import asyncio
import math
import select
import time
from collections.abc import Generator
from concurrent.futures import Future
from dataclasses import dataclass
from typing import Any, TypeAlias

from rlvr_gym.verifiers.pool.exchange import Exchange
from rlvr_gym.verifiers.pool.process import WorkerHandle


class Late(Exception):
    """The deadline has passed."""


@dataclass(frozen=True, slots=True)
class Link:
    """What a call waits for: its worker's link, until the deadline."""

    worker: WorkerHandle
    write: bool
    deadline: float


Steps: TypeAlias = "Generator[Link | Future[None], None, Any]"


def wait_for(exchange: Exchange, worker: WorkerHandle, *, write: bool) -> Generator[Link, None, None]:
    """Wait until the worker's link can be read, or written to.

    Raises:
        Late: the deadline of the exchange has passed.
    """
    if time.monotonic() >= exchange.deadline:
        raise Late
    yield Link(worker, write, exchange.deadline)


def block(steps: Steps) -> Any:
    """Run a call in this thread."""
    try:
        wait = next(steps)
        while True:
            try:
                if isinstance(wait, Link):
                    _poll(wait)
                else:
                    wait.result()
            except BaseException as error:
                wait = steps.throw(error)
            else:
                wait = next(steps)
    except StopIteration as stop:
        return stop.value


def _poll(wait: Link) -> None:
    worker = wait.worker
    if wait.write:
        worker.poll.modify(worker.link, select.POLLIN | select.POLLOUT)
    left_ms = math.ceil(1000 * (wait.deadline - time.monotonic()))
    for fd, _ in worker.poll.poll(max(0, left_ms)):
        if fd == worker.output:
            worker.drain()
    if wait.write:
        worker.poll.modify(worker.link, select.POLLIN)


async def aside(steps: Steps) -> Any:
    """Run a call in the event loop."""
    try:
        wait = next(steps)
        while True:
            try:
                await (_listen(wait) if isinstance(wait, Link) else asyncio.wrap_future(wait))
            except BaseException as error:
                wait = steps.throw(error)
            else:
                wait = next(steps)
    except StopIteration as stop:
        return stop.value


async def _listen(wait: Link) -> None:
    loop = asyncio.get_running_loop()
    worker, ready = wait.worker, loop.create_future()

    def wake() -> None:
        if not ready.done():
            ready.set_result(None)

    def drain() -> None:
        worker.drain()
        if worker.heard:
            loop.remove_reader(worker.output)

    timer = loop.call_later(max(0.0, wait.deadline - time.monotonic()), wake)
    loop.add_reader(worker.link, wake)
    if wait.write:
        loop.add_writer(worker.link, wake)
    if not worker.heard:
        loop.add_reader(worker.output, drain)
    try:
        await ready
    finally:
        timer.cancel()
        loop.remove_reader(worker.link)
        loop.remove_writer(worker.link)
        loop.remove_reader(worker.output)
