"""Greatest common divisors and least common multiples."""

from __future__ import annotations

from math import gcd, lcm

from rlvr_gym.envs.math_problems.base import Problem, Rng, between, math_problem


@math_problem("gcd_lcm")
def gcd_lcm(rng: Rng, level: int) -> Problem:
    """Two numbers up to level 3, three above; each has the level and two more bits for every level."""
    common = between(rng, 2, 3 * level)
    numbers = [
        common * between(rng, 2 ** (level + 1), 2 ** (level + 3)) for _ in range(2 if level <= 3 else 3)
    ]
    told = f"{', '.join(map(str, numbers[:-1]))} and {numbers[-1]}"
    if rng.random() < 0.5:
        return Problem(
            f"What is the greatest common divisor of {told}?", str(gcd(*numbers)), _divisions(numbers)
        )
    return Problem(
        f"What is the least common multiple of {told}?",
        str(lcm(*numbers)),
        _divisions(numbers) + 2 * len(numbers) - 2,
    )


def _divisions(numbers: list[int]) -> int:
    """Return how many divisions Euclid's algorithm takes, one number after the other."""
    count, common = 0, numbers[0]
    for number in numbers[1:]:
        while number:
            common, number = number, common % number
            count += 1
    return count
