"""Real hangs, crashes and floods against real workers: every call ends, and nothing is left behind."""

import asyncio
import contextlib
import gc
import math
import multiprocessing
import os
import resource
import signal
import subprocess
import sys
import textwrap
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psutil
import pytest

from rlvr_gym.errors import TaskError, UsageError
from rlvr_gym.types import Status, Verdict
from rlvr_gym.verifiers.pool import VerifierBug, VerifierPool

SLACK_S = 5.0
"""What a busy machine may add to a time; the hangs here would last for minutes."""


def fine(text: str) -> Verdict:
    return Verdict.of(Status.PASSED, text)


def big_power() -> int:
    """One C call that holds the interpreter lock and looks at no signal."""
    return 10**10**9


def sympy_factorial() -> str:
    import sympy

    return str(sympy.factorial(10**9))


def sleep(seconds: float) -> int:
    time.sleep(seconds)
    return os.getpid()


def memory_bomb() -> int:
    return len(bytearray(1 << 40))


def slow_memory_bomb() -> int:
    held = []
    while True:
        held.append(bytearray(1 << 22))


def flint_memory_bomb() -> str:
    import flint

    return str(flint.fmpz_mat(100_000, 100_000))


def leave() -> None:
    os._exit(7)


def kill_itself() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def leave_once(marker: str) -> Verdict:
    if not Path(marker).exists():
        Path(marker).touch()
        os._exit(1)
    return fine("second worker")


def cpu_hog() -> None:
    # The pool's own limit is above its wall-clock limit, so that one thread alone never meets it.
    resource.setrlimit(resource.RLIMIT_CPU, (int(time.process_time()) + 1, resource.RLIM_INFINITY))
    while True:
        math.factorial(1000)


def flood() -> str:
    for _ in range(300):
        os.write(1, b"x" * (1 << 16))
        os.write(2, b"y" * (1 << 16))
    sys.stdout.write("plain text")
    return sys.stdin.read()


def endless_flood() -> None:
    while True:
        os.write(2, b"y" * (1 << 16))


def divide() -> float:
    return 1 / 0


def bad_reference() -> None:
    raise TaskError("reference 'x^' does not parse.")


def stop() -> None:
    raise SystemExit(3)


def no_json() -> object:
    return object()


def huge() -> str:
    return "x" * (64 << 20)


def starts_a_process() -> None:
    process = subprocess.Popen(["sleep", "600"])
    Path(os.environ["POOL_TEST_PID"]).write_text(f"{process.pid}")
    time.sleep(600)


def double(number: int) -> int:
    return 2 * number


def environment() -> dict[str, str | None]:
    return {
        name: os.environ.get(name) for name in ("SYMPY_GROUND_TYPES", "OMP_NUM_THREADS", "PYTHONHASHSEED")
    }


def descriptors() -> list[str]:
    return sorted(
        str(f.readlink()).partition(":")[0] for f in list(Path("/proc/self/fd").iterdir()) if f.exists()
    )


@pytest.fixture(scope="module")
def pool() -> Iterator[VerifierPool]:
    before = running()
    with VerifierPool(workers=2) as pool:
        yield pool
    assert running() == before


Since = Callable[..., tuple[int, ...]]


@pytest.fixture
def since(pool: VerifierPool) -> Since:
    """Return a function that says how much counters have grown since the test began."""
    before = pool.stats()
    return lambda *names: tuple(getattr(pool.stats(), name) - getattr(before, name) for name in names)


@pytest.fixture(autouse=True)
def _whole(pool: VerifierPool) -> Iterator[None]:
    """Whatever a test does to the pool, the next call is served."""
    yield
    assert pool.call(fine, ("after",), timeout_s=30).reason == "after"
    assert (pool.stats().busy, pool.stats().waiting) == (0, 0)


def running() -> set[int]:
    """Return the process ids of this process's descendants that run code of a pool."""
    gc.collect()
    return {p.pid for p in psutil.Process().children(recursive=True) if is_pool(p)}


def is_pool(process: psutil.Process) -> bool:
    try:
        return any("forkserver" in part for part in process.cmdline())
    except psutil.Error:
        return False


def gone(pid: int, within_s: float = 10.0) -> bool:
    """Return whether a process ends within some time; one that only waits to be reaped has ended."""
    end = time.monotonic() + within_s
    while time.monotonic() < end:
        try:
            if psutil.Process(pid).status() == psutil.STATUS_ZOMBIE:
                return True
        except psutil.NoSuchProcess:
            return True
        time.sleep(0.02)
    return False


