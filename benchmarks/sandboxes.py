"""What isolation costs: function-level tests, commands of an agent, fresh copies of a prepared repository.

Run: python benchmarks/sandboxes.py [--runs 600] [--files 2000]

All ways run the same program, ``print(1)``, and run one after another on the same machine; a hardened
``docker run`` is measured where an engine answers.
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

from rlvr_gym.errors import RLVRError
from rlvr_gym.runtimes.base import Runtime, Sandbox, Spec, make_runtime
from rlvr_gym.runtimes.local import LocalRuntime
from rlvr_gym.runtimes.zygote import Zygote

PROGRAM = "print(1)"


def rate(run: Callable[[], bytes], runs: int, threads: int) -> float:
    """Return how many runs a second ``threads`` callers get."""
    with ThreadPoolExecutor(threads) as pool:
        start = time.perf_counter()
        outputs = list(pool.map(lambda _: run(), range(runs)))
        seconds = time.perf_counter() - start
    assert set(outputs) == {b"1\n"}
    return runs / seconds


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
    alone = rate(lambda: cold(runtime), max(runs // 10, 4), threads)
    print(f"zygote                    {warm:8.1f} runs/s")
    print(f"cold isolated start       {alone:8.1f} runs/s  (zygote: {warm / alone:.1f} times as many)")
    print(f"python, no isolation      {rate(plain, max(runs // 4, 4), threads):8.1f} runs/s")
    try:
        docker = make_runtime("docker")
        missing = docker.missing()
    except RLVRError as error:
        missing = [str(error)]
    if missing:
        print(f"docker                    not measured: {missing[0]}")
        return
    contained = rate(lambda: cold(docker), max(runs // 50, 4), threads)
    print(
        f"hardened docker run       {contained:8.1f} runs/s  (zygote: {warm / contained:.1f} times as many)"
    )


def agent_commands(runtime: Runtime) -> None:
    """Print what a command costs in a live sandbox."""
    with runtime.start(Spec()) as sandbox:
        middle, least = median_ms(lambda: sandbox.exec(["true"]), 200)
    print(f"command in a live sandbox {middle:8.1f} ms  (least {least:.1f})")


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
    print(f"fresh copy of {files} files {middle:8.1f} ms  (least {least:.1f}), removal {removal:.1f} ms")


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


if __name__ == "__main__":
    main()
