"""The verifier ``verus``: which engine judges, and what its report is worth."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Literal

from pydantic import Field, PositiveFloat, PositiveInt

from rlvr_gym.config import Config
from rlvr_gym.errors import TaskError, did_you_mean
from rlvr_gym.runtimes.base import UnavailableError
from rlvr_gym.spaces import is_unicode
from rlvr_gym.types import Check, Json, Status, Task, Verdict
from rlvr_gym.verifiers.pool import VerifierPool, shared_pool
from rlvr_gym.verifiers.ranges import PASS_OR_FAIL
from rlvr_gym.verifiers.verus.binary import find_verus, run_verus
from rlvr_gym.verifiers.verus.report import NOT_PROVED, NOWHERE, Dialect, Finding, Outcome, Report

PRELOAD = ("rlvr_gym.verifiers.verus.engine", "rlvr_gym.verifiers.verus.warm")
"""What a worker imports before its first program."""
_FENCE = re.compile(r"^[ \t]*```[ \t]*([\w+-]*)[^\n]*\n(.*?)^[ \t]*```[ \t]*$", re.MULTILINE | re.DOTALL)
_SHOWN = 8
_FIELDS = ("given", "function", "dialect")


class VerusConfig(Config):
    """Settings of the Verus verifier."""

    engine: Literal["auto", "embedded", "verus"] = "auto"
    """``embedded`` is our own; ``verus`` the real one; ``auto`` the real one where it is found. The verdict names it."""
    rlimit: PositiveFloat = 10.0
    """Resource limit of one query, in Verus' unit (3 million of the solver's); the same on every machine."""
    timeout_s: PositiveFloat = 20.0
    """Time of one program by the clock."""
    mask_unsupported: bool = False
    """Whether a program outside the subset counts for nothing; otherwise it fails, or policies learn to hide there."""
    max_code_chars: PositiveInt = 60_000
    """Characters of a program; a longer one is malformed."""
    memory_mib: int = Field(default=4096, ge=256)
    """Memory of the real Verus; the embedded one has the worker's."""


@dataclass(frozen=True, slots=True)
class Reference:
    """What a task asks for."""

    given: str
    """The program with its hole; every item of it must stand in the solution unchanged. Empty: nothing is given."""
    function: str
    """The function that must be there and be proved."""
    dialect: Dialect

    @classmethod
    def of(cls, reference: Json) -> Reference:
        """Return the reference of a task.

        Raises:
            TaskError: it is none.
        """
        if not isinstance(reference, Mapping) or not isinstance(reference.get("function", ""), str):
            raise TaskError("verifier 'verus': a reference is a table of given, function and dialect.")
        for name in reference:
            if name not in _FIELDS:
                raise TaskError(
                    f"verifier 'verus': a reference has no field '{name}'.{did_you_mean(str(name), _FIELDS)}"
                )
        dialect = reference.get("dialect", "current")
        if dialect not in ("current", "classic"):
            raise TaskError(f"verifier 'verus': a dialect is current or classic, got {dialect!r}.")
        return cls(str(reference.get("given", "")), reference.get("function", ""), dialect)


def code_of(response: str) -> str:
    """Return the program in ``response``: its last fenced block that holds one, or all of it."""
    blocks = [
        body for language, body in _FENCE.findall(response) if language.lower() in ("", "rust", "rs", "verus")
    ]
    return blocks[-1] if blocks else response


