"""What a programming problem is, and how one is registered."""

from __future__ import annotations

import copy
import inspect
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias, TypeVar

import numpy as np

from rlvr_gym.registry import Registry
from rlvr_gym.seeding import generator

Rng: TypeAlias = np.random.Generator
Inputs: TypeAlias = Callable[[Rng], tuple[Any, ...]]
"""Draws the arguments of one test: values that JSON has, so that references can be stored."""

LEVELS = 5
"""Levels from 1, the easiest."""
_NUM_TESTS = 10


@dataclass(frozen=True, slots=True)
class Written:
    """A problem as it is posed."""

    name: str
    """Name of the function."""
    header: str
    """What the solver sees: signature and docstring."""
    solution: str
    tests: Sequence[tuple[tuple[Any, ...], Any]]
    """Arguments and the value that they give."""


@dataclass(frozen=True, slots=True)
class Problem:
    """A problem, or a family of them that are drawn."""

    family: str
    levels: tuple[int, ...]
    """Levels that it can be drawn at."""
    write: Callable[[Rng, int], Written]
    """``write(rng, level)``: a problem from ``rng`` and nothing else."""


CODE_PROBLEMS: Registry[Problem] = Registry("code_problem", "rlvr_gym.envs.code_problems")
"""Problems by name; a new family is a new file."""
_WRITTEN: dict[str, Written] = {}
"""Problems whose tests were made already."""
F = TypeVar("F", bound=Callable[..., Any])


def code_problem(
    family: str, level: int, inputs: Inputs, edges: Sequence[tuple[Any, ...]] = ()
) -> Callable[[F], F]:
    """Register the decorated function as a problem, its signature and docstring as the text and itself as the solution.

    Args:
        family: What problems of its kind are called.
        level: 1 to 5.
        inputs: Draws the arguments of a test.
        edges: Arguments of further tests, such as the empty list.
    """

    def decorate(function: F) -> F:
        def write(rng: Rng, level: int) -> Written:
            return written(function, inputs, edges)

        CODE_PROBLEMS.add(function.__name__, Problem(family, (level,), write), summary=_first_line(function))
        return function

    return decorate


def code_problem_family(
    name: str, levels: Sequence[int]
) -> Callable[[Callable[[Rng, int], Written]], Callable[[Rng, int], Written]]:
    """Register the decorated function, which draws a problem of a level, as a family."""

    def decorate(write: Callable[[Rng, int], Written]) -> Callable[[Rng, int], Written]:
        CODE_PROBLEMS.add(name, Problem(name, tuple(levels), write), summary=_first_line(write))
        return write

    return decorate


def written(function: Callable[..., Any], inputs: Inputs, edges: Sequence[tuple[Any, ...]]) -> Written:
    """Return a function as a problem; its tests are the same every time."""
    if function.__name__ in _WRITTEN:
        return _WRITTEN[function.__name__]
    rng = generator(0, "code problem", function.__name__)
    cases = [*edges, *(inputs(rng) for _ in range(_NUM_TESTS))]
    source = inspect.getsource(function)
    source = source[source.index("def ") :]
    problem = Written(function.__name__, _with_docstring(source), source, tested(function, cases))
    return _WRITTEN.setdefault(function.__name__, problem)


def tested(
    function: Callable[..., Any], cases: Sequence[tuple[Any, ...]]
) -> list[tuple[tuple[Any, ...], Any]]:
    """Return each case with the value that the function gives for it."""
    return [(case, function(*copy.deepcopy(case))) for case in cases]


def integers(rng: Rng, least: int, most: int, *, low: int, high: int) -> list[int]:
    """Return ``least`` to ``most`` integers from ``low`` to ``high``, all bounds included."""
    return [int(n) for n in rng.integers(low, high + 1, size=int(rng.integers(least, most + 1)))]


def integer(rng: Rng, low: int, high: int) -> int:
    """Return an integer from ``low`` to ``high``, both included."""
    return int(rng.integers(low, high + 1))


def text(rng: Rng, least: int, most: int, letters: str) -> str:
    """Return ``least`` to ``most`` letters."""
    return "".join(letters[i] for i in integers(rng, least, most, low=0, high=len(letters) - 1))


def _with_docstring(source: str) -> str:
    """Return the source up to the end of its docstring."""
    end = source.index('"""', source.index('"""') + 3) + 3
    return source[:end]


def _first_line(function: Callable[..., Any]) -> str:
    return (function.__doc__ or "").strip().partition("\n")[0]
