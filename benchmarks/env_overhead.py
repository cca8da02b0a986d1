"""Time that an environment adds to a verification: reset and step against the bare call of the verifier.

CPU time of one process; both sides are interleaved and medians compared.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable

from rlvr_gym.envs import TaskEnv, make
from rlvr_gym.types import Task

TARGET_US = 50.0


def main() -> None:
    """Print microseconds per episode of one turn, with and without the environment."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--calls", type=int, default=2_000, help="episodes per round")
    parser.add_argument("--rounds", type=int, default=7)
    options = parser.parse_args()
    worst = 0.0
    for id in ("sums-v0", "integral-v0"):
        env = make(id, seed=0)
        cases = [(task, env.oracle(task) or "") for task in env.tasks(50, seed=0)]
        bare, played, opened = [], [], []
        for _ in range(options.rounds):
            bare.append(microseconds(env.verifier.check, cases, options.calls))
            played.append(
                microseconds(lambda task, answer, env=env: episode(env, task, answer), cases, options.calls)
            )
            opened.append(
                microseconds(
                    lambda task, answer, env=env: env.reset(options={"task": task}), cases, options.calls
                )
            )
        low, high, reset = map(statistics.median, (bare, played, opened))
        worst = max(worst, high - low)
        print(
            f"{id}: verifier {low:.1f} us, reset and step {high:.1f} us (reset {reset:.1f}), "
            f"overhead {high - low:.1f} us, ratio {high / low:.2f}"
        )
    print(
        f"largest overhead {worst:.1f} us, target at most {TARGET_US:.0f}: {'met' if worst <= TARGET_US else 'MISSED'}"
    )


def episode(env: TaskEnv, task: Task, answer: str) -> None:
    """Play one episode of one turn."""
    env.reset(options={"task": task})
    env.step(answer)


def microseconds(call: Callable[[Task, str], object], cases: list[tuple[Task, str]], calls: int) -> float:
    """Return CPU microseconds per call, over the cases in turn."""
    start = time.process_time()
    for index in range(calls):
        call(*cases[index % len(cases)])
    return (time.process_time() - start) / calls * 1e6


if __name__ == "__main__":
    main()
