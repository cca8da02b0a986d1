"""Patches judged by tests that are installed after submission, in a sandbox that no agent has touched."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from functools import cached_property
from typing import Any

from pydantic import Field, PositiveFloat, PositiveInt, field_validator

from rlvr_gym.config import Config
from rlvr_gym.errors import RLVRError, TaskError
from rlvr_gym.repositories.instances import Instance
from rlvr_gym.repositories.suites import Terms
from rlvr_gym.runtimes.base import RUNTIMES, Limits, Runtime, make_runtime
from rlvr_gym.types import Json, Status, Task, Verdict
from rlvr_gym.verifiers.base import VERIFIERS, Rules
from rlvr_gym.verifiers.pool import VerifierPool
from rlvr_gym.verifiers.ranges import PASS_OR_FAIL, ScoreRange


class SWEConfig(Config):
    """Settings of the grading sandboxes."""

    runtime: str | dict[str, Any] = "local"
    """Where the tests run: a runtime's name, or a table of ``name`` and settings."""
    wall_s: PositiveFloat = 300.0
    """Time of a whole suite by the clock, in seconds."""
    memory_mib: int = Field(default=2048, ge=64)
    """Memory of all processes together."""
    pids: PositiveInt = 128
    """Processes and threads at once."""
    disk_mib: PositiveInt = 512
    """What the tests may write."""
    output_bytes: PositiveInt = 32_000_000
    """Most that the tests may print, where that is what is judged."""
    max_patch_chars: PositiveInt = 400_000
    """Characters of a patch; a longer one is malformed."""
    part_marks: bool = False
    """Whether a failure keeps a score below 1 that the tests gave it, as those of Harbor tasks may; otherwise it is 0."""

    @field_validator("runtime")
    @classmethod
    def _exists(cls, value: str | dict[str, Any]) -> str | dict[str, Any]:
        RUNTIMES.resolve(value, where="runtime")
        return value

    @property
    def limits(self) -> Limits:
        """What one suite may use."""
        return Limits(
            wall_s=self.wall_s,
            # Of several processors at once.
            cpu_s=4 * self.wall_s,
            memory_mib=self.memory_mib,
            pids=self.pids,
            disk_mib=self.disk_mib,
            output_bytes=self.output_bytes,
        )


class SWETests:
    """Grades patches. It works in the caller's process, where it reads them as data and waits for sandboxes."""

    def __init__(self, config: SWEConfig, pool: VerifierPool | None = None) -> None:
        self._config = config
        self.range = ScoreRange(passed=(1.0, 1.0), failed=(0.0, 1.0)) if config.part_marks else PASS_OR_FAIL

    @cached_property
    def _runtime(self) -> Runtime:
        return make_runtime(self._config.runtime, where="verifier 'swe': runtime")

    def check(self, task: Task, response: str) -> Verdict:
        """Return the verdict on a patch, such as ``git diff`` prints it.

        Raises:
            TaskError: the reference is no instance, or a broken one.
            UnavailableError: this machine cannot isolate.
        """
        instance = read_instance(task.reference)
        if len(response) > self._config.max_patch_chars:
            return Verdict.of(
                Status.MALFORMED,
                f"the patch has {len(response)} characters, more than {self._config.max_patch_chars}",
            )
        verdict = instance.suite.grade(instance, response, Terms(self._runtime, self._config.limits))
        if verdict.status is Status.FAILED and not self._config.part_marks:
            return replace(verdict, score=0.0)
        return verdict

    async def acheck(self, task: Task, response: str) -> Verdict:
        """Return the verdict without blocking the event loop."""
        return await asyncio.to_thread(self.check, task, response)


def read_instance(reference: Json) -> Instance:
    """Return the instance that a task's reference holds.

    Raises:
        TaskError: it holds none.
    """
    try:
        return Instance.from_dict(reference)
    except TaskError:
        raise
    except (RLVRError, KeyError, TypeError, ValueError, AttributeError) as error:
        raise TaskError(f"The reference is no instance of verifier 'swe': {error}") from error


VERIFIERS.add(
    "swe",
    Rules.composed(SWETests, version=1),
    config=SWEConfig,
    summary="Pass when a patch makes all failing tests of an instance pass, and breaks none that passed.",
)
