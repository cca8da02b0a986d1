"""The judging process: one request per line in, one reply per line out, until the input ends."""

from __future__ import annotations

import asyncio
import ctypes
import gc
import itertools
import json
import os
import resource
import signal
import sys
import tracemalloc
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from pathlib import Path
from typing import Any, TextIO

from rlvr_gym.errors import RLVRError
from rlvr_gym.testing.audit.outcome import Outcome
from rlvr_gym.testing.audit.subject import Call, Subject
from rlvr_gym.testing.audit.target import Target
from rlvr_gym.testing.audit.traces import changed, prepared, state
from rlvr_gym.types import Json

_MEMORY = 8 << 30
_PR_SET_PDEATHSIG = 1
_THREADS = 4
MEMORY_WINDOWS = 5
"""Every window but the first must grow for a leak; what grows once is a cache."""


def main() -> None:
    """Serve one audit; the descriptor for replies is the first argument."""
    # What hangs when the parent is killed would hang for ever.
    ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    hard = resource.getrlimit(resource.RLIMIT_DATA)[1]
    limit = _MEMORY if hard == resource.RLIM_INFINITY else min(_MEMORY, hard)
    # A text that asks for a gigantic number is answered by a MemoryError, not by the machine going down. Address
    # space that is only reserved, as GPU libraries do, is not counted.
    resource.setrlimit(resource.RLIMIT_DATA, (limit, hard))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    with os.fdopen(int(sys.argv[1]), "w", encoding="ascii") as replies:
        requests = iter(sys.stdin.buffer.readline, b"")
        try:
            subject = Target.from_dict(json.loads(next(requests))).open()
        except RLVRError as error:
            _reply(replies, {"error": str(error)})
            return
        _reply(replies, {"examples": [asdict(example) for example in subject.examples]})
        for line in requests:
            request = json.loads(line)
            _reply(replies, _OPERATIONS[request.pop("do")](subject, **request))


def _reply(replies: TextIO, row: Json) -> None:
    # Not finite numbers and lone surrogates pass through JSON as Python writes it.
    replies.write(json.dumps(row) + "\n")
    replies.flush()


def _judge(subject: Subject, call: Mapping[str, Json]) -> Json:
    return subject.judge(_call(call)).to_dict()


def _call(row: Mapping[str, Json]) -> Call:
    return Call(**{**row, "reference": tuple(row.get("reference", ()))})


def _fresh(row: Mapping[str, Json]) -> Call:
    # A text of its own each time, as from a sampler: what is kept of it is then seen as memory.
    return _call({**row, "text": (row["text"] + " ")[:-1]})


def _twin(subject: Subject, calls: list[Json]) -> Json:
    """Judge with a second thing of the same settings."""
    other = subject.twin()
    return [other.judge(_call(call)).to_dict() for call in calls]


def _threads(subject: Subject, calls: list[Json]) -> Json:
    """Judge from several threads at once, none of them the main thread."""
    with ThreadPoolExecutor(_THREADS) as threads:
        return [o.to_dict() for o in threads.map(subject.judge, [_call(call) for call in calls])]


def _asyncio(subject: Subject, calls: list[Json]) -> Json:
    """Judge from coroutines at once."""

    async def together() -> list[Outcome]:
        return list(await asyncio.gather(*(subject.ajudge(_call(call)) for call in calls)))

    return [outcome.to_dict() for outcome in asyncio.run(together())]


def _memory(subject: Subject, calls: list[Json], times: int) -> Json:
    """Return the bytes that one more call keeps, over windows of calls after a first that fills caches.

    ``python`` is what Python's allocator counts exactly, ``resident`` what the process holds, which C libraries too
    can grow, and which grows in steps.
    """
    tracemalloc.start()
    try:
        held = [_held(subject, calls, times) for _ in range(MEMORY_WINDOWS)]
    finally:
        tracemalloc.stop()
    per_window = times * len(calls)
    python, resident = zip(*held, strict=True)
    return {
        "python": min(b - a for a, b in itertools.pairwise(python)) / per_window,
        "resident": min(b - a for a, b in itertools.pairwise(resident)) / per_window,
    }


def _held(subject: Subject, calls: list[Json], times: int) -> tuple[int, int]:
    for call in _repeated(calls, times):
        subject.judge(call)
    gc.collect()
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return tracemalloc.get_traced_memory()[0], pages * resource.getpagesize()


def _repeated(calls: list[Json], times: int) -> Iterator[Call]:
    for _ in range(times):
        yield from map(_fresh, calls)


def _traces(subject: Subject, calls: list[Json]) -> Json:
    """Return what judging changes in the process it runs in."""
    for call in calls:
        subject.judge(_call(call))
    found: dict[str, str] = {}
    for call in calls:
        before = prepared()
        subject.judge(_call(call))
        found |= changed(before, state())
    return found


_OPERATIONS: Mapping[str, Callable[..., Json]] = {
    "judge": _judge,
    "twin": _twin,
    "threads": _threads,
    "asyncio": _asyncio,
    "memory": _memory,
    "traces": _traces,
}


def request(do: str, **arguments: Any) -> bytes:
    """Return the line that asks for an operation."""
    return json.dumps({"do": do, **arguments}).encode() + b"\n"
