"""Systems of linear equations with one solution in whole numbers."""

from __future__ import annotations

from rlvr_gym.envs.math_problems.base import Problem, Rng, between, math_problem, nonzero
from rlvr_gym.envs.math_problems.exact import determinant
from rlvr_gym.envs.math_problems.latex import total

_UNKNOWNS = "xyz"
_MOST = (2, 5, 9, 4, 9)
_TWO, _THREE = 9, 28
"""Operations of an elimination."""


@math_problem("linear_systems")
def linear_systems(rng: Rng, level: int) -> Problem:
    """Two equations up to level 3, three above; coefficients grow."""
    size, most = (2 if level <= 3 else 3), _MOST[level - 1]
    solution = [between(rng, -3 - 2 * level, 3 + 2 * level) for _ in range(size)]
    while True:
        rows = [[nonzero(rng, most) for _ in range(size)] for _ in range(size)]
        if determinant(rows) != 0:
            break
    equations = []
    for row in rows:
        left = total(zip(row, _UNKNOWNS, strict=False))
        equations.append(f"${left} = {sum(a * b for a, b in zip(row, solution, strict=True))}$")
    unknowns = ", ".join(_UNKNOWNS[:size])
    question = f"Solve the system {', '.join(equations[:-1])} and {equations[-1]}. Give the solution as $({unknowns})$."
    steps = _TWO if size == 2 else _THREE
    return Problem(question, f"({', '.join(map(str, solution))})", steps)
