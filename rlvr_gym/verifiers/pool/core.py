"""`VerifierPool`: calls that always end."""

from __future__ import annotations

import contextlib
import itertools
import math
import os
import pickle
import signal
import threading
import weakref
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, replace
from typing import Any

from rlvr_gym.errors import UsageError
from rlvr_gym.types import Json, Status, Verdict
from rlvr_gym.verifiers.pool import reply, wire
from rlvr_gym.verifiers.pool.drive import Late, Steps, aside, block, wait_for
from rlvr_gym.verifiers.pool.exchange import Exchange
from rlvr_gym.verifiers.pool.process import ForkServerHandle, Lost, WorkerHandle
from rlvr_gym.verifiers.pool.reference import Reference
from rlvr_gym.verifiers.pool.state import PoolStats, State
from rlvr_gym.verifiers.pool.worker import Limits

_RETRIES = 3
"""Further workers that a call is given when its worker is lost."""


@dataclass(frozen=True, slots=True)
class _Job:
    number: int
    """Number of the function."""
    reference: bytes
    arguments: bytes
    timeout_s: float
    several: bool

    def frame(self, worker: WorkerHandle) -> bytes:
        reference = b"" if self.number in worker.loaded else self.reference
        sizes = len(reference), len(self.arguments)
        return wire.JOB.pack(self.number, *sizes, self.timeout_s, self.several) + reference + self.arguments