def check_hang(pool: VerifierPool, function: object) -> None:
    start = time.monotonic()
    verdict = pool.call(function, (), timeout_s=0.3, preload=["sympy"])  # type: ignore[arg-type]
    assert verdict.status is Status.TIMEOUT
    assert verdict.score is None
    assert "0.3 s" in verdict.reason
    assert 0.3 <= time.monotonic() - start < 60 + SLACK_S


@pytest.mark.parametrize("function", [big_power, sympy_factorial, endless_flood], ids=lambda f: f.__name__)
def test_a_hang_is_killed_at_its_limit(pool: VerifierPool, since: Since, function: object) -> None:
    check_hang(pool, function)
    start = time.monotonic()
    check_hang(pool, function)
    assert time.monotonic() - start < 0.3 + SLACK_S
    assert since("killed", "lost") == (2, 0)


@pytest.mark.parametrize("bomb", [memory_bomb, slow_memory_bomb, flint_memory_bomb], ids=lambda f: f.__name__)
def test_running_out_of_memory_is_a_timeout_that_says_so(
    pool: VerifierPool, since: Since, bomb: object
) -> None:
    verdict = pool.call(bomb, (), timeout_s=30, preload=["flint"])  # type: ignore[arg-type]
    assert (verdict.status, verdict.tries) == (Status.TIMEOUT, 1)
    assert "1024 MiB of memory" in verdict.reason
    assert since("killed", "lost") == (1, 0)


def test_running_out_of_cpu_time_is_a_timeout_that_says_so(pool: VerifierPool) -> None:
    verdict = pool.call(cpu_hog, (), timeout_s=60)
    assert (verdict.status, verdict.tries) == (Status.TIMEOUT, 1)
    assert "CPU time" in verdict.reason


@pytest.mark.parametrize(
    ("function", "how"), [(leave, "status 7"), (kill_itself, "SIGKILL")], ids=["exit", "kill"]
)
def test_a_worker_lost_every_time_is_infrastructure(
    pool: VerifierPool, since: Since, function: object, how: str
) -> None:
    verdict = pool.call(function, (), timeout_s=30)  # type: ignore[arg-type]
    assert (verdict.status, verdict.score, verdict.tries) == (Status.INFRASTRUCTURE, None, 4)
    assert how in verdict.reason
    assert since("lost", "killed", "calls", "busy") == (4, 0, 1, 0)


def test_a_worker_lost_once_is_replaced_within_the_call(
    pool: VerifierPool, since: Since, tmp_path: Path
) -> None:
    verdict = pool.call(leave_once, (str(tmp_path / "marker"),), timeout_s=30)
    assert (verdict.status, verdict.reason, verdict.tries) == (Status.PASSED, "second worker", 2)
    assert since("lost", "killed") == (1, 0)


def test_an_idle_worker_that_dies_costs_no_verdict(pool: VerifierPool, since: Since) -> None:
    pid = pool.call(sleep, (0,), timeout_s=30)
    os.kill(pid, signal.SIGKILL)
    assert gone(pid)
    assert pool.call(fine, ("served",), timeout_s=30).passed
    assert since("lost", "killed") == (1, 0)


def test_the_fork_server_may_die(pool: VerifierPool) -> None:
    worker = pool.call(sleep, (0,), timeout_s=30)
    os.kill(psutil.Process(worker).ppid(), signal.SIGKILL)
    assert gone(worker)
    assert pool.call(fine, ("served",), timeout_s=30).passed


def test_a_process_without_descriptors_left_gets_a_verdict_and_recovers() -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    with VerifierPool(workers=1) as pool:
        held = [os.open(os.devnull, os.O_RDONLY)]
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (held[0] + 1, hard))
            with contextlib.suppress(OSError):
                while True:
                    held.append(os.open(os.devnull, os.O_RDONLY))
            verdict = pool.call(fine, ("late",), timeout_s=30)
        finally:
            resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
            for fd in held:
                os.close(fd)
        assert verdict.status is Status.INFRASTRUCTURE
        assert "no worker could be started" in verdict.reason
        assert pool.call(fine, ("later",), timeout_s=30).passed


def test_output_never_reaches_the_protocol(pool: VerifierPool, capfd: pytest.CaptureFixture[str]) -> None:
    assert pool.call(flood, (), timeout_s=30) == ""
    assert capfd.readouterr() == ("", "")


