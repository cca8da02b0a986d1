"""What a pool holds in one process, and its figures."""

from __future__ import annotations

import os
import threading
from collections import deque
from concurrent.futures import Future
from dataclasses import dataclass

import numpy as np

from rlvr_gym.verifiers.pool.process import ForkServerHandle, WorkerHandle

_LATENCIES = 4096
"""Calls that the latency figures look back on."""


@dataclass(frozen=True, slots=True)
class PoolStats:
    """What a pool has done so far and is doing now."""

    busy: int
    """Workers with a call."""
    idle: int
    """Workers that are warm or warming up."""
    waiting: int
    """Calls that wait for a worker."""
    calls: int
    """Calls that had a worker and have ended, each counted once however many workers it took."""
    killed: int
    """Workers killed at a limit of time, CPU time or memory."""
    cancelled: int
    """Workers killed because their caller gave up."""
    lost: int
    """Workers that died by themselves."""
    recycled: int
    """Workers retired after their number of calls."""
    latency_p50_s: float
    """Median time of a call in a worker, waiting for one not included, over the last calls; 0 before the first."""
    latency_p99_s: float
    latency_max_s: float


class State:
    """What belongs to one process: a fork of the parent starts with a new one."""

    def __init__(self) -> None:
        self.pid = os.getpid()
        self.lock = threading.Lock()
        self.server: ForkServerHandle | None = None
        self.workers: set[WorkerHandle] = set()
        self.idle: list[WorkerHandle] = []
        self.busy = 0
        self.waiters: deque[Future[None]] = deque()
        self.closed = False
        self.latencies: deque[float] = deque(maxlen=_LATENCIES)
        self.counts = dict.fromkeys(("calls", "killed", "cancelled", "lost", "recycled"), 0)

    def forget(self) -> None:
        """Close this process's copies of descriptors that are the parent's."""
        for worker in list(self.workers):
            worker.close()
        if self.server is not None:
            self.server.forget()

    def close(self) -> None:
        """End all workers."""
        with self.lock:
            self.closed = True
            server, self.server = self.server, None
            idle, self.idle = self.idle, []
            for worker in idle:
                self.workers.discard(worker)
                worker.close()
            waiters, self.waiters = self.waiters, deque()
            self.busy += len(waiters)
        if server is not None and self.pid == os.getpid():
            server.close()
        for waiter in waiters:
            if waiter.set_running_or_notify_cancel():
                waiter.set_result(None)

    def stats(self) -> PoolStats:
        """Return the figures."""
        with self.lock:
            times = np.array(self.latencies or [0.0])
            return PoolStats(
                busy=self.busy,
                idle=len(self.idle),
                waiting=len(self.waiters),
                **self.counts,
                latency_p50_s=float(np.quantile(times, 0.5)),
                latency_p99_s=float(np.quantile(times, 0.99)),
                latency_max_s=float(times.max()),
            )
