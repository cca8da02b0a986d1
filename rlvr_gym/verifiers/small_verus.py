"""A small language of Verus contracts and bodies that a tiny policy can learn to write, proved by the embedded verifier.

A specification is one to four clauses with semicolons between them. ``x<50`` and ``x>3`` bound the argument (they become
``requires``), ``r>x``, ``r<x+4``, ``r=2x`` and ``r%3=1`` say what the result is (``ensures``). A body is an expression
such as ``x+1``, ``2x-3``, ``x/2`` or ``7``, or a choice between two: ``x%2=0?x+1:x+2``. Both become a function
``fn f(x: u8) -> (r: u8)`` of real Verus, with its overflow checks, and are judged by `verify` and `check_specification`.
"""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass
from typing import Any

from rlvr_gym.config import NoConfig
from rlvr_gym.errors import TaskError
from rlvr_gym.types import Status, Task, Verdict
from rlvr_gym.verifiers.base import verifier
from rlvr_gym.verifiers.ranges import pass_or_fail
from rlvr_gym.verifiers.verus.report import Outcome, Report

MOST_CLAUSES = 4
MOST_CHARS = 30
"""Characters of a specification."""
_BOUND = re.compile(r"x([<>])([1-9]?[0-9])", re.ASCII)
_TERM = r"(?:2?x(?:[+-][1-9])?|[1-9]?[0-9])"
_RESULT = re.compile(rf"r([<>=])({_TERM})", re.ASCII)
_REST = re.compile(r"r%([2-9])=([0-8])", re.ASCII)
_VALUE = re.compile(r"(2?x|x/[2-9]|x%[2-9])(?:([+-])([1-9]))?|[1-9]?[0-9]", re.ASCII)
_CONDITION = re.compile(r"x([<>])([1-9]?[0-9])|x%([2-9])=([0-8])", re.ASCII)
_RLIMIT = 1.0


class UnreadableError(ValueError):
    """Text that is no specification, or no body."""


@dataclass(frozen=True, slots=True)
class Spec:
    """A specification, read."""

    requires: tuple[str, ...]
    ensures: tuple[str, ...]

    @property
    def source(self) -> str:
        """The contract in Verus, up to where the body begins."""
        requires = "".join(f"        {clause},\n" for clause in self.requires)
        ensures = "".join(f"        {clause},\n" for clause in self.ensures)
        return (
            "use vstd::prelude::*;\nverus! {\nfn f(x: u8) -> (r: u8)\n"
            + (f"    requires\n{requires}" if requires else "")
            + f"    ensures\n{ensures}"
        )


@functools.lru_cache(maxsize=65536)
def read_spec(text: str) -> Spec:
    """Return a specification.

    Raises:
        UnreadableError: text that is none.

    Example:
        >>> read_spec("x<50;r>2x").ensures
        ('r > 2 * x',)
    """
    if len(text) > MOST_CHARS:
        raise UnreadableError(f"more than {MOST_CHARS} characters")
    parts = text.split(";")
    if len(parts) > MOST_CLAUSES:
        raise UnreadableError(f"more than {MOST_CLAUSES} clauses")
    requires, ensures = [], []
    for part in parts:
        if found := _BOUND.fullmatch(part):
            requires.append(f"x {found[1]} {found[2]}")
        elif found := _RESULT.fullmatch(part):
            ensures.append(f"r {'==' if found[1] == '=' else found[1]} {_spaced(found[2])}")
        elif (found := _REST.fullmatch(part)) and int(found[2]) < int(found[1]):
            ensures.append(f"r % {found[1]} == {found[2]}")
        else:
            raise UnreadableError(f"{part!r} is no clause")
    if not ensures:
        raise UnreadableError("no clause says what the result is")
    return Spec(tuple(requires), tuple(ensures))


def normal_form(text: str) -> str:
    """Return a specification with its clauses in one order.

    Raises:
        UnreadableError: text that is none.
    """
    read_spec(text)
    return ";".join(sorted(text.split(";")))


