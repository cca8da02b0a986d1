"""How fast the integral verifier is, per CPU second of one core, and how sympy does on the same pairs.

Run: ``python benchmarks/integral_checks.py [--quick]``. Times are CPU times, so other jobs matter little.
Every check starts from two texts that were never seen before: reading them is included, on our side only.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

from integral_corpus import Pair, corpus, mutants

from rlvr_gym.types import Status, Task
from rlvr_gym.verifiers.integral import IntegralConfig, integral, read_reference

CONFIG = IntegralConfig()
SYMPY_LIMIT_S = 10.0


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="fewer pairs for sympy, with a shorter limit")
    parser.add_argument("--pairs", type=int, default=400)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--sympy-worker", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.sympy_worker:
        sympy_worker()
        return
    pairs = corpus(options.pairs, options.seed)
    times, statuses = check_all([(pair.integrand, pair.answer) for pair in pairs])
    print(f"pairs                          {len(pairs)} ({dict(statuses)})")
    print_times("check, texts never seen", times)
    # A group of attempts at one problem reads the problem once.
    times, _ = check_all([(pair.integrand, f"{pair.answer} + 1") for pair in pairs], fresh=False)
    print_times("check, problem seen before", times)

    rng = random.Random(options.seed)
    wrong = [(pair.integrand, mutant) for pair in pairs for mutant in mutants(pair, rng)]
    times, statuses = check_all(wrong)
    print(f"mutated answers                {len(wrong)} ({dict(statuses)})")
    print(f"mutated answers accepted       {statuses[Status.PASSED]}")
    print_times("check of a mutated answer", times)

    sample = random.Random(1).sample(pairs, min(len(pairs), 24 if options.quick else 120))
    limit_s = 2.0 if options.quick else SYMPY_LIMIT_S
    ours, _ = check_all([(pair.integrand, pair.answer) for pair in sample])
    seconds, found = sympy_all(sample, limit_s)
    print(f"sympy simplify(diff(F) - f)    {len(sample)} pairs, limit {limit_s:g} s ({dict(found)})")
    print(
        f"  mean                         {1e3 * sum(seconds) / len(seconds):.1f} ms, a timeout counting as its limit"
    )
    print(f"  ratio of means               {sum(seconds) / sum(ours):.0f}x")


def check_all(pairs: list[tuple[str, str]], *, fresh: bool = True) -> tuple[list[float], Counter[Status]]:
    """Return the CPU seconds of every check, and the statuses."""
    times, statuses = [], Counter[Status]()
    for integrand, answer in pairs:
        task = Task(id="benchmark", prompt="", reference=integrand)
        if fresh:
            # A space makes the text new to the cache of problems.
            task = Task(id="benchmark", prompt="", reference=f"{integrand} " + " " * random.randrange(50))
        else:
            read_reference(integrand)
        start = time.process_time()
        verdict = integral(task, answer, CONFIG)
        times.append(time.process_time() - start)
        statuses[verdict.status] += 1
    return times, statuses


def print_times(name: str, times: list[float]) -> None:
    """Print rate and quantiles."""
    ordered = sorted(times)
    p50, p99 = ordered[len(ordered) // 2], ordered[int(len(ordered) * 0.99)]
    print(f"{name:<30} {len(times) / sum(times):.0f} per second and core")
    print(f"  p50 / p99 / max              {1e3 * p50:.2f} / {1e3 * p99:.2f} / {1e3 * ordered[-1]:.2f} ms")


def sympy_all(pairs: list[Pair], limit_s: float) -> tuple[list[float], Counter[str]]:
    """Return sympy's CPU seconds per pair; a pair over the limit costs the limit and a new process."""
    seconds, found = [], Counter[str]()
    at = 0
    while at < len(pairs):
        worker = Worker()
        while at < len(pairs):
            answer = worker.ask(pairs[at], limit_s)
            at += 1
            if answer is None:
                seconds.append(limit_s)
                found["timeout"] += 1
                break
            seconds.append(answer["seconds"])
            found["zero" if answer["zero"] else "not zero"] += 1
        worker.close()
    return seconds, found


class Worker:
    """A process that simplifies one pair at a time and can be killed."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, str(Path(__file__)), "--sympy-worker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self._process.stdout is not None
        self._process.stdout.readline()

    def ask(self, pair: Pair, limit_s: float) -> dict[str, float] | None:
        """Return the worker's answer, or None when it took more than ``limit_s`` of CPU time."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps([pair.integrand, pair.answer]) + "\n")
        self._process.stdin.flush()
        os.set_blocking(self._process.stdout.fileno(), False)
        begun = cpu_seconds(self._process.pid)
        while not (line := self._process.stdout.readline()):
            if cpu_seconds(self._process.pid) - begun > limit_s:
                return None
            time.sleep(0.005)
        answer: dict[str, float] = json.loads(line)
        return answer

    def close(self) -> None:
        """End the process."""
        self._process.kill()
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            assert pipe is not None
            pipe.close()


def cpu_seconds(pid: int) -> float:
    """Return the CPU time a process has used."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def sympy_worker() -> None:
    """Answer pairs on standard input with sympy's verdict and its CPU time; reading the texts is not counted."""
    import sympy

    from rlvr_gym.verifiers.calculus import parse_answer, parse_integrand
    from rlvr_gym.verifiers.calculus.to_sympy import to_sympy

    x = sympy.Symbol("x", real=True)
    print("ready", flush=True)
    for line in sys.stdin:
        integrand, answer = json.loads(line)
        f, big = to_sympy(parse_integrand(integrand), "x"), to_sympy(parse_answer(answer).expr, "x")
        start = time.process_time()
        zero = sympy.simplify(sympy.diff(big, x) - f) == 0
        print(json.dumps({"zero": bool(zero), "seconds": time.process_time() - start}), flush=True)


if __name__ == "__main__":
    main()
