"""Specifications judged as tasks: the gate of a proposer that writes Verus contracts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import PositiveFloat, PositiveInt

from rlvr_gym.config import Config
from rlvr_gym.errors import TaskError
from rlvr_gym.spaces import is_unicode
from rlvr_gym.types import Check, Status, Task, Verdict
from rlvr_gym.verifiers.base import verifier
from rlvr_gym.verifiers.ranges import pass_or_fail
from rlvr_gym.verifiers.verus.judging import PRELOAD, code_of
from rlvr_gym.verifiers.verus.report import Dialect, Outcome


class VerusSpecConfig(Config):
    """Settings of the gate."""

    rlimit: PositiveFloat = 10.0
    """Resource limit of one query, in Verus' unit."""
    wall_s: PositiveFloat = 10.0
    """Time of all queries by the clock."""
    trivial_bodies: bool = True
    """Refuse a contract that a body without any computation meets."""
    unused: bool = True
    """Refuse a contract that does not mention a parameter, or the result."""
    max_code_chars: PositiveInt = 20_000
    """Characters of a specification; a longer one is malformed."""


_STATUS = {
    Outcome.VERIFIED: Status.PASSED,
    Outcome.UNSUPPORTED: Status.UNSUPPORTED,
    Outcome.TIMEOUT: Status.TIMEOUT,
    Outcome.CRASH: Status.INFRASTRUCTURE,
}


@verifier(
    "verus_spec",
    config=VerusSpecConfig,
    timeout_s=12.0,
    preload=(*PRELOAD, "rlvr_gym.verifiers.verus.specification"),
    paper="arXiv:2604.27644",
    scores=pass_or_fail,
)
def verus_spec(task: Task, response: str, config: Any) -> Verdict:
    """Pass a Verus specification that is well formed, can be met, and is not met by just any program."""
    from rlvr_gym.verifiers.verus.errors import Stop
    from rlvr_gym.verifiers.verus.holes import hole_of
    from rlvr_gym.verifiers.verus.limits import Limits
    from rlvr_gym.verifiers.verus.specification import Rules, check_specification

    function, dialect = _reference(task)
    code = code_of(response)
    if not is_unicode(code):
        return Verdict.of(Status.MALFORMED, "the response is not Unicode text: it holds a lone surrogate")
    if len(code) > config.max_code_chars:
        reason = f"the specification has {len(code)} characters, more than {config.max_code_chars}"
        return Verdict.of(Status.MALFORMED, reason)
    try:
        function = function or hole_of(code)
    except Stop as stop:
        return Verdict.of(Status.MALFORMED, f"line {stop.place.line}: {stop.message}")
    report = check_specification(
        code,
        function,
        dialect=dialect,
        limits=Limits(rlimit=config.rlimit, wall_s=config.wall_s),
        rules=Rules(config.trivial_bodies, config.unused),
    )
    checks = tuple(Check(f"line {found.place.line}", False, found.message) for found in report.findings)
    reason = "a task" if report.verified else report.reason
    return Verdict.of(_STATUS.get(report.outcome, Status.FAILED), reason, checks=checks)


def _reference(task: Task) -> tuple[str, Dialect]:
    """Return the function whose contract is judged, empty to find it, and the dialect.

    Raises:
        TaskError: the reference is none.
    """
    reference = task.reference if task.reference is not None else {}
    if not isinstance(reference, Mapping) or not isinstance(reference.get("function", ""), str):
        raise TaskError("verifier 'verus_spec': a reference is a table of function and dialect.")
    dialect = reference.get("dialect", "current")
    if dialect not in ("current", "classic"):
        raise TaskError(f"verifier 'verus_spec': a dialect is current or classic, got {dialect!r}.")
    return reference.get("function", ""), dialect