def read_body(text: str) -> str:
    """Return a body in Verus.

    Raises:
        UnreadableError: text that is none.

    Example:
        >>> read_body("x%2=0?x+1:7")
        'if x % 2 == 0 { x + 1 } else { 7 }'
    """
    condition, question, rest = text.partition("?")
    if not question:
        return _value(text)
    found = _CONDITION.fullmatch(condition)
    first, colon, second = rest.partition(":")
    if found is None or not colon:
        raise UnreadableError(f"{text!r} is no body")
    test = f"x % {found[3]} == {found[4]}" if found[3] else f"x {found[1]} {found[2]}"
    return f"if {test} {{ {_value(first)} }} else {{ {_value(second)} }}"


def program(spec: str, body: str) -> str:
    """Return the whole Verus program of a specification and a body.

    Raises:
        UnreadableError: one of them is none.
    """
    return f"{read_spec(spec).source}{{\n    {read_body(body)}\n}}\n}}\n"


def _value(text: str) -> str:
    if _VALUE.fullmatch(text) is None:
        raise UnreadableError(f"{text!r} is no value")
    return _spaced(text)


def _spaced(text: str) -> str:
    """Return a term as Rust writes it: ``2x+1`` is ``2 * x + 1``."""
    return re.sub(r"([+/%-])", r" \1 ", text.replace("2x", "2 * x"))


@functools.lru_cache(maxsize=65536)
def judged(spec: str, body: str) -> Report:
    """Return the embedded verifier's report on a body.

    Raises:
        UnreadableError: one of them is none.
    """
    from rlvr_gym.verifiers.verus.engine import verify
    from rlvr_gym.verifiers.verus.limits import Limits

    return verify(program(spec, body), function="f", limits=Limits(rlimit=_RLIMIT))


@functools.lru_cache(maxsize=65536)
def judged_spec(spec: str) -> Report:
    """Return the embedded verifier's report on a specification.

    Raises:
        UnreadableError: text that is none.
    """
    from rlvr_gym.verifiers.verus.limits import Limits
    from rlvr_gym.verifiers.verus.specification import Rules, check_specification

    source = f"{read_spec(spec).source}{{ unimplemented!() }}\n}}\n"
    # A contract that leaves the argument out is a task too: its body is a constant.
    rules = Rules(unused=False)
    return check_specification(source, "f", dialect="current", limits=Limits(rlimit=_RLIMIT), rules=rules)


_STATUS = {
    Outcome.VERIFIED: Status.PASSED,
    Outcome.TIMEOUT: Status.TIMEOUT,
    Outcome.CRASH: Status.INFRASTRUCTURE,
    Outcome.UNSUPPORTED: Status.UNSUPPORTED,
}


# Bounded: the texts are short, arithmetic is linear, and each question to the solver has its resource limit.
@verifier("small_verus", bounded=True, scores=pass_or_fail, paper="arXiv:2604.27644")
def small_verus(task: Task, response: str, config: NoConfig) -> Verdict:
    """Pass when Verus proves the body against the specification."""
    try:
        read_spec(task.reference if isinstance(task.reference, str) else "")
    except UnreadableError as error:
        raise TaskError(f"task '{task.id}': the reference is no specification: {error}.") from None
    try:
        report = judged(task.reference, response.strip())
    except UnreadableError as error:
        return Verdict.of(Status.MALFORMED, f"unreadable: {error}")
    return _verdict(report, "proved")


@verifier("small_verus_spec", bounded=True, scores=pass_or_fail, paper="arXiv:2604.27644")
def small_verus_spec(task: Task, response: str, config: NoConfig) -> Verdict:
    """Pass a specification that is well formed, can be met, asks for something, and repeats no clause."""
    try:
        read_spec(response)
    except UnreadableError as error:
        return Verdict.of(Status.MALFORMED, f"unreadable: {error}")
    clauses = response.split(";")
    if len(set(clauses)) < len(clauses):
        return Verdict.of(Status.FAILED, "repeated: one clause comes twice")
    return _verdict(judged_spec(response), "a task")


def _verdict(report: Report, passed: str) -> Verdict:
    status = _STATUS.get(report.outcome, Status.FAILED)
    reason: Any = passed if report.verified else report.findings[0].message
    return Verdict.of(status, reason)