def test_an_exception_is_a_bug_with_the_workers_traceback(pool: VerifierPool, since: Since) -> None:
    with pytest.raises(VerifierBug, match=r"(?s)division by zero.*in divide\b.*1 / 0"):
        pool.call(divide, (), timeout_s=30)
    with pytest.raises(VerifierBug, match="SystemExit"):
        pool.call(stop, (), timeout_s=30)
    assert since("lost", "killed", "calls") == (0, 0, 2)


def test_a_deliberate_error_keeps_its_class(pool: VerifierPool) -> None:
    with pytest.raises(TaskError) as caught:
        pool.call(bad_reference, (), timeout_s=30)
    assert str(caught.value) == "reference 'x^' does not parse."


def test_a_result_that_is_no_data_is_a_bug(pool: VerifierPool) -> None:
    with pytest.raises(VerifierBug, match="returned object, neither a Verdict nor JSON"):
        pool.call(no_json, (), timeout_s=30)
    with pytest.raises(VerifierBug, match="returned 67108877 bytes"):
        pool.call(huge, (), timeout_s=30)


def test_eight_threads_get_the_answers_to_their_own_questions(pool: VerifierPool, since: Since) -> None:
    with ThreadPoolExecutor(8) as threads:
        answers = list(threads.map(lambda n: pool.call(double, (n,), timeout_s=30), range(400)))
    assert answers == [2 * n for n in range(400)]
    assert since("calls", "lost", "killed", "cancelled") == (400, 0, 0, 0)
    stats = pool.stats()
    assert 0 < stats.latency_p50_s <= stats.latency_p99_s <= stats.latency_max_s


def test_hangs_from_eight_threads_all_end(pool: VerifierPool, since: Since) -> None:
    start = time.monotonic()
    with ThreadPoolExecutor(8) as threads:
        verdicts = list(threads.map(lambda _: pool.call(big_power, (), timeout_s=0.2), range(8)))
    assert {v.status for v in verdicts} == {Status.TIMEOUT}
    # Eight hangs over two workers are four rounds.
    assert 0.8 <= time.monotonic() - start < 0.8 + SLACK_S
    assert since("killed", "lost") == (8, 0)


def test_a_call_behind_hung_ones_is_served_when_they_are_killed(pool: VerifierPool) -> None:
    with ThreadPoolExecutor(3) as threads:
        hung = [threads.submit(pool.call, big_power, (), timeout_s=1.0) for _ in range(2)]
        until(lambda: pool.stats().busy == 2)
        start = time.monotonic()
        behind = threads.submit(pool.call, fine, ("served",), timeout_s=1.0)
        until(lambda: pool.stats().waiting == 1 or behind.done())
        assert behind.result(60).reason == "served"
        assert time.monotonic() - start < 1.0 + SLACK_S
        assert all(h.result(60).status is Status.TIMEOUT for h in hung)


def until(condition: object, within_s: float = 10.0) -> None:
    end = time.monotonic() + within_s
    while not condition():  # type: ignore[operator]
        assert time.monotonic() < end, "did not come true"
        time.sleep(0.005)


def test_asyncio_runs_calls_side_by_side(pool: VerifierPool) -> None:
    async def main() -> list[object]:
        return await asyncio.gather(*(pool.acall(double, (n,), timeout_s=30) for n in range(100)))

    assert asyncio.run(main()) == [2 * n for n in range(100)]


def test_asyncio_keeps_its_loop_free_during_a_hang(pool: VerifierPool) -> None:
    async def main() -> tuple[Verdict, int]:
        ticks = 0
        call = asyncio.ensure_future(pool.acall(big_power, (), timeout_s=0.5))
        while not call.done():
            await asyncio.sleep(0.01)
            ticks += 1
        return call.result(), ticks

    verdict, ticks = asyncio.run(main())
    assert verdict.status is Status.TIMEOUT
    assert ticks >= 5


def test_asyncio_survives_floods_and_crashes(pool: VerifierPool) -> None:
    async def main() -> tuple[object, Verdict, Verdict]:
        return (
            await pool.acall(flood, (), timeout_s=30),
            await pool.acall(leave, (), timeout_s=30),
            await pool.acall(slow_memory_bomb, (), timeout_s=30),
        )

    text, lost, memory = asyncio.run(main())
    assert text == ""
    assert (lost.status, lost.tries) == (Status.INFRASTRUCTURE, 4)
    assert memory.status is Status.TIMEOUT


