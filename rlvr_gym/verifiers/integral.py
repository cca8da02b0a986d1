"""Indefinite integrals: an answer is right when its derivative is the integrand, everywhere that is real."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from pydantic import Field, PositiveInt

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
    Mode,
    Outcome,
    ParseError,
    Stream,
    Tape,
    compile_tape,
    constant_fault,
    constant_value,
    decide,
    derivative,
    extract,
    find_jump,
    parse,
    parse_answer,
    parse_integrand,
    same_values,
)
from rlvr_gym.verifiers.calculus.prove import same_by_algebra
from rlvr_gym.verifiers.ranges import pass_or_fail


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
    max_depth: int = Field(default=40, ge=1, le=60)
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


_INFINITE = ("None", "inf", "-inf", "oo", "-oo")
_KEYS = ("integrand", "antiderivative", "variable", "interval")
# References come from task authors and from accepted proposals, so their own limits are wide.
_REFERENCE_LIMITS = Limits(max_chars=20_000, max_nodes=2_000, max_depth=50, max_digits=400)


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
    low, high = (None if str(end) in _INFINITE else str(end) for end in interval)
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
        domain = Domain(*(None if end is None else constant_value(parse(end)) for end in (low, high)))
    except (ParseError, ValueError) as error:
        raise TaskError(f"integral reference: {integrand or origin!r}: {error}.") from None
    if domain.low is not None and domain.high is not None and domain.low >= domain.high:
        raise TaskError(f"integral reference: the interval from {low} to {high} is empty.")
    tape = compile_tape(expr, variable)
    fault = constant_fault(tape)
    if fault is not None:
        raise TaskError(f"integral reference: {integrand or origin!r}: {fault}.")
    return Problem(integrand or origin, expr, tape, variable, domain)


def integral_by_algebra(task: Task, response: str, config: IntegralConfig) -> Verdict:
    """Judge with sympy what the balls left open for want of precision; everything else stays open."""
    problem = read_reference(task.reference)
    verdict, answer = _judged(problem, response, config)
    if (
        verdict.status is not Status.UNDECIDED
        or answer is None
        or answer.others
        or not verdict.reason.startswith("precision:")
    ):
        return verdict
    if not same_by_algebra(answer.expr, problem.expr, problem.variable):
        return verdict
    return Verdict.of(
        Status.PASSED,
        "algebra: the difference reduces to 0",
        checks=(*verdict.checks[:1], Check("derivative", True, "by algebra")),
    )


@verifier(
    "integral",
    config=IntegralConfig,
    bounded=True,
    escalate=integral_by_algebra,
    paper="arXiv:2605.06660",
    scores=pass_or_fail,
)
def integral(task: Task, response: str, config: IntegralConfig) -> Verdict:
    r"""Pass when the derivative of the answer is the integrand on every real piece of its domain.

    The task's reference is read by ``read_reference``. The answer is an elementary formula, plain or LaTeX, with or
    without ``+ C``; anything outside that grammar (``erf``, ``sign``, ``floor``, an integral sign, a second symbol)
    is malformed. Wrong is only what is proven wrong; what could not be settled is undecided and earns nothing.

    Each reason begins with a code: ``no_answer``, ``unclosed_think``, ``hedge`` and the parser's codes
    (see ``ParseError``) and ``constant`` for malformed; ``differs``, ``jump``, ``claim`` and ``undefined`` (no value
    wherever the integrand has one) for failed; ``undefined`` (no value at some points), ``precision``, ``unseen``,
    ``few_points``, ``no_point``, ``pieces``, ``budget`` for undecided; ``agrees`` for passed.

    Raises:
        TaskError: a reference that cannot be judged against.
    """
    return _judged(read_reference(task.reference), response, config)[0]


def _judged(problem: Problem, response: str, config: IntegralConfig) -> tuple[Verdict, Answer | None]:
    try:
        text = extract(response, config.extract)
        answer = parse_answer(text, problem.variable, config.limits())
    except ParseError as error:
        return Verdict.of(Status.MALFORMED, str(error), checks=(Check("parsed", False, str(error)),)), None
    stream = Stream(problem.text, text)
    parsed = Check("parsed", True)
    if answer.claim is not None and not same_values(
        compile_tape(answer.claim, problem.variable), problem.tape, stream
    ):
        reason = "claim: the answer is given for another integrand"
        return Verdict.of(Status.FAILED, reason, checks=(parsed, Check("claim", False, reason))), answer
    for expr in (*answer.others, answer.expr):
        tape = compile_tape(expr, problem.variable)
        decision = decide_pair(problem.tape, tape, stream, problem.domain, config.level)
        if decision.outcome is not Outcome.AGREE:
            break
    check = Check("derivative", decision.outcome is Outcome.AGREE, decision.reason)
    return Verdict.of(STATUS[decision.outcome], decision.reason, checks=(parsed, check)), answer


STATUS = {
    Outcome.AGREE: Status.PASSED,
    Outcome.DIFFER: Status.FAILED,
    Outcome.OPEN: Status.UNDECIDED,
    Outcome.OUTSIDE: Status.UNDECIDED,
    Outcome.BROKEN: Status.MALFORMED,
}


def decide_pair(integrand: Tape, answer: Tape, stream: Stream, domain: Domain, level: str) -> Decision:
    """Return whether the derivative of ``answer`` is ``integrand``, at the wanted level."""
    decision = decide(integrand, answer, stream, domain)
    if decision.outcome is Outcome.AGREE and level == "continuous":
        jump = find_jump(integrand, answer, stream, domain)
        if jump is not None:
            reason = f"jump: the answer jumps between x = {jump[0]:.6g} and {jump[1]:.6g}"
            return Decision(Outcome.DIFFER, reason, decision.points)
    return decision
