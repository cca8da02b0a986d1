"""Code judged by tests that it cannot reach: it runs in a sandbox, and the verdict comes from outside."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from pydantic import Field, PositiveFloat, PositiveInt, field_validator

from rlvr_gym.config import Config
from rlvr_gym.runtimes.base import RUNTIMES, Limits, Spec, UnavailableError, make_runtime
from rlvr_gym.runtimes.local import Local
from rlvr_gym.spaces import is_unicode
from rlvr_gym.types import Check, Status, Task, Verdict
from rlvr_gym.verifiers.base import VERIFIERS, Rules
from rlvr_gym.verifiers.code_tests.cases import Suite
from rlvr_gym.verifiers.code_tests.extraction import NoCodeError, code_of
from rlvr_gym.verifiers.code_tests.runners import Runner, SandboxRunner, ZygoteRunner, shared_zygote
from rlvr_gym.verifiers.code_tests.running import Outcome, Terms, run_test
from rlvr_gym.verifiers.code_tests.suite import read_suite
from rlvr_gym.verifiers.pool import VerifierPool
from rlvr_gym.verifiers.ranges import PASS_OR_FAIL

_TRIES = 2
"""How often a test is tried whose sandbox is lost."""


class CodeConfig(Config):
    """Settings of the tests."""

    runtime: str | dict[str, Any] = "local"
    """Where the code runs: a runtime's name, or a table of ``name`` and settings."""
    cpu_s: PositiveFloat = 4.0
    """CPU time of one test, in seconds."""
    wall_s: PositiveFloat = 10.0
    """Time of one test by the clock; longer than ``cpu_s``, so that a busy machine decides nothing."""
    memory_mib: int = Field(default=512, ge=32)
    """Memory of one test."""
    output_bytes: PositiveInt = 1_000_000
    """Most that one test may write: its output, or its value as JSON."""
    give_up_after: PositiveInt = 2
    """Tests over a limit after which the others are not run, and fail."""
    tolerance: float = Field(default=0.0, ge=0.0, lt=1.0)
    """How far floats that tests compare with ``==`` may differ, relatively or absolutely; 0 compares them as ``==``."""
    max_code_chars: PositiveInt = 50_000
    """Characters of code; a longer one is malformed."""
    show_expected: bool = False
    """Whether the details of failed tests tell what was expected. A policy must not read them then."""

    @field_validator("runtime")
    @classmethod
    def _exists(cls, value: str | dict[str, Any]) -> str | dict[str, Any]:
        RUNTIMES.resolve(value, where="runtime")
        return value

    @property
    def limits(self) -> Limits:
        """What one test may use."""
        return Limits(
            wall_s=self.wall_s,
            cpu_s=self.cpu_s,
            memory_mib=self.memory_mib,
            output_bytes=self.output_bytes,
        )


class CodeTests:
    """The tests with their settings. It works in the caller's process, where it only waits for sandboxes."""

    range = PASS_OR_FAIL

    def __init__(self, config: CodeConfig, pool: VerifierPool | None = None) -> None:
        self._config = config
        self._terms = Terms(config.limits, config.tolerance, config.show_expected)

    def check(self, task: Task, response: str) -> Verdict:
        """Return the verdict.

        Raises:
            TaskError: the reference holds no tests.
            UnavailableError: this machine cannot isolate.
        """
        suite = read_suite(task.reference)
        if not is_unicode(response):
            return Verdict.of(Status.MALFORMED, "the response is not Unicode text: it holds a lone surrogate")
        try:
            code = code_of(response, suite.entry_points, max_chars=self._config.max_code_chars)
        except NoCodeError as error:
            return Verdict.of(Status.MALFORMED, str(error))
        with self._runner() as runner:
            return self._judged(suite, code, runner)

    async def acheck(self, task: Task, response: str) -> Verdict:
        """Return the verdict without blocking the event loop."""
        return await asyncio.to_thread(self.check, task, response)

    @contextmanager
    def _runner(self) -> Iterator[Runner]:
        _, settings = RUNTIMES.resolve(self._config.runtime, where="verifier 'code': runtime")
        if isinstance(settings, Local):
            yield ZygoteRunner(shared_zygote(settings))
            return
        runtime = make_runtime(self._config.runtime)
        if missing := runtime.missing():
            raise UnavailableError("; ".join(missing))
        with runtime.start(Spec(limits=self._config.limits)) as sandbox:
            yield SandboxRunner(sandbox)

    def _judged(self, suite: Suite, code: str, runner: Runner) -> Verdict:
        outcomes: list[Outcome] = []
        over = 0
        for number, test in enumerate(suite.tests, 1):
            if over >= self._config.give_up_after:
                outcomes.append(Outcome("failed", "not run: too many tests were over a limit"))
                continue
            for _ in range(_TRIES):
                outcome = run_test(test, code, suite.prelude, runner, self._terms)
                if outcome.kind != "lost":
                    break
            else:
                return Verdict.of(Status.INFRASTRUCTURE, f"test {number}: {outcome.detail}")
            over += outcome.kind == "over_limit"
            outcomes.append(outcome)
        return _concluded(outcomes)


def _concluded(outcomes: list[Outcome]) -> Verdict:
    """Return the verdict on code whose tests were all run.

    It is over its limit when tests were over a limit and none passed. Otherwise those tests count as failed like any
    other, or else ``pass_rate`` would pay more for a wrong answer than for a late one.
    """
    checks = tuple(
        Check(f"test {number}", outcome.kind == "passed", outcome.detail)
        for number, outcome in enumerate(outcomes, 1)
    )
    num_passed = sum(check.passed for check in checks)
    reason = f"{num_passed} of {len(checks)} tests pass"
    if num_passed == len(checks):
        return Verdict.of(Status.PASSED, reason, checks=checks)
    first = next(check for check in checks if not check.passed)
    reason += f"; {first.name}: {first.detail}"
    over = any(outcome.kind == "over_limit" for outcome in outcomes)
    status = Status.OVER_LIMIT if over and num_passed == 0 else Status.FAILED
    return Verdict.of(status, reason, checks=checks)


VERIFIERS.add(
    "code",
    Rules.composed(CodeTests, version=1),
    config=CodeConfig,
    summary="Pass when code passes every hidden test, run in a sandbox and judged from outside.",
)
