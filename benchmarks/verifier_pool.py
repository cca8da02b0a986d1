"""What a killable worker costs: overhead per call, and the time a kill takes until the next verdict.

Run: python benchmarks/verifier_pool.py [--calls 5000]

The floor is a bare pipe between two processes that echo one byte, measured in turns with the calls: no pool
that keeps the judge in another process can cost less.
"""

from __future__ import annotations

import argparse
import os
import statistics
import time
from collections.abc import Callable
from typing import Any

from rlvr_gym.config import Config, NoConfig
from rlvr_gym.types import Status, Task, Verdict
from rlvr_gym.verifiers.pool import VerifierPool

TASK = Task(id="t", prompt="Find an antiderivative of x^2.", reference="x^2")
RESPONSE = "The antiderivative is \\boxed{x^3/3 + C}."
PASSED = Verdict.of(Status.PASSED, "equal")


def judge(task: Task, response: str, config: Config) -> Verdict:
    """Return at once: what is measured is all around it."""
    return PASSED


def hang() -> int:
    """One call of C code that looks at no signal."""
    return 10**10**9


def cpu_s() -> float:
    """Return the CPU time of the worker that happens to answer."""
    return time.process_time()


def pipe_echo(calls: int) -> float:
    """Return the wall time of one byte there and back, in seconds."""
    (there_out, there_in), (back_out, back_in) = os.pipe(), os.pipe()
    if os.fork() == 0:
        os.close(there_in)
        while byte := os.read(there_out, 1):
            os.write(back_in, byte)
        os._exit(0)
    start = time.perf_counter()
    for _ in range(calls):
        os.write(there_in, b"x")
        os.read(back_out, 1)
    seconds = (time.perf_counter() - start) / calls
    for fd in (there_out, there_in, back_out, back_in):
        os.close(fd)
    os.wait()
    return seconds


def timed(action: Callable[[], Any]) -> tuple[float, float]:
    """Return the wall and CPU time of an action, in seconds."""
    wall, cpu = time.perf_counter(), time.process_time()
    action()
    return time.perf_counter() - wall, time.process_time() - cpu


def overhead(pool: VerifierPool, calls: int, rounds: int) -> None:
    """Print the cost of a call whose judge does nothing."""
    arguments = (TASK, RESPONSE, NoConfig())

    def one_by_one() -> None:
        for _ in range(calls):
            pool.call(judge, arguments, timeout_s=5.0)

    def in_lists() -> None:
        for _ in range(calls // 32):
            pool.call_several(judge, [arguments] * 32, timeout_s=5.0)

    def here() -> None:
        for _ in range(calls):
            judge(*arguments)

    rows: dict[str, list[float]] = {}
    for _ in range(rounds):
        rows.setdefault("pipe", []).append(pipe_echo(calls))
        rows.setdefault("here", []).append(timed(here)[0] / calls)
        before = pool.call(cpu_s, (), timeout_s=5.0)
        wall, cpu = timed(one_by_one)
        worker = pool.call(cpu_s, (), timeout_s=5.0) - before
        rows.setdefault("wall", []).append(wall / calls)
        rows.setdefault("cpu", []).append((cpu + worker) / calls)
        rows.setdefault("list", []).append(timed(in_lists)[0] / (calls // 32 * 32))
    us = {name: 1e6 * min(values) for name, values in rows.items()}
    print(f"judge called in place            {us['here']:8.2f} us")
    print(f"bare pipe, one byte and back     {us['pipe']:8.1f} us")
    print(
        f"pool, one call: wall             {us['wall']:8.1f} us   {us['wall'] / us['pipe']:.1f} x the bare pipe"
    )
    print(f"pool, one call: CPU, both sides  {us['cpu']:8.1f} us")
    print(f"pool, 32 calls at once: wall     {us['list']:8.1f} us per call")


def kills(pool: VerifierPool, rounds: int, limit_s: float) -> None:
    """Print how long a kill takes and how long the next call then takes."""
    late, after = [], []
    for _ in range(rounds):
        late.append(timed(lambda: pool.call(hang, (), timeout_s=limit_s))[0] - limit_s)
        after.append(timed(lambda: pool.call(cpu_s, (), timeout_s=5.0))[0])
    print(
        f"hang at a limit of {limit_s:g} s: verdict  {1e3 * statistics.median(late):8.2f} ms after the limit"
    )
    print(f"next call after a kill           {1e3 * statistics.median(after):8.2f} ms")
    both = 1e3 * statistics.median(a + b for a, b in zip(late, after, strict=True))
    print(f"kill and replace                 {both:8.2f} ms (median of {rounds})")


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--calls", type=int, default=3000)
    parser.add_argument("--rounds", type=int, default=5)
    arguments = parser.parse_args()
    # One worker, so that both readings of its CPU time are of the same process.
    with VerifierPool(workers=1, max_jobs=10**9) as pool:
        print(
            f"first call, from nothing         {1e3 * timed(lambda: pool.call(cpu_s, (), timeout_s=5.0))[0]:8.1f} ms"
        )
        overhead(pool, arguments.calls, arguments.rounds)
        kills(pool, 4 * arguments.rounds, 0.2)
        stats = pool.stats()
        print(f"{stats.calls} calls, {stats.killed} killed, {stats.lost} lost")


if __name__ == "__main__":
    main()
