"""The gate of a problem setter: is a proposed integral with its antiderivative a valid new problem?"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Final, Literal

from pydantic import Field, PositiveInt

from rlvr_gym.config import Config
from rlvr_gym.errors import TaskError, did_you_mean
from rlvr_gym.types import Check, Status, Task, Verdict
from rlvr_gym.verifiers.base import verifier
from rlvr_gym.verifiers.calculus import (
    Expr,
    Limits,
    Outcome,
    ParseError,
    Stream,
    Tape,
    ball_precision,
    compile_tape,
    constant_fault,
    is_trivial,
    parse_answer,
    parse_integrand,
    symbols,
    value_hash,
    visible,
)
from rlvr_gym.verifiers.calculus.points import REAL_LINE, Cell
from rlvr_gym.verifiers.calculus.resolution import magnitude
from rlvr_gym.verifiers.calculus.tree import Num, Pow, walk
from rlvr_gym.verifiers.integral import STATUS, decide_pair
from rlvr_gym.verifiers.ranges import pass_or_fail


class IntegralSetterConfig(Config):
    """Settings of the setter gate."""

    variable: str = Field(default="x", pattern="^[a-zA-Z]+$")
    """The variable of every problem."""
    max_chars: PositiveInt = 400
    """Characters of the problem, and of the answer."""
    max_nodes: PositiveInt = 200
    """Nodes of the problem's tree, and of the answer's."""
    max_depth: int = Field(default=30, ge=1, le=60)
    """Levels of either tree."""
    max_digits: PositiveInt = 6
    """Digits of one number: ugly constants make a problem long, not hard."""
    max_exponent: PositiveInt = 20
    """Size of a numeric exponent."""
    min_real: float = Field(default=0.25, ge=0.0, le=1.0)
    """Share of the sample points at which the problem must be real and finite."""
    allow_trivial: bool = False
    """Accept problems that are one entry of the table of integrals."""
    level: Literal["derivative", "continuous"] = "derivative"
    """``continuous`` also refuses an answer that jumps where the problem is continuous."""

    def limits(self) -> Limits:
        """Return the sizes as the parser takes them."""
        return Limits(self.max_chars, self.max_nodes, self.max_depth, self.max_digits)


@dataclass(frozen=True, slots=True)
class Proposal:
    """An accepted or refused pair, parsed."""

    problem: Expr
    answer: Expr


class _Refused(Exception):
    """Ends the gate: which check failed, with what status and reason."""

    def __init__(self, check: str, status: Status, reason: str) -> None:
        super().__init__(reason)
        self.check = check
        self.status = status
        self.reason = reason


_SAMPLES: Final = 3
"""Points in each cell."""
_BITS: Final = 160
_MAX_BITS: Final = 40
"""Numbers in a problem lie between 10^-12 and 10^12."""
_CELLS: Final = [Cell(Fraction(low), Fraction(low + 1)) for low in range(-4, 4)]
"""Where a problem is sampled: evenly, so that a domain such as (-1, 1) is a quarter of it whatever the draw."""


@verifier(
    "integral_setter",
    config=IntegralSetterConfig,
    bounded=True,
    paper="arXiv:2605.06660",
    scores=pass_or_fail,
)
def integral_setter(task: Task, response: str, config: IntegralSetterConfig) -> Verdict:
    r"""Pass when ``<problem>f</problem><answer>F</answer>`` is a valid, new and not trivial integral.

    ``known``, a list of value hashes in the task's reference or hidden part, says which problems exist already.

    The checks, in order, each with the code its reason begins with:

    * ``format``: ``unclosed_think``, ``format`` (not exactly the two tags).
    * ``problem``, ``answer``: ``problem_C`` or ``answer_C`` for a code C of ``ParseError``, ``exponent``,
      ``constant``.
    * ``variable``: ``no_variable``.
    * ``real``: ``not_real``. ``varies``: ``constant_problem``.
    * ``new``: ``known``. ``trivial``: ``trivial``.
    * ``derivative``: ``differs``, ``jump``, ``undefined`` (an answer without values); undecided with ``undefined``
      (without some values), ``precision``, ``unseen``, ``few_points``, ``no_point``, ``pieces``, ``budget``.

    Raises:
        TaskError: a reference other than None and a table with ``known``, a list of texts.
    """
    known = _known(task)
    checks: list[Check] = []
    try:
        for check in _gate(response, config, known):
            checks.append(check)
    except _Refused as refusal:
        checks.append(Check(refusal.check, False, refusal.reason))
        return Verdict.of(refusal.status, refusal.reason, checks=tuple(checks))
    return Verdict.of(Status.PASSED, f"valid: {checks[-1].detail}", checks=tuple(checks))


def read_proposal(response: str, config: IntegralSetterConfig) -> Proposal:
    """Return the parsed pair of a response.

    Raises:
        ParseError: no pair in the form and size asked for.
    """
    try:
        problem, answer = _tags(response)
        return Proposal(_problem(problem, config), _answer(answer, config))
    except _Refused as refusal:
        code, _, detail = refusal.reason.partition(": ")
        raise ParseError(code, detail) from None


def _known(task: Task) -> Collection[str]:
    reference = {} if task.reference is None else task.reference
    if not isinstance(reference, Mapping):
        raise TaskError(
            f"integral_setter reference: nothing or a table with known is needed, got {reference!r:.80}."
        )
    for name in reference:
        if name != "known":
            raise TaskError(
                f"integral_setter reference: {name} is not known.{did_you_mean(str(name), ['known'])}"
            )
    found: list[str] = []
    for table in (reference, task.hidden):
        known = table.get("known", ())
        if not isinstance(known, list | tuple) or not all(isinstance(value, str) for value in known):
            raise TaskError("integral_setter reference: known is a list of value hashes.")
        found.extend(known)
    return frozenset(found)


def _gate(response: str, config: IntegralSetterConfig, known: Collection[str]) -> Iterator[Check]:
    """Yield the checks that hold, in order, and raise at the first that does not."""
    problem_text, answer_text = _tags(response)
    yield Check("format", True)
    problem = _problem(problem_text, config)
    yield Check("problem", True)
    answer = _answer(answer_text, config)
    yield Check("answer", True)
    if config.variable not in symbols(problem):
        raise _Refused(
            "variable", Status.FAILED, f"no_variable: the problem does not contain {config.variable}"
        )
    yield Check("variable", True)
    tape = compile_tape(problem, config.variable)
    yield from _values(tape, Stream(problem_text, answer_text), config)
    fingerprint = value_hash(problem, config.variable)
    if fingerprint in known:
        raise _Refused("new", Status.FAILED, f"known: the values of {fingerprint} are taken")
    yield Check("new", True, fingerprint)
    if not config.allow_trivial and is_trivial(problem, config.variable):
        raise _Refused("trivial", Status.FAILED, "trivial: one entry of the table of integrals")
    yield Check("trivial", True)
    decision = decide_pair(
        tape,
        compile_tape(answer, config.variable),
        Stream(answer_text, problem_text),
        REAL_LINE,
        config.level,
    )
    if decision.outcome is not Outcome.AGREE:
        raise _Refused("derivative", STATUS[decision.outcome], decision.reason)
    yield Check("derivative", True, decision.reason)


def _tags(response: str) -> tuple[str, str]:
    try:
        text = visible(response).strip()
    except ParseError as error:
        raise _Refused("format", Status.MALFORMED, str(error)) from None
    # The two tags and nothing else: words around a formula are how a setter talks to a solver or a judge.
    problem, closed, rest = text.removeprefix("<problem>").partition("</problem>")
    rest = rest.strip()
    answer = rest.removeprefix("<answer>").removesuffix("</answer>")
    whole = (
        text.startswith("<problem>") and closed and rest.startswith("<answer>") and rest.endswith("</answer>")
    )
    if not whole or any(sign in problem + answer for sign in "<>"):
        raise _Refused(
            "format", Status.MALFORMED, "format: not exactly <problem>...</problem><answer>...</answer>"
        )
    return problem, answer


def _problem(text: str, config: IntegralSetterConfig) -> Expr:
    try:
        expr = parse_integrand(text, config.variable, config.limits())
    except ParseError as error:
        raise _Refused("problem", Status.MALFORMED, f"problem_{error}") from None
    _sizes(expr, "problem", config)
    return expr


def _answer(text: str, config: IntegralSetterConfig) -> Expr:
    try:
        answer = parse_answer(text, config.variable, config.limits(), sentences=False)
        if answer.claim is not None or answer.others or "=" in text:
            raise ParseError("equation", "the answer repeats the problem")
    except ParseError as error:
        raise _Refused("answer", Status.MALFORMED, f"answer_{error}") from None
    _sizes(answer.expr, "answer", config)
    return answer.expr


def _sizes(expr: Expr, part: str, config: IntegralSetterConfig) -> None:
    for node in walk(expr):
        if isinstance(node, Pow) and isinstance(node.exponent, Num):
            exponent = node.exponent.value
            if abs(exponent) > config.max_exponent or exponent.denominator > config.max_exponent:
                raise _Refused(part, Status.MALFORMED, f"exponent: larger than {config.max_exponent}")
    if part == "problem" and _ugly(expr, config.variable):
        raise _Refused(part, Status.MALFORMED, "constant: a number too large or too small for a problem")
    fault = constant_fault(compile_tape(expr, config.variable))
    if fault is not None:
        raise _Refused(part, Status.MALFORMED, f"constant: {fault}")


def _ugly(expr: Expr, variable: str) -> bool:
    """Return whether short numbers were put together to a huge one, or to a tiny one."""
    tape = compile_tape(expr, variable)
    with ball_precision(_BITS):
        slots = tape.constants()
        sizes = [magnitude(slots[step.out]) for step in tape.constant if slots[step.out].is_finite()]
    return any(abs(size) > _MAX_BITS for size in sizes if math.isfinite(size)) or any(
        max(node.value.numerator.bit_length(), node.value.denominator.bit_length()) > _MAX_BITS
        for node in walk(expr)
        if isinstance(node, Num)
    )


def _values(tape: Tape, stream: Stream, config: IntegralSetterConfig) -> Iterator[Check]:
    """Check that the problem is real often enough and takes more than one value."""
    values = []
    with ball_precision(_BITS):
        for cell in _CELLS:
            for _ in range(_SAMPLES):
                value = tape.value(stream.point(cell, 0).ball())
                if value.is_finite() and value.imag.contains(0):
                    values.append(value.real)
        share = len(values) / (len(_CELLS) * _SAMPLES)
        if not values or share < config.min_real:
            raise _Refused("real", Status.FAILED, f"not_real: real and finite at {share:.0%} of the points")
        yield Check("real", True, f"{share:.0%}")
        if all(value.overlaps(values[0]) for value in values):
            raise _Refused("varies", Status.FAILED, "constant_problem: the same value at every point")
    yield Check("varies", True)
