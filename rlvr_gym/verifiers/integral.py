"""Indefinite integrals: an answer is right when its derivative is the integrand, everywhere that is real."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any, Literal

from pydantic import PositiveInt

from rlvr_gym.config import Config
from rlvr_gym.errors import TaskError, did_you_mean
from rlvr_gym.types import Check, Json, Status, Task, Verdict
from rlvr_gym.verifiers.base import verifier
from rlvr_gym.verifiers.calculus import (
    Answer,
    Decision,
    Domain,
    Expr,
    Limits,
    Outcome,
    ParseError,
    Stream,
    Tape,
    compile_tape,
    decide,
    derivative,
    extract,
    parse,
    parse_answer,
    parse_integrand,
    render,
)
from rlvr_gym.verifiers.calculus.continuity import find_jump
from rlvr_gym.verifiers.calculus.decide import constant_fault
from rlvr_gym.verifiers.calculus.extract import Mode
from rlvr_gym.verifiers.calculus.points import rational_value
from rlvr_gym.verifiers.calculus.prove import same_by_algebra


class IntegralConfig(Config):
    """Settings of the integral verifier."""

    extract: Mode = "auto"
    """Where the answer stands: ``auto``, ``boxed``, ``answer`` (a tag) or ``whole``."""
    level: Literal["derivative", "continuous"] = "derivative"
    """``continuous`` also refuses an antiderivative that jumps where the integrand is continuous."""
    max_chars: PositiveInt = 4000
    """Characters of the answer."""
    max_nodes: PositiveInt = 400
    """Nodes of the answer's tree."""
    max_depth: PositiveInt = 60
    """Levels of brackets in the text and of the tree."""
    max_digits: PositiveInt = 400
    """Digits of one number."""

    def limits(self) -> Limits:
        """Return the sizes as the parser takes them."""
        return Limits(self.max_chars, self.max_nodes, self.max_depth, self.max_digits)


@dataclass(frozen=True, slots=True)
class Problem:
    """A parsed reference."""

    text: str
    expr: Expr
    tape: Tape
    variable: str
    domain: Domain


_KEYS = ("integrand", "antiderivative", "variable", "interval")
# References come from task authors and from accepted proposals, so their own limits are wide.
_REFERENCE_LIMITS = Limits(max_chars=20_000, max_nodes=2_000, max_depth=80, max_digits=400)


def read_reference(reference: Json) -> Problem:
    """Return the problem a task's reference states.

    Args:
        reference: The integrand as text, or a table with ``integrand`` or ``antiderivative``, and optionally
            ``variable`` (``"x"``) and ``interval`` (two ends; None is infinite, texts such as ``"pi/2"`` are read).

    Raises:
        TaskError: anything that could not be judged against.
    """
    if isinstance(reference, str):
        return _problem(reference, "", "x", None, None)
    if not isinstance(reference, Mapping):
        raise TaskError(f"integral reference: a text or a table is needed, got {type(reference).__name__}.")
    for key in reference:
        if key not in _KEYS:
            raise TaskError(f"integral reference: {key} is not known.{did_you_mean(str(key), _KEYS)}")
    integrand, origin = reference.get("integrand", ""), reference.get("antiderivative", "")
    variable = reference.get("variable", "x")
    if not all(isinstance(text, str) for text in (integrand, origin, variable)):
        raise TaskError("integral reference: integrand, antiderivative and variable are texts.")
    if bool(integrand) == bool(origin):
        raise TaskError("integral reference: give either integrand or antiderivative.")
    interval = reference.get("interval")
    if interval is None:
        return _problem(integrand, origin, variable, None, None)
    if not isinstance(interval, list | tuple) or len(interval) != 2:
        raise TaskError(f"integral reference: interval is a pair of ends, got {interval!r}.")
    low, high = (end if end is None else str(end) for end in interval)
    return _problem(integrand, origin, variable, low, high)


@lru_cache(maxsize=4096)
def _problem(integrand: str, origin: str, variable: str, low: str | None, high: str | None) -> Problem:
    if not variable.isascii() or not variable.isalpha() or variable in ("e", "d", "pi"):
        raise TaskError(f"integral reference: {variable!r} cannot be a variable.")
    try:
        if integrand:
            expr = parse_integrand(integrand, variable, _REFERENCE_LIMITS)
        else:
            expr = derivative(parse_answer(origin, variable, _REFERENCE_LIMITS).expr, variable)
        ends = [None if end is None else rational_value(parse(end, variable=variable)) for end in (low, high)]
    except (ParseError, ValueError) as error:
        raise TaskError(f"integral reference: {integrand or origin!r}: {error}.") from None
    domain = Domain(*ends)
    if domain.low is not None and domain.high is not None and domain.low >= domain.high:
        raise TaskError(f"integral reference: the interval from {low} to {high} is empty.")
    tape = compile_tape(expr, variable)
    fault = constant_fault(tape)
    if fault is not None:
        raise TaskError(f"integral reference: {integrand or origin!r}: {fault}.")
    return Problem(integrand or origin, expr, tape, variable, domain)
