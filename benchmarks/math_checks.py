"""How fast the ``math`` verifier is beside ``math-verify``, on one core and in one run.

Run: ``python benchmarks/math_checks.py [--quick]``; it needs ``pip install -e '.[bench]'``. Rates are verifications per
CPU second, gold and response read from text each time by both. The two take turns, so that other jobs slow both.
"""

from __future__ import annotations

import argparse
import gc
import logging
import random
import resource
import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from math_verify import parse
from math_verify import verify as their_verify
from rich import box
from rich.console import Console
from rich.table import Table

from rlvr_gym.testing import HOSTILE
from rlvr_gym.types import Task
from rlvr_gym.verifiers import Verifier, verifier

TARGETS = {"integers": 200, "fractions": 50, "surds": 50, "polynomials": 50, "trigonometric identities": 200}
"""Times the rate of math-verify that each kind is to reach."""
ROUNDS = 5


@dataclass(frozen=True, slots=True)
class Pair:
    """A gold, and what a policy answered."""

    task: Task
    response: str
    right: bool

    @property
    def gold(self) -> str:
        """The reference."""
        return str(self.task.reference)


def boxed(answer: str) -> str:
    """Return a short response with ``answer`` in its box."""
    return f"Putting the parts together, we obtain $\\boxed{{{answer}}}$."


def integers(rng: random.Random) -> tuple[str, str, str]:
    """Return a gold, the same value written otherwise, and another value."""
    n = rng.randrange(10**4, 10**7)
    return str(n), f"{n:,}", str(n + rng.choice((-1, 1, 10)))


def fractions(rng: random.Random) -> tuple[str, str, str]:
    """Return a gold, the same value not in lowest terms, and another value."""
    a, b, k = rng.randrange(1, 900), rng.randrange(2, 900), rng.randrange(2, 9)
    return f"\\frac{{{a}}}{{{b}}}", f"\\dfrac{{{k * a}}}{{{k * b}}}", f"\\frac{{{a + 1}}}{{{b}}}"


def surds(rng: random.Random) -> tuple[str, str, str]:
    """Return a gold, the same value with other radicands, and another value."""
    a, b, c, d = (rng.randrange(2, 40) for _ in range(4))
    p, q = rng.sample((2, 3, 5, 7, 11, 13), 2)
    gold = f"{a}\\sqrt{{{p}}}+{b}\\sqrt{{{q}}}-{c}"
    return (
        gold,
        f"\\sqrt{{{b * b * q}}}-{c}+\\sqrt{{{a * a * p}}}",
        f"{a}\\sqrt{{{p}}}+{b}\\sqrt{{{q}}}-{c + d}",
    )


def polynomials(rng: random.Random) -> tuple[str, str, str]:
    """Return a gold in factors, the same polynomial expanded, and another one."""
    a, b, c, d = (rng.randrange(2, 30) for _ in range(4))
    gold = f"({a}x+{b})({c}x-{d})"

    def expanded(constant: int) -> str:
        return f"{a * c}x^2{b * c - a * d:+d}x{constant:+d}"

    return gold, expanded(-b * d), expanded(-b * d + 1)


def identities(rng: random.Random) -> tuple[str, str, str]:
    """Return a gold, the same function by an identity, and another one."""
    n, a = rng.randrange(1, 9), rng.randrange(2, 90)
    return rng.choice(
        (
            (
                f"{a}\\sin(2x)+{n}",
                f"{n}+{2 * a}\\sin(x)\\cos(x)",
                f"{n}+{2 * a + 1}\\sin(x)\\cos(x)",
            ),
            (f"{a}\\cos(2x)-{n}", f"{a - n}-{2 * a}\\sin^2(x)", f"{a - n}-{2 * a}\\cos^2(x)"),
            (
                f"\\frac{{{a}}}{{\\cos^2(x)}}",
                f"{a}+{a}\\tan^2(x)",
                f"{a}-{a}\\tan^2(x)",
            ),
        )
    )


KINDS: dict[str, Callable[[random.Random], tuple[str, str, str]]] = {
    "integers": integers,
    "fractions": fractions,
    "surds": surds,
    "polynomials": polynomials,
    "trigonometric identities": identities,
}


def pairs_of(kind: str, count: int, seed: int, *, other: bool = False) -> list[Pair]:
    """Return pairs that are right and wrong in turn; with ``other``, the same golds with the other answers."""
    rng = random.Random(f"{kind} {seed}")
    pairs = []
    for i in range(count):
        gold, right, wrong = KINDS[kind](rng)
        task = Task(id=f"{kind} {i}", prompt="", reference=gold, verifier="math")
        is_right = (i % 2 == 0) != other
        pairs.append(Pair(task, boxed(right if is_right else wrong), is_right))
    return pairs


def ours(judge: Verifier, pairs: Sequence[Pair]) -> list[bool]:
    """Return what this library says of each pair."""
    return [judge.check(pair.task, pair.response).passed for pair in pairs]


def theirs(pairs: Sequence[Pair]) -> list[bool]:
    """Return what math-verify says of each pair."""
    return [
        bool(their_verify(parse(f"${pair.gold}$"), parse(pair.response), float_rounding=6)) for pair in pairs
    ]


def timed(call: Callable[[], list[bool]]) -> tuple[float, list[bool]]:
    """Return CPU seconds and the result."""
    start = time.process_time()
    result = call()
    return time.process_time() - start, result


