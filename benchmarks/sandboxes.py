"""What isolation costs: function-level tests, commands of an agent, fresh copies of a prepared repository, grading.

Run: python benchmarks/sandboxes.py [--runs 600] [--files 2000]

All ways run the same program, ``print(1)``, one after another on the same machine; the floor is a plain subprocess,
with no isolation at all. A hardened ``docker run`` is measured where an engine answers (``sandboxes/start_docker.sh``).
Each line names what it should be on two idle cores, where there is such a number.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from rlvr_gym.errors import RLVRError
from rlvr_gym.repositories.instances import Instance
from rlvr_gym.repositories.patches import make_patch
from rlvr_gym.repositories.suites.base import Terms
from rlvr_gym.repositories.suites.pytest import PytestSuite
from rlvr_gym.runtimes.base import Limits, Runtime, Sandbox, Spec, make_runtime
from rlvr_gym.runtimes.local import LocalRuntime
from rlvr_gym.runtimes.zygote import Zygote

PROGRAM = "print(1)"
ROUNDS = 3
"""Rates are the best of so many rounds: what else runs on the machine only takes away from them."""
SUITE_S = 0.5


def rate(run: Callable[[], bytes], runs: int, threads: int) -> float:
    """Return how many runs a second ``threads`` callers get."""
    rates = []
    with ThreadPoolExecutor(threads) as pool:
        for _ in range(ROUNDS):
            start = time.perf_counter()
            outputs = list(pool.map(lambda _: run(), range(max(runs // ROUNDS, threads))))
            rates.append(len(outputs) / (time.perf_counter() - start))
            assert set(outputs) == {b"1\n"}
    return max(rates)


def plain() -> bytes:
    """Run the program with no isolation at all."""
    return subprocess.run([sys.executable, "-I", "-S", "-c", PROGRAM], capture_output=True, check=True).stdout


def cold(runtime: Runtime) -> bytes:
    """Run the program in a sandbox of its own."""
    with runtime.start(Spec()) as sandbox:
        return sandbox.exec(["python3", "-I", "-S", "-c", PROGRAM]).stdout


def median_ms(do: Callable[[], object], times: int) -> tuple[float, float]:
    """Return the median and the least time of ``do``, in milliseconds."""
    taken = []
    for _ in range(times):
        start = time.perf_counter()
        do()
        taken.append((time.perf_counter() - start) * 1000)
    return statistics.median(taken), min(taken)


def function_tests(runtime: Runtime, runs: int) -> None:
    """Print how many programs a second each way runs."""
    threads = os.cpu_count() or 1
    with Zygote(workers=threads) as zygote:
        warm = rate(lambda: zygote.run(PROGRAM).stdout, runs, threads)
    floor = rate(plain, runs // 4, threads)
    alone = rate(lambda: cold(runtime), runs // 10, threads)
    print(f"plain subprocess          {floor:8.1f} runs/s  (the floor: no isolation)")
    print(f"zygote                    {warm:8.1f} runs/s  (at least 300)")
    print(f"cold isolated start       {alone:8.1f} runs/s  (zygote: {warm / alone:.1f} times; at least 2)")
    try:
        docker = make_runtime("docker")
        missing = docker.missing()
    except RLVRError as error:
        missing = [str(error)]
    if missing:
        print(f"hardened docker run       not measured: {missing[0]}")
        return
    contained = rate(lambda: cold(docker), runs // 30, threads)
    print(
        f"hardened docker run       {contained:8.1f} runs/s  (zygote: {warm / contained:.1f} times; at least 20)"
    )


def agent_commands(runtime: Runtime) -> None:
    """Print what a command costs in a live sandbox."""
    bare, _ = median_ms(lambda: subprocess.run(["true"], check=True), 200)
    with runtime.start(Spec()) as sandbox:
        middle, least = median_ms(lambda: sandbox.exec(["true"]), 200)
    print(
        f"command in a live sandbox {middle:8.1f} ms  (least {least:.1f}, plain subprocess {bare:.1f}; below 10)"
    )


def fresh_copies(runtime: Runtime, files: int) -> None:
    """Print what a fresh writable copy of a repository costs, up to its first written file."""
    with tempfile.TemporaryDirectory() as folder:
        for number in range(files):
            path = Path(folder, f"package{number % 40}", f"module{number}.py")
            path.parent.mkdir(exist_ok=True)
            path.write_text("x = 1\n" * 200)

        started: list[Sandbox] = []

        def copy() -> None:
            started.append(runtime.start(Spec(workspace=Path(folder))))
            started[-1].write("package0/module0.py", b"x = 2\n")

        middle, least = median_ms(copy, 20)
        removal, _ = median_ms(lambda: started.pop().stop(), len(started))
    print(
        f"fresh copy of {files} files {middle:8.1f} ms  (least {least:.1f}, removal {removal:.1f}; below 100)"
    )


def grading(runtime: Runtime) -> None:
    """Print what the verdict on a patch costs, for tests that take half a second by themselves."""
    right, wrong = b"def double(n):\n    return 2 * n\n", b"def double(n):\n    return 3 * n\n"
    test = f"import time\nfrom lib import double\n\n\ndef test_waits():\n    time.sleep({SUITE_S})\n    assert double(0) == 0\n"
    added = "\n\ndef test_doubles():\n    assert double(2) == 4\n"
    with tempfile.TemporaryDirectory() as folder:
        repository = Path(folder, "repository")
        (repository / "tests").mkdir(parents=True)
        (repository / "lib.py").write_bytes(wrong)
        (repository / "tests" / "test_lib.py").write_text(test)
        name = "tests/test_lib.py"
        patch = make_patch({"lib.py": wrong}, {"lib.py": right})
        instance = Instance(
            id="double",
            problem="double(2) is 6.",
            suite=PytestSuite(repository, environment=Path(pytest.__file__).parents[1]),
            patch=patch,
            test_patch=make_patch({name: test.encode()}, {name: (test + added).encode()}),
            fail_to_pass=(f"{name}::test_doubles",),
            pass_to_pass=(f"{name}::test_waits",),
        )
        terms = Terms(runtime, Limits(wall_s=60, cpu_s=30, memory_mib=1024))

        def grade() -> None:
            verdict = instance.suite.grade(instance, patch, terms)
            assert verdict.passed, verdict

        grade()
        middle, least = median_ms(grade, 7)
        assert not instance.suite.grade(instance, "", terms).passed
    print(f"grading of a {SUITE_S:g} s suite   {middle:8.1f} ms  (least {least:.1f}; below 1000)")


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=600)
    parser.add_argument("--files", type=int, default=2000)
    options = parser.parse_args()
    runtime = LocalRuntime()
    if missing := runtime.missing():
        raise SystemExit(f"This machine cannot isolate: {'; '.join(missing)}")
    print(f"tier {runtime.tier}, {os.cpu_count()} processors, load {os.getloadavg()[0]:.1f}")
    function_tests(runtime, options.runs)
    agent_commands(runtime)
    fresh_copies(runtime, options.files)
    grading(runtime)


if __name__ == "__main__":
    main()