def test_cancelling_a_running_call_kills_its_worker(pool: VerifierPool, since: Since) -> None:
    pid = pool.call(sleep, (0,), timeout_s=30)

    async def main() -> None:
        call = asyncio.ensure_future(pool.acall(sleep, (600,), timeout_s=600))
        await asyncio.sleep(0.2)
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call

    asyncio.run(main())
    assert gone(pid)
    assert since("cancelled", "killed", "lost") == (1, 0, 0)


def test_cancelling_a_waiting_call_loses_no_slot(pool: VerifierPool, since: Since) -> None:
    async def main() -> object:
        hung = [asyncio.ensure_future(pool.acall(sleep, (600,), timeout_s=1.0)) for _ in range(2)]
        waiting = [asyncio.ensure_future(pool.acall(double, (n,), timeout_s=30)) for n in range(20)]
        await asyncio.sleep(0.1)
        assert pool.stats().waiting == 20
        for call in waiting[:19]:
            call.cancel()
        result = await waiting[19]
        await asyncio.gather(*hung)
        return result

    assert asyncio.run(main()) == 38
    assert since("busy", "waiting", "cancelled", "killed") == (0, 0, 0, 2)
    with ThreadPoolExecutor(2) as threads:
        assert list(threads.map(lambda n: pool.call(double, (n,), timeout_s=30), range(4))) == [0, 2, 4, 6]


def test_cancelling_at_any_moment_leaves_the_pool_whole(pool: VerifierPool, since: Since) -> None:
    async def main() -> None:
        for step in range(60):
            calls = [asyncio.ensure_future(pool.acall(double, (n,), timeout_s=30)) for n in range(4)]
            await asyncio.sleep(step * 1e-5)
            for call in calls[::2]:
                call.cancel()
            results = await asyncio.gather(*calls, return_exceptions=True)
            assert results[1::2] == [2, 6]

    asyncio.run(main())
    assert since("busy", "waiting", "lost", "killed") == (0, 0, 0, 0)


def test_a_thread_that_started_workers_may_end(pool: VerifierPool, since: Since) -> None:
    pids: list[int] = []
    thread = threading.Thread(target=lambda: pids.append(pool.call(sleep, (0,), timeout_s=30)))
    thread.start()
    thread.join()
    time.sleep(0.2)
    assert not gone(pids[0], within_s=0.1)
    assert pool.call(sleep, (0,), timeout_s=30) == pids[0]
    assert since("lost") == (0,)


def test_kills_leave_no_zombies(pool: VerifierPool) -> None:
    server = psutil.Process(psutil.Process(pool.call(sleep, (0,), timeout_s=30)).ppid())
    for _ in range(5):
        pool.call(sleep, (600,), timeout_s=0.05)
    until(
        lambda: (
            len(server.children()) <= 3
            and psutil.STATUS_ZOMBIE not in {process.status() for process in server.children()}
        )
    )


def test_a_worker_is_recycled_after_its_number_of_calls() -> None:
    with VerifierPool(workers=1, max_jobs=3) as pool:
        pids = [pool.call(sleep, (0,), timeout_s=30) for _ in range(9)]
        assert len(set(pids)) == 3
        assert pool.stats().recycled == 3
        assert gone(pids[0])


