"""Probabilities as fractions: balls drawn without putting them back, and dice."""

from __future__ import annotations

from fractions import Fraction
from math import comb

from rlvr_gym.envs.math_problems.base import Problem, Rng, between, math_problem
from rlvr_gym.envs.math_problems.latex import number


@math_problem("probability")
def probability(rng: Rng, level: int) -> Problem:
    """One ball, two balls, two dice, exactly so many of several balls, at least so many."""
    return (_one_ball, _two_balls, _dice, _exactly, _at_least)[level - 1](rng)


def _problem(question: str, value: Fraction, steps: int) -> Problem:
    return Problem(f"{question} Give the probability as a fraction.", number(value), steps)


def _one_ball(rng: Rng) -> Problem:
    red, blue, green = (between(rng, 2, 12) for _ in range(3))
    question = f"A bag holds {red} red, {blue} blue and {green} green balls. One is drawn at random. How likely is it red?"
    return _problem(question, Fraction(red, red + blue + green), 3)


def _two_balls(rng: Rng) -> Problem:
    red, blue = between(rng, 3, 12), between(rng, 3, 12)
    pairs = comb(red + blue, 2)
    question = (
        f"A bag holds {red} red and {blue} blue balls. Two are drawn at random without putting them back. "
    )
    if rng.random() < 0.5:
        return _problem(question + "How likely are both red?", Fraction(comb(red, 2), pairs), 6)
    return _problem(question + "How likely do they have different colours?", Fraction(red * blue, pairs), 6)


def _dice(rng: Rng) -> Problem:
    one, two = between(rng, 4, 12), between(rng, 4, 12)
    least = between(rng, 5, one + two - 2)
    hits = sum(a + b >= least for a in range(1, one + 1) for b in range(1, two + 1))
    question = (
        f"A fair die with the sides 1 to {one} and a fair die with the sides 1 to {two} are rolled. "
        f"How likely is a sum of at least {least}?"
    )
    return _problem(question, Fraction(hits, one * two), one + 2)


def _bag(rng: Rng) -> tuple[int, int, int, int, str]:
    red, blue = between(rng, 4, 10), between(rng, 4, 10)
    drawn = between(rng, 3, 4)
    question = f"A bag holds {red} red and {blue} blue balls. {drawn} balls are drawn at random without putting them back. "
    return red, blue, drawn, between(rng, 1, drawn - 1), question


def _exactly(rng: Rng) -> Problem:
    red, blue, drawn, wanted, question = _bag(rng)
    hits = comb(red, wanted) * comb(blue, drawn - wanted)
    return _problem(
        f"{question}How likely are exactly {wanted} of them red?",
        Fraction(hits, comb(red + blue, drawn)),
        4 * drawn - 1,
    )


def _at_least(rng: Rng) -> Problem:
    red, blue, drawn, wanted, question = _bag(rng)
    hits = sum(comb(red, k) * comb(blue, drawn - k) for k in range(wanted, drawn + 1))
    # As many operations as one number of red balls takes, for each of them, and the sum.
    steps = (2 * drawn) * (drawn - wanted + 1) + 2 * drawn - 1
    return _problem(
        f"{question}How likely are at least {wanted} of them red?",
        Fraction(hits, comb(red + blue, drawn)),
        steps,
    )
