"""Runs and verdicts that decide whether a candidate becomes an instance, by the same grader as training."""

from __future__ import annotations

import contextlib
import os
import re
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from rlvr_gym.errors import TaskError
from rlvr_gym.repositories.instances import Instance
from rlvr_gym.repositories.suites.base import Terms
from rlvr_gym.repositories.suites.pytest import PytestSuite
from rlvr_gym.repositories.test_runs import TestRun, run_tests
from rlvr_gym.runtimes.base import End, Limits, Runtime, SandboxLostError
from rlvr_gym.types import Status

_UNSTABLE = re.compile(r"0x[0-9a-f]{6,}|/workspace|/tmp/|\bat 0x|\d{4}-\d{2}-\d{2}T|[^\x20-\x7e]")
"""Ids of tests that may be others in the next run, or on another machine."""
_LEAST_WALL_S = 20.0
_SLOWER = 8.0
"""How many times slower than alone a run may be, such as on a machine under load."""
LIMITS = Limits(wall_s=120.0, cpu_s=120.0, memory_mib=1024, pids=64, disk_mib=256, output_bytes=8_000_000)
"""Of the first run of a suite, of which nothing is known."""
GOLD_RUNS = 3
_MOST_UNSTABLE = 0.1
"""Share of the tests that may be left out because they do not pass each time."""
_SHOWN = 500
_BURN = "import os,sys\np=int(sys.argv[1])\nwhile os.getppid()==p:\n for _ in range(10**6): pass"


class Dropped(Exception):
    """A candidate that becomes no instance.

    Args:
        reason: Why; the same text for all of a kind, so that they can be counted.
        detail: What was seen of this one.
    """

    def __init__(self, reason: str, detail: str = "") -> None:
        super().__init__(reason)
        self.detail = detail


@dataclass(frozen=True, slots=True)
class Bench:
    """Where candidates are tried."""

    runtime: Runtime
    limits: Limits = LIMITS
    slowest_s: float = 20.0
    """Tests that take longer are not worked with."""

    def timed(self, seconds: float) -> Bench:
        """Return a bench for a suite that takes ``seconds`` alone.

        Raises:
            Dropped: that is too long.
        """
        if seconds > self.slowest_s:
            raise Dropped(f"the tests take longer than {self.slowest_s:g} s")
        wall_s = max(_LEAST_WALL_S, _SLOWER * seconds)
        return replace(self, limits=replace(self.limits, wall_s=wall_s, cpu_s=wall_s))

    def run(
        self, suite: PytestSuite, files: Mapping[str, bytes | None], selection: Sequence[str] | None = None
    ) -> TestRun:
        """Return what became of tests.

        Raises:
            Dropped: the run did not come to its end.
            SandboxLostError: twice in a row.
        """
        for _ in range(2):
            try:
                run = run_tests(suite, files, selection, runtime=self.runtime, limits=self.limits)
            except TaskError as error:
                raise Dropped("pytest does not start", str(error)[-_SHOWN:]) from None
            if run.end is not End.LOST:
                break
        if run.end is End.LOST:
            raise SandboxLostError(f"A sandbox was lost twice: {run.output}")
        if run.end is End.TIMEOUT:
            raise Dropped("the tests run into a time limit")
        if run.end is not End.EXITED or not run.complete:
            raise Dropped("the tests do not come to an end", run.output[-_SHOWN:])
        if run.tampering:
            raise Dropped("the tests disturb the harness", "; ".join(run.tampering)[:_SHOWN])
        return run


def passed(run: TestRun) -> set[str]:
    """Return the tests that passed, but for those whose ids may change."""
    return {
        test for test, outcome in run.outcomes.items() if outcome == "passed" and not _UNSTABLE.search(test)
    }


def split(before: Sequence[TestRun], after: Sequence[TestRun]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the tests that fail before and pass after, and those that pass in both, whichever run one asks.

    Raises:
        Dropped: no test fails before, or most do.
    """
    good = set.intersection(*map(passed, after))
    ever = set.union(*map(passed, before))
    always = set.intersection(*map(passed, before))
    unread = {
        test
        for run in before
        for test, outcome in run.outcomes.items()
        if outcome == "error" and "::" not in test
    }
    fails = {test for test in good - ever if test.partition("::")[0] not in unread}
    if not fails and unread:
        raise Dropped("the new tests cannot be imported before the change")
    if not fails:
        raise Dropped("no test fails before the change")
    if 2 * len(fails) > len(good):
        raise Dropped("most tests fail before the change")
    return tuple(sorted(fails)), tuple(sorted(good & always))


def confirm(instance: Instance, bench: Bench) -> Instance:
    """Return the instance after its own patch passed three times, once of them under load.

    Tests of ``pass_to_pass`` that do not pass each time, such as those with limits of time, are left out of it.

    Raises:
        Dropped: the patch does not pass each time.
        SandboxLostError: twice in a row.
    """
    terms = Terms(bench.runtime, bench.limits)
    most = max(1, int(_MOST_UNSTABLE * len(instance.pass_to_pass)))
    unstable: set[str] = set()
    for number in range(GOLD_RUNS):
        # Under load last: what fails without it need not be tried with it.
        with load() if number == GOLD_RUNS - 1 else contextlib.nullcontext():
            for _ in range(2):
                verdict = instance.suite.grade(instance, instance.patch, terms)
                if verdict.status is not Status.INFRASTRUCTURE:
                    break
        if verdict.status is Status.INFRASTRUCTURE:
            raise SandboxLostError(verdict.reason)
        if not verdict.passed:
            failing = {check.name for check in verdict.checks if not check.passed}
            unstable |= failing
            if not failing or len(unstable) > most or failing & set(instance.fail_to_pass):
                raise Dropped(
                    "its own patch does not pass each time", f"run {number + 1}: {verdict.reason}"[:_SHOWN]
                )
            stable = tuple(test for test in instance.pass_to_pass if test not in unstable)
            instance = replace(instance, pass_to_pass=stable)
    return instance


_LOAD_LOCK = threading.Lock()
_LOAD: list[subprocess.Popen[bytes]] = []
_LOAD_USERS = 0


@contextlib.contextmanager
def load() -> Iterator[None]:
    """Keep every processor busy meanwhile; threads that ask for it at once share it."""
    global _LOAD_USERS
    with _LOAD_LOCK:
        _LOAD_USERS += 1
        if _LOAD_USERS == 1:
            command = [sys.executable, "-I", "-S", "-c", _BURN, str(os.getpid())]
            _LOAD.extend(subprocess.Popen(command) for _ in range(os.cpu_count() or 1))
    try:
        yield
    finally:
        with _LOAD_LOCK:
            _LOAD_USERS -= 1
            if not _LOAD_USERS:
                for process in _LOAD:
                    process.kill()
                    process.wait()
                _LOAD.clear()
