"""Remainders of powers."""

from __future__ import annotations

from rlvr_gym.envs.math_problems.base import Problem, Rng, between, math_problem

_MODULI = (9, 13, 29, 71, 131)


@math_problem("remainders")
def remainders(rng: Rng, level: int) -> Problem:
    """The last remainder of a power; exponents grow tenfold with every level from 2 on, moduli double."""
    base, modulus = between(rng, 2, 8 * level), between(rng, 5, _MODULI[level - 1])
    exponent = between(rng, 2, 4) if level == 1 else between(rng, 10 ** (level - 1), 10**level - 1)
    question = f"What is the remainder when ${base}^{{{exponent}}}$ is divided by {modulus}?"
    # By squaring: one product for every binary digit of the exponent and one more for every 1.
    steps = exponent.bit_length() + exponent.bit_count()
    return Problem(question, str(pow(base, exponent, modulus)), steps)
