"""How quick the embedded Verus verifier is: programs a second on one core, memory, and what a hostile program costs.

Run: python benchmarks/verus.py [--rounds 5]

The programs are those of ``verus-v0`` with their proofs: the small ones (grades 1 and 2) are of the size of published
Dafny2Verus solutions, the medium ones (grades 3 to 5) of that of MBPP solutions. The floor is the solver alone: a fresh
context that proves one line of arithmetic. Times are CPU times of one process; the rate is that of the median program.
"""

from __future__ import annotations

import argparse
import resource
import statistics
import time
from collections.abc import Callable, Sequence

import z3

from rlvr_gym.envs.verus_problems import problems
from rlvr_gym.verifiers.pool import VerifierPool
from rlvr_gym.verifiers.verus.checks import check
from rlvr_gym.verifiers.verus.engine import verify
from rlvr_gym.verifiers.verus.inference.program import infer
from rlvr_gym.verifiers.verus.judging import PRELOAD, embedded_report
from rlvr_gym.verifiers.verus.lowering import lower
from rlvr_gym.verifiers.verus.syntax.parser import parse

WISHED = {"small": 60.0, "medium": 25.0}
"""Programs a second."""
LIMIT_S = 2.0
HEAD = "use vstd::prelude::*; verus! { "
HOSTILE = {
    "cubes": HEAD + "proof fn f(x: int, y: int, z: int) { assert(x * x * x + y * y * y != z * z * z + 33) by (nonlinear_arith); } }",
    "matching": HEAD + "proof fn f(g: spec_fn(int) -> int) requires forall|x: int| #[trigger] g(x) == g(g(x + 1)) + 1 { assert(g(0) == 7); } }",
    "bits": HEAD + "proof fn f(x: u64, y: u64) { assert(x * y == 18446744073709551557 ==> x == 1 || y == 1) by (bit_vector); } }",
    "deep": HEAD + "spec fn f() -> int { " + "(" * 5000 + "1" + ")" * 5000 + " } }",
    "wide": HEAD + "proof fn f(x: int) { " + "assert(x * x >= 0);" * 3000 + " } }",
    "fibonacci": HEAD + "spec fn f(n: nat) -> nat decreases n { if n < 2 { n } else { f((n - 1) as nat) + f((n - 2) as nat) } } proof fn p() { assert(f(60) == 1) by (compute_only); } }",
}  # fmt: skip


def cpu(run: Callable[[], object], rounds: int) -> float:
    """Return the least CPU time of one call, in seconds."""
    times = []
    for _ in range(rounds):
        start = time.process_time()
        run()
        times.append(time.process_time() - start)
    return min(times)


def floor() -> None:
    """Prove one line with the solver alone."""
    context = z3.Context()
    solver = z3.SimpleSolver(ctx=context)
    x = z3.Int("x", context)
    solver.add(x > 3, x < 3)
    assert solver.check() == z3.unsat


def front_end(source: str) -> None:
    """Do all but the proof."""
    crate = infer(parse(source), dialect="current")
    check(crate)
    lower(crate)


def rates(kind: str, sources: Sequence[str], rounds: int, floor_s: float) -> None:
    """Print the rate of the median program, and where its time goes."""
    for source in sources:
        assert verify(source).verified
    whole = [cpu(lambda source=source: verify(source), rounds) for source in sources]  # type: ignore[misc]
    front = [cpu(lambda source=source: front_end(source), rounds) for source in sources]  # type: ignore[misc]
    median = statistics.median(whole)
    print(
        f"{kind:7} {len(sources):3} programs  median {1000 * median:5.1f} ms = {1 / median:5.1f}/s (wished {WISHED[kind]:.0f})  "
        f"p90 {1000 * sorted(whole)[int(0.9 * len(whole))]:5.1f} ms  all but the proof {1000 * statistics.median(front):4.1f} ms  "
        f"{median / floor_s:5.1f}x the solver alone"
    )


def hostile() -> None:
    """Print how long hostile programs take in the killable pool, at a limit of two seconds."""
    with VerifierPool(workers=1) as pool:
        arguments = ("current", "", "", 1000.0, LIMIT_S, True)
        pool.call(embedded_report, (HEAD + "fn f() { } }", *arguments), timeout_s=30.0, preload=PRELOAD)
        for name, source in HOSTILE.items():
            start = time.perf_counter()
            found = pool.call(
                embedded_report, (source, *arguments), timeout_s=LIMIT_S * 1.05, preload=PRELOAD
            )
            seconds = time.perf_counter() - start
            outcome = found["outcome"] if isinstance(found, dict) else found.status
            print(
                f"hostile {name:10} {seconds:5.2f} s of {LIMIT_S:.0f} ({seconds / LIMIT_S:4.0%})  {outcome}"
            )


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rounds", type=int, default=5)
    rounds = parser.parse_args().rounds
    floor()
    floor_s = cpu(floor, 20)
    print(f"solver alone {1000 * floor_s:.2f} ms")
    rates("small", [p.source for p in problems() if p.difficulty <= 2], rounds, floor_s)
    rates("medium", [p.source for p in problems() if p.difficulty > 2], rounds, floor_s)
    print(f"memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MiB at most")
    hostile()


if __name__ == "__main__":
    main()