def test_a_kill_takes_along_what_the_worker_started(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("POOL_TEST_PID", str(tmp_path / "pid"))
    with VerifierPool(workers=1) as pool:
        assert pool.call(starts_a_process, (), timeout_s=2.0).status is Status.TIMEOUT
        assert gone(int((tmp_path / "pid").read_text()))


def test_workers_inherit_no_descriptors_and_a_pinned_environment(pool: VerifierPool, tmp_path: Path) -> None:
    with (tmp_path / "open").open("w") as file:
        os.set_inheritable(file.fileno(), True)
        found = pool.call(descriptors, (), timeout_s=30)
    assert found == ["/dev/null", "pipe", "pipe", "socket"]
    assert pool.call(environment, (), timeout_s=30) == {
        "SYMPY_GROUND_TYPES": "python",
        "OMP_NUM_THREADS": "1",
        "PYTHONHASHSEED": "0",
    }


def test_close_ends_running_calls() -> None:
    before = running()
    pool = VerifierPool(workers=2)
    with ThreadPoolExecutor(3) as threads:
        calls = [threads.submit(pool.call, sleep, (600,), timeout_s=600) for _ in range(3)]
        until(lambda: pool.stats().waiting == 1)
        pool.close()
        results = [c.exception(30) or c.result() for c in calls]
    assert [r.status for r in results if isinstance(r, Verdict)] == [Status.INFRASTRUCTURE] * 2
    assert [type(r) for r in results if not isinstance(r, Verdict)] == [UsageError]
    assert running() == before
    with pytest.raises(UsageError, match="closed"):
        pool.call(fine, ("late",), timeout_s=1)


def test_a_dropped_pool_takes_its_workers_along() -> None:
    before = running()
    pool = VerifierPool(workers=1)
    pid = pool.call(sleep, (0,), timeout_s=30)
    del pool
    assert running() == before
    assert gone(pid)


def _in_fork(pool: VerifierPool, parents: int, results: "multiprocessing.SimpleQueue[object]") -> None:
    own = pool.call(sleep, (0,), timeout_s=30)
    results.put((own != parents, pool.call(big_power, (), timeout_s=0.2).status, pool.stats().killed))


def test_a_fork_has_workers_of_its_own(pool: VerifierPool, since: Since) -> None:
    parents = pool.call(sleep, (0,), timeout_s=30)
    context = multiprocessing.get_context("fork")
    results = context.SimpleQueue()
    # Daemonic processes, as vectorised environments use them, may have no children of multiprocessing.
    child = context.Process(target=_in_fork, args=(pool, parents, results), daemon=True)
    child.start()
    child.join(60)
    assert child.exitcode == 0
    assert results.get() == (True, Status.TIMEOUT, 1)
    assert pool.call(sleep, (0,), timeout_s=30) == parents
    assert since("lost", "killed") == (0, 0)


SCRIPT = """
import os, subprocess, sys, threading, time
from rlvr_gym.verifiers.pool import VerifierPool

def pids():
    child = subprocess.Popen(["sleep", "600"])
    return [os.getpid(), os.getppid(), child.pid]

def hang():
    while True:
        10 ** 10**8

pool = VerifierPool(workers=2)
found = pool.call(pids, (), timeout_s=30)
threading.Thread(target=pool.call, args=(hang, ()), kwargs={"timeout_s": 600}, daemon=True).start()
{extra}
while pool.stats().busy < 1:
    time.sleep(0.01)
time.sleep(0.2)
print(*found, flush=True)
time.sleep(600)
"""


@pytest.mark.parametrize("extra", ["", "if os.fork() == 0: time.sleep(600)"], ids=["alone", "with a fork"])
def test_kill_9_of_the_parent_leaves_nothing(tmp_path: Path, extra: str) -> None:
    script = tmp_path / "script.py"
    script.write_text(SCRIPT.replace("{extra}", extra))
    with subprocess.Popen(
        [sys.executable, str(script)], stdout=subprocess.PIPE, text=True, start_new_session=True
    ) as parent:
        assert parent.stdout is not None
        pids = [int(pid) for pid in parent.stdout.readline().split()]
        family = [p.pid for p in psutil.Process(parent.pid).children(recursive=True) if is_pool(p)]
        assert len(pids) == 3
        assert len(family) >= 3
        parent.kill()
        parent.wait()
        forks = [p for p in psutil.process_iter() if str(script) in _cmdline(p)]
        try:
            assert all(gone(pid) for pid in [*pids, *family])
        finally:
            for process in forks:
                process.kill()


def _cmdline(process: psutil.Process) -> list[str]:
    try:
        return process.cmdline()
    except psutil.Error:
        return []


def test_a_judge_of_a_script_without_a_guard_runs_and_the_script_does_not(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(
        textwrap.dedent(
            """
            import re
            import rlvr_gym.verifiers
            from rlvr_gym.config import Config
            from rlvr_gym.types import Status, Verdict
            from rlvr_gym.verifiers import verifier

            print("the script runs")
            WORD = re.compile("[a-z]+")

            class Settings(Config):
                wanted: int = 2

            def count(text):
                return len(WORD.findall(text))

            @verifier("words", config=Settings)
            def words(task, response, config):
                found = count(response)
                return Verdict.of(Status.PASSED if found == config.wanted else Status.FAILED, f"{found} words")

            open("trace", "a").write("ran\\n")
            print(rlvr_gym.verifiers.verify("words", "two words", reference=None))
            print(rlvr_gym.verifiers.verify("words", "three short words", reference=None, wanted=3))
            """
        )
    )
    run = subprocess.run(
        [sys.executable, str(script)], cwd=tmp_path, capture_output=True, text=True, timeout=120, check=False
    )
    assert run.stderr == ""
    lines = run.stdout.splitlines()
    assert lines[0] == "the script runs"
    assert len(lines) == 3
    assert "'2 words'" in lines[1]
    assert "'3 words'" in lines[2]
    assert (tmp_path / "trace").read_text() == "ran\n"
