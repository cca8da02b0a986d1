"""Numbers 0 to 99 under constraints: a language of specifications small enough to decide by looking at all numbers.

A specification is one to four constraints with commas between them: ``%7=3`` (the number leaves 3 when divided by 7),
``>20``, ``<55`` and ``d=09`` (its digits sum to 9).
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable
from dataclasses import dataclass

from pydantic import Field

from rlvr_gym.config import Config, NoConfig
from rlvr_gym.errors import TaskError
from rlvr_gym.types import Status, Task, Verdict
from rlvr_gym.verifiers.base import verifier
from rlvr_gym.verifiers.ranges import pass_or_fail

NUMBERS = range(100)
MOST_CONSTRAINTS = 4
MOST_SOLUTIONS = 50
_MOST_CHARS = 5 * MOST_CONSTRAINTS - 1
_CONSTRAINT = re.compile(r"%([2-9])=([0-8])|>([0-9]{2})|<([0-9]{2})|d=([0-9]{2})", re.ASCII)
_NUMBER = re.compile(r"[0-9]{2}", re.ASCII)


class UnreadableError(ValueError):
    """Text that is no specification."""


@dataclass(frozen=True, slots=True)
class Constraint:
    """One constraint as it is written, with what it asks of a number."""

    text: str
    holds: Callable[[int], bool]


@functools.lru_cache(maxsize=65536)
def parse(text: str) -> tuple[Constraint, ...]:
    """Return the constraints of a specification in the order in which they are written.

    Raises:
        UnreadableError: text that is no specification.

    Example:
        >>> [constraint.text for constraint in parse("%7=3,>20")]
        ['%7=3', '>20']
    """
    if len(text) > _MOST_CHARS:
        raise UnreadableError(f"more than {_MOST_CHARS} characters")
    parts = text.split(",")
    if len(parts) > MOST_CONSTRAINTS:
        raise UnreadableError(f"more than {MOST_CONSTRAINTS} constraints")
    return tuple(_constraint(part) for part in parts)


def _constraint(text: str) -> Constraint:
    found = _CONSTRAINT.fullmatch(text)
    if found is None:
        raise UnreadableError(f"{text!r} is no constraint")
    modulus, rest, above, below, digits = (None if part is None else int(part) for part in found.groups())
    if modulus is not None and rest is not None:
        if rest >= modulus:
            raise UnreadableError(f"{text!r}: nothing leaves {rest} when divided by {modulus}")
        return Constraint(text, lambda n: n % modulus == rest)
    if above is not None:
        return Constraint(text, lambda n: n > above)
    if below is not None:
        return Constraint(text, lambda n: n < below)
    return Constraint(text, lambda n: n // 10 + n % 10 == digits)


@functools.lru_cache(maxsize=65536)
def solutions(text: str) -> tuple[int, ...]:
    """Return all numbers that a specification allows.

    Raises:
        UnreadableError: text that is no specification.

    Example:
        >>> solutions("d=03,>12")
        (21, 30)
    """
    constraints = parse(text)
    return tuple(n for n in NUMBERS if all(constraint.holds(n) for constraint in constraints))


def normal_form(text: str) -> str:
    """Return a specification with its constraints in one order, equal for those that differ in order alone.

    Raises:
        UnreadableError: text that is no specification.
    """
    return ",".join(sorted(constraint.text for constraint in parse(text)))


@verifier("constraints", bounded=True, scores=pass_or_fail)
def constraints(task: Task, response: str, config: NoConfig) -> Verdict:
    """Pass when the response is a number of two digits that meets every constraint."""
    try:
        allowed = solutions(task.reference) if isinstance(task.reference, str) else ()
    except UnreadableError as error:
        raise TaskError(f"task '{task.id}': the reference is no specification: {error}.") from None
    if not allowed:
        raise TaskError(f"task '{task.id}': the reference must be a specification that some number meets.")
    written = response.strip()
    if not _NUMBER.fullmatch(written):
        return Verdict.of(Status.MALFORMED, "not two digits")
    if int(written) in allowed:
        return Verdict.of(Status.PASSED, "meets every constraint")
    broken = next(c.text for c in parse(task.reference) if not c.holds(int(written)))
    return Verdict.of(Status.FAILED, f"breaks a constraint: {broken}")


class ConstraintsSpec(Config):
    """Settings of the specification check."""

    most_solutions: int = Field(default=MOST_SOLUTIONS, ge=1, le=len(NUMBERS))
    """Specifications that more numbers meet are refused as too loose."""


@verifier("constraints_spec", config=ConstraintsSpec, bounded=True, scores=pass_or_fail)
def constraints_spec(task: Task, response: str, config: ConstraintsSpec) -> Verdict:
    """Pass when the response is a specification that some numbers meet, but not many, and repeats no constraint."""
    try:
        allowed = solutions(response)
    except UnreadableError as error:
        return Verdict.of(Status.MALFORMED, f"unreadable: {error}")
    texts = [constraint.text for constraint in parse(response)]
    if len(set(texts)) < len(texts):
        return Verdict.of(Status.FAILED, "repeated: one constraint comes twice")
    if not allowed:
        return Verdict.of(Status.FAILED, "unsatisfiable: no number meets it")
    if len(allowed) > config.most_solutions:
        return Verdict.of(
            Status.FAILED, f"loose: {len(allowed)} numbers meet it, more than {config.most_solutions}"
        )
    return Verdict.of(Status.PASSED, f"{len(allowed)} numbers meet it")