class VerifierPool:
    """Runs functions in killable worker processes; callable from any thread and from asyncio.

    A call occupies one of ``workers`` slots. Callers beyond that wait for their turn in the order they
    came; nothing else is queued. One more worker than is needed is kept warm, so that after a kill the
    next call starts at once. A pool that is used in a fork of the process that made it starts workers
    of its own there. The parent needs no signal handlers and no threads. Linux only.

    Args:
        workers: Calls that run at the same time.
        memory_mib: Address space of each worker, in MiB.
        max_jobs: Calls after which a worker is replaced.
        open_files: Descriptors that a worker may have open.
        start_s: Limit for a worker's start and for the import of a function, in seconds.

    Example:
        >>> import math
        >>> with VerifierPool(workers=1) as pool:
        ...     pool.call(math.hypot, (3, 4), timeout_s=1.0)
        5.0
    """

    def __init__(
        self,
        workers: int = 2,
        memory_mib: int = 1024,
        *,
        max_jobs: int = 1000,
        open_files: int = 256,
        start_s: float = 60.0,
    ) -> None:
        if workers < 1 or max_jobs < 1:
            raise UsageError(
                f"a pool needs at least one worker and one job each, got {workers} and {max_jobs}."
            )
        self.workers = workers
        self._limits = Limits(memory_mib, open_files)
        self._max_jobs = max_jobs
        self._start_s = start_s
        self._functions: dict[tuple[Callable[..., Any], tuple[str, ...]], tuple[int, bytes]] = {}
        self._preload: dict[str, None] = {}
        self._numbers = itertools.count(1)
        self._begin()
        _POOLS.add(self)

    def call(
        self,
        function: Callable[..., Any],
        args: Sequence[Any],
        *,
        timeout_s: float,
        preload: Sequence[str] = (),
    ) -> Verdict | Json:
        """Return ``function(*args)`` from a worker; never takes longer than the limit once it has one.

        Args:
            function: Function at the top of a module or of the running script; it returns a `Verdict` or JSON.
            args: Its arguments, which must pickle.
            timeout_s: Wall-clock limit in seconds.
            preload: Modules that the function imports inside itself; loading them is not on the clock.

        Returns:
            What the function returned. A call that hits a limit of time, CPU time or memory gives a verdict
            with status ``timeout``; one whose worker is lost on every try one with ``infrastructure``.

        Raises:
            VerifierBug: the function raised, with its traceback.
            RLVRError: the function raised this deliberate error, such as `TaskError`.
            UsageError: no worker can find the function, or the pool is closed.
        """
        return block(self._steps(self._job(function, args, timeout_s, preload, several=False)))

    def call_several(
        self,
        function: Callable[..., Any],
        args: Sequence[Sequence[Any]],
        *,
        timeout_s: float,
        preload: Sequence[str] = (),
    ) -> list[Any] | Verdict:
        """Return ``[function(*a) for a in args]`` from one worker, or the verdict on the limit that all of it hit."""
        result = block(self._steps(self._job(function, args, timeout_s, preload, several=True)))
        assert isinstance(result, list | Verdict), "a worker answers several calls with a list"
        return result

    async def acall(
        self,
        function: Callable[..., Any],
        args: Sequence[Any],
        *,
        timeout_s: float,
        preload: Sequence[str] = (),
    ) -> Verdict | Json:
        """Return what `call` returns, without blocking the event loop; cancelling it kills the worker."""
        return await aside(self._steps(self._job(function, args, timeout_s, preload, several=False)))

    @property
    def closed(self) -> bool:
        """Whether `close` has been called."""
        return self._own().closed

    def stats(self) -> PoolStats:
        """Return the counters."""
        return self._own().stats()

    def close(self) -> None:
        """End all workers; calls that run get the status ``infrastructure``, later ones a `UsageError`."""
        self._own().close()

    def __enter__(self) -> VerifierPool:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _own(self) -> State:
        """Return this process's state."""
        if self._state.pid != os.getpid():
            self._forked()
        return self._state

    def _forked(self) -> None:
        """Leave the parent's workers alone and start anew."""
        parent = self._state
        self._finalizer.detach()
        self._begin()
        self._state.closed = parent.closed
        parent.forget()

    def _begin(self) -> None:
        self._state = State()
        # A pool that is dropped, or whose process ends, takes its workers with it.
        self._finalizer = weakref.finalize(self, self._state.close)

    def _job(
        self,
        function: Callable[..., Any],
        args: Any,
        timeout_s: float,
        preload: Sequence[str],
        *,
        several: bool,
    ) -> _Job:
        key = function, tuple(preload)
        try:
            known = self._functions.get(key)
        except TypeError:
            raise UsageError(
                f"{function!r} cannot run in a worker: a judge is a function, not an object."
            ) from None
        if known is None:
            reference = Reference.of(function, preload)
            # Modules of ours and those named are known to start no threads; the fork server may import them.
            own = [reference.module] if reference.module.startswith("rlvr_gym.") else []
            self._preload.update(dict.fromkeys([*own, *preload]))
            known = self._functions.setdefault(key, (next(self._numbers), reference.encode()))
        try:
            arguments = pickle.dumps(args, protocol=pickle.HIGHEST_PROTOCOL)
        except (pickle.PicklingError, AttributeError, TypeError) as error:
            raise UsageError(
                f"{function.__qualname__}: its arguments cannot go to a worker: {error}"
            ) from None
        return _Job(known[0], known[1], arguments, timeout_s, several)

    def _steps(self, job: _Job) -> Steps:
        """Make one call, yielding whatever has to be waited for; threads and event loops differ only there."""
        state = self._own()
        turn = self._line_up(state)
        if turn is not None:
            try:
                yield turn
            except BaseException:
                self._step_out(state, turn)
                raise
        try:
            for tries in range(1, _RETRIES + 2):
                try:
                    result = yield from self._attempt(state, job)
                except Lost as error:
                    lost = error
                    if state.closed:
                        break
                else:
                    return (
                        replace(result, tries=tries) if isinstance(result, Verdict) and tries > 1 else result
                    )
            return Verdict.of(
                Status.INFRASTRUCTURE, f"lost {tries} workers, the last because {lost}", tries=tries
            )
        finally:
            self._release(state)

    def _attempt(self, state: State, job: _Job) -> Steps:
        worker = self._take(state)
        try:
            exchange = Exchange(worker, job.number, job.timeout_s, self._start_s)
            rest = memoryview(job.frame(worker))
            while rest:
                rest = rest[worker.send(rest) :]
                if rest:
                    yield from wait_for(exchange, worker, write=True)
            while exchange.reply is None:
                yield from wait_for(exchange, worker, write=False)
                data = worker.receive()
                if data is not None:
                    exchange.feed(data)
        except Late:
            return self._late(state, worker, exchange, job)
        except Lost:
            self._retire(state, worker, "lost")
            raise
        except BaseException:
            self._retire(state, worker, "cancelled")
            raise
        return self._conclude(state, worker, exchange, job)

    def _late(self, state: State, worker: WorkerHandle, exchange: Exchange, job: _Job) -> Verdict:
        if exchange.running:
            self._retire(state, worker, "killed", exchange)
            return _killed(f"{job.timeout_s:g} s")
        message = worker.message()
        self._retire(state, worker, "lost")
        if worker.pid is None:
            self._drop_server(state, worker.server)
        reason = f"a worker did not import the judge within {self._start_s:g} s"
        return Verdict.of(Status.INFRASTRUCTURE, f"{reason}: {message}" if message else reason)

    def _conclude(self, state: State, worker: WorkerHandle, exchange: Exchange, job: _Job) -> Verdict | Json:
        assert exchange.reply is not None, "the exchange has ended"
        kind, body = exchange.reply
        if kind == wire.MEMORY:
            self._retire(state, worker, "killed", exchange)
            return _killed(f"{self._limits.memory_mib} MiB of memory")
        if kind == wire.DIED:
            return self._died(state, worker, exchange, job, int(body))
        try:
            value = reply.unpack(kind, body, several=job.several)
        except (ValueError, KeyError, TypeError) as error:
            self._retire(state, worker, "lost")
            raise Lost(f"its reply was no reply: {error}") from None
        self._give_back(state, worker, exchange)
        if isinstance(value, Exception):
            raise value
        return value

    def _died(
        self, state: State, worker: WorkerHandle, exchange: Exchange, job: _Job, status: int
    ) -> Verdict:
        message = worker.message()
        if status == -signal.SIGXCPU:
            self._retire(state, worker, "killed", exchange)
            return _killed(f"{math.floor(job.timeout_s) + 1} s of CPU time")
        # The big-number libraries abort the process when memory is refused, and say so.
        if status == -signal.SIGABRT and ("alloc" in message or "memory" in message):
            self._retire(state, worker, "killed", exchange)
            return _killed(f"{self._limits.memory_mib} MiB of memory")
        self._retire(state, worker, "lost")
        how = (
            f"it exited with status {status}" if status >= 0 else f"it died of {signal.Signals(-status).name}"
        )
        raise Lost(f"{how}: {message}" if message else how)

    def _line_up(self, state: State) -> Future[None] | None:
        """Return None with a slot taken, or the future that will bring one."""
        with state.lock:
            if state.busy < self.workers:
                state.busy += 1
                return None
            turn: Future[None] = Future()
            state.waiters.append(turn)
            return turn

    def _step_out(self, state: State, turn: Future[None]) -> None:
        if not turn.cancel():
            # The slot came at the same moment.
            self._release(state)
            return
        with state.lock:
            if turn in state.waiters:
                state.waiters.remove(turn)

    def _release(self, state: State) -> None:
        """Hand the slot to the first in line."""
        with state.lock:
            state.counts["calls"] += 1
            while state.waiters:
                turn = state.waiters.popleft()
                if turn.set_running_or_notify_cancel():
                    break
            else:
                state.busy -= 1
                return
        turn.set_result(None)

    def _take(self, state: State) -> WorkerHandle:
        """Return a worker and see to it that another is warm.

        Raises:
            Lost: none can be started.
        """
        while True:
            with state.lock:
                if state.closed:
                    raise UsageError("the verifier pool is closed.")
                try:
                    worker = state.idle.pop() if state.idle else self._start(state)
                except OSError as error:
                    raise Lost(f"no worker could be started: {error}") from None
                if not state.idle and len(state.workers) <= self.workers:
                    # A spare can wait: there is a worker for this call.
                    with contextlib.suppress(OSError, Lost):
                        state.idle.append(self._start(state))
            if worker.alive():
                return worker
            self._retire(state, worker, "lost")

    def _start(self, state: State) -> WorkerHandle:
        references = [reference for _, reference in list(self._functions.values())]
        try:
            return self._fork(state, references)
        except Lost:
            # It was killed from outside, and its workers died with it.
            assert state.server is not None, "it was there to be lost"
            state.server.close()
            state.server = None
            return self._fork(state, references)

    def _fork(self, state: State, references: Sequence[bytes]) -> WorkerHandle:
        if state.server is None:
            state.server = ForkServerHandle(self._limits)
        state.server.preload(list(self._preload))
        worker = state.server.start(references)
        state.workers.add(worker)
        return worker

    def _drop_server(self, state: State, server: ForkServerHandle) -> None:
        """Give up a fork server that no longer forks; its workers end with it."""
        with state.lock:
            if state.server is not server:
                return
            state.server = None
            state.idle.clear()
        server.close()

    def _give_back(self, state: State, worker: WorkerHandle, exchange: Exchange) -> None:
        worker.jobs += 1
        if not exchange.clean:
            self._retire(state, worker, "lost", exchange)
        elif worker.jobs >= self._max_jobs:
            self._retire(state, worker, "recycled", exchange)
        else:
            with state.lock:
                state.latencies.append(exchange.seconds)
                if not state.closed:
                    state.idle.append(worker)
                    return
            worker.close()

    def _retire(self, state: State, worker: WorkerHandle, why: str, exchange: Exchange | None = None) -> None:
        """Kill the worker and count it."""
        with state.lock:
            state.counts[why] += 1
            if exchange is not None:
                state.latencies.append(exchange.seconds)
            state.workers.discard(worker)
            if not state.closed:
                worker.kill()
        worker.server.end(worker.number)
        worker.close()


def _killed(limit: str) -> Verdict:
    return Verdict.of(Status.TIMEOUT, f"the verifier was killed at its limit of {limit}")


_POOLS: weakref.WeakSet[VerifierPool] = weakref.WeakSet()
_shared: VerifierPool | None = None
_shared_lock = threading.Lock()


def shared_pool() -> VerifierPool:
    """Return the pool of this process, made when first asked for; it is as wide as the machine, at most 8."""
    global _shared
    with _shared_lock:
        if _shared is None or _shared.closed:
            _shared = VerifierPool(max(2, min(8, len(os.sched_getaffinity(0)))))
        return _shared


def _after_fork() -> None:
    global _shared_lock
    _shared_lock = threading.Lock()
    for pool in list(_POOLS):
        pool._forked()


os.register_at_fork(after_in_child=_after_fork)
