"""Chains of steps on a list of numbers, drawn by program: as many problems as are wanted."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rlvr_gym.envs.code_problems.base import (
    LEVELS,
    Rng,
    Written,
    code_problem_family,
    integer,
    integers,
    tested,
)
from rlvr_gym.seeding import generator, work_id

_NUM_TESTS = 10
_STEPS = (
    (
        "Keep only the numbers that are divisible by {k}.",
        "values = [v for v in values if v % {k} == 0]",
        2,
        4,
    ),
    ("Drop the numbers that are greater than {k}.", "values = [v for v in values if v <= {k}]", 5, 30),
    (
        "Keep only the numbers at least {k} away from 0.",
        "values = [v for v in values if abs(v) >= {k}]",
        2,
        9,
    ),
    ("Add {k} to each number.", "values = [v + {k} for v in values]", 1, 9),
    ("Multiply each number by {k}.", "values = [v * {k} for v in values]", 2, 5),
    (
        "Replace each number by its remainder when divided by {k}, from 0 on.",
        "values = [v % {k} for v in values]",
        5,
        12,
    ),
    ("Replace each negative number by {k}.", "values = [{k} if v < 0 else v for v in values]", 0, 9),
    (
        "Add to each number its position, counting from {k}.",
        "values = [v + i for i, v in enumerate(values, {k})]",
        0,
        3,
    ),
    ("Drop the first {k} numbers, or all if there are fewer.", "values = values[{k}:]", 1, 3),
    ("Keep only the last {k} numbers, or all if there are fewer.", "values = values[-{k}:]", 3, 8),
    (
        "Keep only the numbers at positions 0, {k}, 2 * {k} and so on, counted from 0.",
        "values = values[::{k}]",
        2,
        3,
    ),
    (
        "Sort the numbers by their remainder when divided by {k}, from 0 on; equal ones keep their order.",
        "values = sorted(values, key=lambda v: v % {k})",
        3,
        7,
    ),
    (
        "Repeat each number {k} times, copies side by side.",
        "values = [v for v in values for _ in range({k})]",
        2,
        3,
    ),
    (
        "Move the first {k} numbers to the end, or leave all in place if there are not more.",
        "values = values[{k}:] + values[:{k}] if len(values) > {k} else values",
        1,
        4,
    ),
    ("Keep only the first copy of each number.", "values = list(dict.fromkeys(values))", 0, 0),
    (
        "Replace the numbers by their running totals.",
        "values = [sum(values[: i + 1]) for i in range(len(values))]",
        0,
        0,
    ),
    (
        "Replace the numbers by the differences of neighbours, the right one minus the left one.",
        "values = [b - a for a, b in zip(values, values[1:])]",
        0,
        0,
    ),
    ("Reverse their order.", "values = values[::-1]", 0, 0),
    (
        "Swap the first and the last number, if there are at least two.",
        "values = [values[-1], *values[1:-1], values[0]] if len(values) > 1 else values",
        0,
        0,
    ),
)
"""A step in words and in code, with the least and the greatest of its number."""
_ENDS = (
    ("Return the list.", "return values"),
    ("Return their sum, 0 for no numbers.", "return sum(values)"),
    (
        "Return the greatest minus the smallest, 0 for no numbers.",
        "return max(values) - min(values) if values else 0",
    ),
    ("Return how many different numbers there are.", "return len(set(values))"),
    ("Return the list as text, the numbers joined by commas.", 'return ",".join(map(str, values))'),
)


@code_problem_family("pipelines", range(1, LEVELS + 1))
def pipelines(rng: Rng, level: int) -> Written:
    """Some steps on a list of numbers, one after another: as many as the level, and what to return."""
    words, lines = [], []
    for index in rng.choice(len(_STEPS), size=level, replace=False):
        said, code, low, high = _STEPS[int(index)]
        number = integer(rng, low, high)
        words.append(said.format(k=number))
        lines.append(code.format(k=number))
    said, code = _ENDS[integer(rng, 0, len(_ENDS) - 1)]
    numbered = "".join(f"    {n}. {each}\n" for n, each in enumerate([*words, said], 1))
    header = f'def process(values: list[int]):\n    """Do these steps one after another, beginning with the given numbers.\n\n{numbered}    """'
    solution = "\n    ".join([header, *lines, code]) + "\n"
    names: dict[str, Any] = {}
    # Our own code: the lines above with numbers put in.
    exec(solution, names)
    return Written("process", header, solution, _tests(names["process"], solution))


def _tests(process: Callable[..., Any], solution: str) -> list[tuple[tuple[Any, ...], Any]]:
    """Return tests that are the same for the same problem."""
    rng = generator(0, "pipeline", work_id(solution))
    cases = [([],), *((integers(rng, 1, 14, low=-20, high=50),) for _ in range(_NUM_TESTS - 1))]
    return tested(process, cases)
