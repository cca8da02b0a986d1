"""Numbers written in other bases."""

from __future__ import annotations

from rlvr_gym.envs.math_problems.base import Problem, Rng, between, math_problem


@math_problem("number_bases")
def number_bases(rng: Rng, level: int) -> Problem:
    """A number in another base, from level 3 on a sum and from level 5 on a product of two, asked for in base ten."""
    first = _drawn(rng, level)
    # A product and a sum for every digit but the first.
    steps = 2 * level
    if level <= 2:
        return Problem(f"Write {_told(first)} in base ten.", str(first[0]), steps)
    digits = level - 2 if level == 5 else level
    second = _drawn(rng, digits)
    steps += 2 * digits + 1
    if level <= 4:
        return Problem(
            f"What is {_told(first)} plus {_told(second)}, in base ten?", str(first[0] + second[0]), steps
        )
    return Problem(
        f"What is {_told(first)} times {_told(second)}, in base ten?", str(first[0] * second[0]), steps
    )


def _drawn(rng: Rng, level: int) -> tuple[int, int]:
    """Return a value and its base; the digits are those of the base, one more than the level."""
    base = between(rng, 2, 4 + level)
    return between(rng, base**level, base ** (level + 1) - 1), base


def _told(drawn: tuple[int, int]) -> str:
    value, base = drawn
    digits = ""
    while value:
        value, digit = divmod(value, base)
        digits = str(digit) + digits
    return f"the base-{base} number {digits}"
