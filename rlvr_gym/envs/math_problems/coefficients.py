"""Single coefficients of expanded products."""

from __future__ import annotations

from rlvr_gym.envs.math_problems.base import Problem, Rng, between, math_problem, nonzero
from rlvr_gym.envs.math_problems.exact import raised, times
from rlvr_gym.envs.math_problems.latex import number, polynomial, power


@math_problem("coefficients")
def coefficients(rng: Rng, level: int) -> Problem:
    """A coefficient of a product of powers of linear factors; the level is the number of factors less one."""
    first = [nonzero(rng, 3 + level), nonzero(rng, 1 + level)]
    second = [nonzero(rng, 3 + level), nonzero(rng, 1 + level)]
    m = between(rng, 1, level)
    n = level + 1 - m
    expanded = times(raised(first, m), raised(second, n))
    degree = between(rng, 1, level)
    text = "".join(power(f"({polynomial(each)})", k) for each, k in ((first, m), (second, n)))
    question = f"What is the coefficient of ${power('x', degree)}$ when ${text}$ is expanded?"
    # Factor by factor: the product so far has one term more every time, and each of its terms is multiplied by two.
    return Problem(question, number(expanded[degree]), sum(2 * (k + 1) for k in range(1, level + 1)))