class VerusJudge:
    """The verifier with its settings. The embedded engine runs in the killable pool, the real one in a sandbox."""

    range = PASS_OR_FAIL

    def __init__(self, config: VerusConfig, pool: VerifierPool | None = None) -> None:
        self._config = config
        self._pool = pool

    def check(self, task: Task, response: str) -> Verdict:
        """Return the verdict.

        Raises:
            TaskError: the reference is none, or the given program is not within the subset.
            UnavailableError: the real Verus is asked for and is not here.
        """
        reference = Reference.of(task.reference)
        if not is_unicode(response):
            return Verdict.of(Status.MALFORMED, "the response is not Unicode text: it holds a lone surrogate")
        code = code_of(response)
        if len(code) > self._config.max_code_chars:
            return Verdict.of(
                Status.MALFORMED,
                f"the program has {len(code)} characters, more than {self._config.max_code_chars}",
            )
        report = self.report(code, reference)
        return report if isinstance(report, Verdict) else self._verdict(report)

    async def acheck(self, task: Task, response: str) -> Verdict:
        """Return the verdict without blocking the event loop."""
        return await asyncio.to_thread(self.check, task, response)

    def report(self, code: str, reference: Reference) -> Report | Verdict:
        """Return the engine's report, or the verdict on a limit of the pool that it hit."""
        binary = find_verus() if self._config.engine != "embedded" else None
        if binary is None and self._config.engine == "verus":
            raise UnavailableError("verifier 'verus': no verus is on the path, and $VERUS names none.")
        prove = binary is None
        found = (self._pool or shared_pool()).call(
            embedded_report,
            (
                code,
                reference.dialect,
                reference.given,
                reference.function,
                self._config.rlimit,
                self._config.timeout_s,
                prove,
            ),
            timeout_s=self._config.timeout_s * 1.05,
            preload=PRELOAD,
        )
        if isinstance(found, Verdict):
            return found
        report = Report.from_dict(found)
        looked_through = [finding.message for finding in report.findings] == [NOT_PROVED]
        if binary is None or not looked_through:
            # What could not be read to its end was not searched for cheats, nor compared with the given program.
            return report
        return run_verus(
            binary,
            code,
            dialect=reference.dialect,
            rlimit=self._config.rlimit,
            wall_s=self._config.timeout_s,
            memory_mib=self._config.memory_mib,
        )

    def _verdict(self, report: Report) -> Verdict:
        checks = tuple(Check(name, True) for name in report.functions) + tuple(
            Check(f"line {finding.place.line}", False, finding.message)
            for finding in report.findings[:_SHOWN]
        )
        reason = report.reason if not report.verified else "verified"
        return Verdict.of(self._status(report.outcome), f"{reason} [{report.engine}]", checks=checks)

    def _status(self, outcome: Outcome) -> Status:
        if outcome is Outcome.UNSUPPORTED and not self._config.mask_unsupported:
            return Status.FAILED
        return _STATUS[outcome]


_STATUS = {
    Outcome.VERIFIED: Status.PASSED,
    Outcome.FAILED: Status.FAILED,
    Outcome.REJECTED: Status.FAILED,
    Outcome.UNSUPPORTED: Status.UNSUPPORTED,
    Outcome.CHEAT: Status.FAILED,
    Outcome.SPEC_CHANGED: Status.FAILED,
    Outcome.TIMEOUT: Status.TIMEOUT,
    Outcome.CRASH: Status.INFRASTRUCTURE,
}


def embedded_report(
    code: str, dialect: Dialect, given: str, function: str, rlimit: float, timeout_s: float, prove: bool
) -> Json:
    """Return the embedded engine's report as JSON; without ``prove`` only what can be said without a proof."""
    from rlvr_gym.verifiers.verus.engine import examine, verify
    from rlvr_gym.verifiers.verus.limits import Limits
    from rlvr_gym.verifiers.verus.specification import endless

    limits = Limits(rlimit=rlimit, wall_s=timeout_s)
    if not prove:
        return dict(examine(code, dialect=dialect, given=given or None, function=function or None).to_dict())
    report = verify(code, dialect=dialect, given=given or None, function=function or None, limits=limits)
    # Verus of 2024 proves any contract of a body that never ends.
    may_be_endless = report.verified and dialect == "classic" and function
    if may_be_endless and (name := endless(code, dialect=dialect, limits=limits)):
        finding = Finding(f"the end of `{name}` is never reached, as far as is known", NOWHERE, function=name)
        report = replace(report, outcome=Outcome.CHEAT, findings=(finding,), functions=())
    return dict(report.to_dict())
