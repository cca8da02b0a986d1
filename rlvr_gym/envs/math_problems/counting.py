"""Combinatorics: choices, arrangements and paths."""

from __future__ import annotations

from math import comb, factorial, prod

from rlvr_gym.envs.math_problems.base import Problem, Rng, between, math_problem


@math_problem("counting")
def counting(rng: Rng, level: int) -> Problem:
    """Committees, letters, two groups, paths around a point, at least so many."""
    return (_committee, _letters, _two_groups, _paths, _at_least)[level - 1](rng)


def _choose(k: int) -> int:
    """Return how many operations a binomial coefficient takes: k factors above, k below and a quotient."""
    return max(2 * k - 1, 0)


def _committee(rng: Rng) -> Problem:
    people = between(rng, 5, 14)
    chosen = between(rng, 2, people - 2)
    return Problem(
        f"In how many ways can a committee of {chosen} be chosen from {people} people?",
        str(comb(people, chosen)),
        _choose(chosen),
    )


def _letters(rng: Rng) -> Problem:
    counts = [between(rng, 1, 3), between(rng, 2, 3), between(rng, 1, 4)]
    told = ", ".join(f"{count} {letter}" for count, letter in zip(counts, ("A", "B", "C"), strict=True))
    steps = 2 * sum(counts) - len(counts)
    ways = factorial(sum(counts)) // prod(factorial(count) for count in counts)
    return Problem(
        f"How many different words of {sum(counts)} letters use exactly these letters: {told}?",
        str(ways),
        steps,
    )


def _groups(rng: Rng) -> tuple[int, int, int, int]:
    red, blue = between(rng, 4, 10), between(rng, 4, 10)
    return red, blue, between(rng, 2, red - 1), between(rng, 2, blue - 1)


def _two_groups(rng: Rng) -> Problem:
    red, blue, r, b = _groups(rng)
    return Problem(
        f"A box holds {red} different red balls and {blue} different blue balls. "
        f"In how many ways can {r} red and {b} blue balls be chosen?",
        str(comb(red, r) * comb(blue, b)),
        _choose(r) + _choose(b) + 1,
    )


def _at_least(rng: Rng) -> Problem:
    red, blue, r, b = _groups(rng)
    chosen = r + b
    ways = sum(comb(red, k) * comb(blue, chosen - k) for k in range(r, chosen + 1))
    return Problem(
        f"A box holds {red} different red balls and {blue} different blue balls. "
        f"In how many ways can {chosen} balls be chosen so that at least {r} of them are red?",
        str(ways),
        sum(_choose(k) + _choose(chosen - k) + 2 for k in range(r, min(red, chosen) + 1)) - 1,
    )


def _paths(rng: Rng) -> Problem:
    width, height = between(rng, 4, 9), between(rng, 4, 9)
    x, y = between(rng, 1, width - 1), between(rng, 1, height - 1)
    through = comb(x + y, x) * comb(width - x + height - y, width - x)
    return Problem(
        f"A path goes from $(0, 0)$ to $({width}, {height})$ in unit steps to the right or up. "
        f"How many such paths do not pass through $({x}, {y})$?",
        str(comb(width + height, width) - through),
        _choose(width) + _choose(x) + _choose(width - x) + 2,
    )
