"""Counting and adding the divisors of a number."""

from __future__ import annotations

from math import prod

from rlvr_gym.envs.math_problems.base import Problem, Rng, between, math_problem

_PRIMES = (2, 3, 5, 7, 11, 13, 17)


@math_problem("divisors")
def divisors(rng: Rng, level: int) -> Problem:
    """The number or the sum of the divisors of a number with one or two prime factors more than the level."""
    exponents = dict.fromkeys(_PRIMES, 0)
    for _ in range(level + between(rng, 1, 2)):
        exponents[_PRIMES[between(rng, 0, level + 1)]] += 1
    value = prod(p**e for p, e in exponents.items())
    # A division for every prime factor, then one sum and one product for every different one.
    steps = sum(exponents.values()) + 2 * sum(e > 0 for e in exponents.values())
    if rng.random() < 0.5:
        count = prod(e + 1 for e in exponents.values())
        return Problem(f"How many positive divisors does {value} have?", str(count), steps)
    summed = prod((p ** (e + 1) - 1) // (p - 1) for p, e in exponents.items())
    return Problem(
        f"What is the sum of all positive divisors of {value}?", str(summed), steps + sum(exponents.values())
    )