def rates(judge: Verifier, kind: str, count: int) -> tuple[float, float, float, int, int]:
    """Return our rate with every gold new, our rate with golds seen before, theirs, our errors and theirs."""
    few = max(4, count // 40)
    fresh, seen, peer = [], [], []
    mistakes = [0, 0]
    for turn in range(ROUNDS):
        pairs = pairs_of(kind, count, turn)
        gc.collect()
        seconds, found = timed(lambda pairs=pairs: ours(judge, pairs))  # type: ignore[misc]
        fresh.append(len(pairs) / seconds)
        mistakes[0] += sum(p.right != f for p, f in zip(pairs, found, strict=True))
        others = pairs_of(kind, count, turn, other=True)
        seconds, found = timed(lambda pairs=others: ours(judge, pairs))  # type: ignore[misc]
        seen.append(len(others) / seconds)
        mistakes[0] += sum(p.right != f for p, f in zip(others, found, strict=True))
        seconds, found = timed(lambda pairs=pairs: theirs(pairs[:few]))  # type: ignore[misc]
        peer.append(few / seconds)
        mistakes[1] += sum(p.right != f for p, f in zip(pairs, found, strict=False))
    return statistics.median(fresh), statistics.median(seen), statistics.median(peer), *mistakes


def slowest(judge: Verifier) -> tuple[float, str]:
    """Return the longest wall time of one verification of a hostile text, in seconds, and the text's name."""
    worst = (0.0, "")
    for gold in ("42", "\\frac{1}{3}", "x^2+1", "\\sin(x)^2", "\\{1,2\\}", "[0,1)", "x+y=1"):
        task = Task(id="hostile", prompt="", reference=gold, verifier="math")
        for name, text in hostile():
            start = time.perf_counter()
            judge.check(task, text)
            worst = max(worst, (time.perf_counter() - start, f"{name}, gold {gold}"))
    return worst


def hostile() -> Iterator[tuple[str, str]]:
    """Yield hostile texts, as they are and in a box."""
    for name, text in HOSTILE.items():
        yield name, text
        yield f"{name}, boxed", f"\\boxed{{{text}}}"


def growth(judge: Verifier, count: int) -> tuple[float, float]:
    """Return resident memory in MiB after a tenth of ``count`` mixed verifications, and after all of them."""
    texts = [text for _, text in hostile()]
    rng = random.Random(0)
    pool = [pair for kind in KINDS for pair in pairs_of(kind, count // 50, 99)]

    def run(number: int) -> None:
        for i in range(number):
            pair = rng.choice(pool)
            response = rng.choice(texts) if i % 10 == 0 else pair.response
            judge.check(pair.task, response)
        gc.collect()

    run(count // 10)
    before = resident_mib()
    run(count - count // 10)
    return before, resident_mib()


def resident_mib() -> float:
    """Return the resident memory of this process, in MiB."""
    pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    return pages * resource.getpagesize() / 2**20


@verifier("benchmark_nothing", timeout_s=10.0)
def nothing(task: Task, response: str, config: object):  # type: ignore[no-untyped-def]
    """Judge nothing, in a worker."""
    from rlvr_gym.types import Status, Verdict

    return Verdict.of(Status.FAILED, "nothing")


def pool_overhead(calls: int) -> float:
    """Return the median wall time of a call that only goes to a worker and back, in microseconds."""
    judge = Verifier("benchmark_nothing")
    task = Task(id="nothing", prompt="")
    times = []
    for _ in range(calls):
        start = time.perf_counter()
        judge.check(task, "text")
        times.append(time.perf_counter() - start)
    return 1e6 * statistics.median(times[len(times) // 10 :])


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a tenth of the work")
    options = parser.parse_args()
    logging.disable(logging.ERROR)
    scale = 10 if options.quick else 1
    judge = Verifier("math")
    table = Table(box=box.SIMPLE_HEAD, title="verifications per CPU second, one core", title_justify="left")
    for name in (
        "kind",
        "gold new",
        "gold seen",
        "math-verify",
        "ratio",
        "wanted",
        "our errors",
        "their errors",
    ):
        table.add_column(name, justify="left" if name == "kind" else "right")
    for kind in KINDS:
        fresh, seen, peer, mine, other = rates(judge, kind, 4000 // scale)
        table.add_row(
            kind,
            f"{fresh:,.0f}",
            f"{seen:,.0f}",
            f"{peer:,.0f}",
            f"{fresh / peer:,.0f} to {seen / peer:,.0f}",
            f"{TARGETS[kind]}",
            str(mine),
            str(other),
        )
    console = Console(width=110)
    console.print(table)
    seconds, name = slowest(judge)
    console.print(
        f"longest verification of a hostile text  {1e3 * seconds:.0f} ms ({name}); wanted under 2000 ms"
    )
    console.print(
        f"call to a worker and back               {pool_overhead(5000 // scale):.0f} us; wanted under 150 us"
    )
    count = 100_000 // scale
    before, after = growth(judge, count)
    console.print(
        f"resident memory over {count:,} mixed verifications, a tenth of them hostile: "
        f"{before:.1f} MiB after the first tenth, {after:.1f} MiB after all"
    )


if __name__ == "__main__":
    main()
