"""Small Verus contracts, and the bodies that meet them: a world of proofs that fits a tiny policy."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from rlvr_gym.config import Config
from rlvr_gym.envs.base import SingleTurnEnv, draw_until
from rlvr_gym.envs.catalog import register
from rlvr_gym.envs.splits import Split, in_split
from rlvr_gym.types import Task
from rlvr_gym.verifiers.small_verus import MOST_CHARS, MOST_CLAUSES, normal_form, read_spec

Values = NDArray[np.int64]
X: Values = np.arange(256)
"""Every argument."""
_TRIES = 12
_NEVER = -1
"""Stands for the value of a body that overflows."""


class SmallVerus(Config):
    """Settings of the environment."""

    most: int = Field(default=MOST_CLAUSES, ge=1, le=MOST_CLAUSES)
    """Most clauses of a specification."""
    roots: int = Field(default=2, ge=1, le=MOST_CLAUSES)
    """Most clauses of the specifications that a proposer starts from."""
    split: Split = "train"
    """Which specifications; the order of the clauses makes no difference."""


class SmallVerusEnv(SingleTurnEnv):
    """Write a body that Verus proves against a small contract."""

    def __init__(self, config: SmallVerus) -> None:
        super().__init__("small_verus")
        self.config = config

    def draw(self, rng: np.random.Generator) -> Task:
        """Return a specification of the split with at most ``most`` clauses."""
        return pose(self.draw_pair(rng, self.config.most)[0])

    def draw_pair(self, rng: np.random.Generator, most: int) -> tuple[str, str]:
        """Return a specification of the split that asks for something, and a body that meets it."""
        number = 1 + int(rng.integers(most))
        split = self.config.split
        return draw_until(
            lambda: _drawn(rng, number),
            lambda pair: bool(pair[0]) and in_split(normal_form(pair[0]), split) and is_task(pair[0]),
            what=f"env 'small_verus' with split '{split}'",
        )

    def oracle(self, task: Task) -> str | None:
        """Return a body that meets the contract for every argument, None where none of those tried does."""
        return solve(task.reference)


def pose(spec: str) -> Task:
    """Return the task of a specification."""
    return Task(
        f"small_verus:{spec}",
        prompt=spec,
        reference=spec,
        verifier="small_verus",
        env="small_verus-v0",
        strata={"clauses": spec.count(";") + 1},
    )


def draw_clause(rng: np.random.Generator, body: str, clauses: Sequence[str] = ()) -> str:
    """Return a clause to stand beside ``clauses``: a bound of the argument, or something that holds of ``body``.

    What it says of the result holds for every argument that the bounds among ``clauses`` leave, where a few tries find
    such a thing; three in ten are bounds.
    """
    if rng.random() < 0.3:
        return f"x<{int(rng.integers(5, 100))}" if rng.random() < 0.7 else f"x>{int(rng.integers(0, 20))}"
    bounds = ";".join(clause for clause in clauses if clause[0] == "x")
    clause = ""
    for _ in range(_TRIES):
        clause = _said_of(rng, body)
        if meets(f"{bounds};{clause}" if bounds else clause, values_of(body)).all():
            break
    return clause


def _said_of(rng: np.random.Generator, body: str) -> str:
    if rng.random() < 0.25:
        modulus = int(rng.integers(2, 5))
        return f"r%{modulus}={int(rng.integers(modulus))}"
    term = str(rng.choice(_TERMS))
    difference = values_of(body)[10] - values_of(term, ghost=True)[10]
    return f"r{'>' if difference > 0 else '<' if difference < 0 else '='}{term}"


_OF_X = ["x", "2x", "2x+1", "2x-1", *(f"x+{d}" for d in range(1, 10)), *(f"x-{d}" for d in range(1, 6))]
_TERMS = [*(4 * _OF_X), *map(str, range(0, 60, 3))]
"""What contracts compare the result with; terms of the argument are four times as likely."""
_VALUES = [
    *map(str, range(30)),
    *(
        f"{base}{tail}"
        for base in ("x", "2x")
        for tail in ("", *(f"{s}{d}" for s in "+-" for d in range(1, 10)))
    ),
    *(f"x/{d}" for d in range(2, 5)),
    *(f"x%{d}{tail}" for d in range(2, 6) for tail in ("", "+1", "+2", "+3")),
]
_CONDITIONS = [*(f"x%{m}={k}" for m in (2, 3) for k in range(m)), *(f"x<{d}" for d in range(1, 40))]


def draw_body(rng: np.random.Generator) -> str:
    """Return a body; one in four is a choice."""
    if rng.random() < 0.25:
        condition = str(rng.choice(_CONDITIONS))
        return f"{condition}?{rng.choice(_VALUES)}:{rng.choice(_VALUES)}"
    return str(rng.choice(_VALUES))


@functools.lru_cache(maxsize=4096)
def values_of(text: str, *, ghost: bool = False) -> Values:
    """Return what a body gives for every argument, shape (256,); where it overflows -1, unless it stands in a contract."""
    condition, question, rest = text.partition("?")
    if question:
        first, _, second = rest.partition(":")
        return np.where(_holds(condition), values_of(first), values_of(second))
    base, sign, digit = text, "", ""
    for mark in "+-":
        if mark in text:
            base, sign, digit = text.partition(mark)
    if base == "x":
        found = X
    elif base == "2x":
        found = 2 * X
    elif "/" in base:
        found = X // int(base.partition("/")[2])
    elif "%" in base:
        found = X % int(base.partition("%")[2])
    else:
        found = np.full_like(X, int(base))
    over = found > X[-1]
    found = found + int(sign + digit or 0)
    return found if ghost else np.where(over | (found < 0) | (found > X[-1]), _NEVER, found)


def _holds(condition: str) -> NDArray[np.bool_]:
    if "%" in condition:
        modulus, _, rest = condition[2:].partition("=")
        return np.equal(X % int(modulus), int(rest))
    limit = int(condition[2:])
    return np.less(X, limit) if condition[1] == "<" else np.greater(X, limit)


def meets(spec: str, value: Values) -> NDArray[np.bool_]:
    """Return for which arguments a result meets a specification, shape (256,); those it excludes count as met."""
    wrong = value == _NEVER
    asked = np.ones_like(X, dtype=bool)
    for clause in spec.split(";"):
        if clause[0] == "x":
            asked &= _holds(clause)
        elif clause[1] == "%":
            modulus, _, rest = clause[2:].partition("=")
            wrong |= value % int(modulus) != int(rest)
        else:
            term = values_of(clause[2:], ghost=True)
            wrong |= ~{"<": value < term, ">": value > term, "=": value == term}[clause[1]]
    met: NDArray[np.bool_] = ~(asked & wrong)
    return met


def is_task(spec: str) -> bool:
    """Return whether some argument is asked about, and neither 0, nor 1, nor the argument itself is always right.

    This is what the gate proves, found by trying all arguments.
    """
    bounds = [clause for clause in spec.split(";") if clause[0] == "x"]
    asked = not bounds or not meets(";".join(bounds), np.full_like(X, _NEVER)).all()
    return asked and not any(meets(spec, values_of(idle)).all() for idle in ("0", "1", "x"))


@functools.lru_cache(maxsize=65536)
def solve(spec: str) -> str | None:
    """Return a body that meets ``spec`` for every argument, None where none of those tried does."""
    read_spec(spec)
    good = [(body, meets(spec, values_of(body))) for body in _VALUES]
    for body, met in good:
        if met.all():
            return body
    return next(_choices(good), None)


def _choices(good: list[tuple[str, NDArray[np.bool_]]]) -> Iterator[str]:
    for condition in _CONDITIONS:
        holds = _holds(condition)
        first = next((body for body, met in good if met[holds].all()), None)
        second = next((body for body, met in good if met[~holds].all()), None)
        if first is not None and second is not None:
            yield f"{condition}?{first}:{second}"


def _drawn(rng: np.random.Generator, number: int) -> tuple[str, str]:
    """Return a specification of ``number`` clauses and a body that meets it, empty texts where a draw does not fit."""
    body = draw_body(rng)
    clauses: list[str] = []
    for _ in range(number):
        clauses.append(draw_clause(rng, body, clauses))
    spec = ";".join(clauses)
    fits = (
        len(set(clauses)) == number
        and len(spec) <= MOST_CHARS
        and any(clause[0] == "r" for clause in clauses)
    )
    return (spec, body) if fits and meets(spec, values_of(body)).all() else ("", "")


register("small_verus", SmallVerusEnv, SmallVerus)
