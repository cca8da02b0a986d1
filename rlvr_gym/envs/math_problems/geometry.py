r"""Lengths, areas and volumes, with $\pi$ and square roots."""

from __future__ import annotations

from fractions import Fraction

from rlvr_gym.envs.math_problems.base import Problem, Rng, between, math_problem
from rlvr_gym.envs.math_problems.latex import number, root, total


@math_problem("geometry")
def geometry(rng: Rng, level: int) -> Problem:
    """Circles, cones, distances, the surface of a cone, triangles by their corners."""
    return (_circle, _cone_volume, _distance, _cone_surface, _triangle)[level - 1](rng)


def _circle(rng: Rng) -> Problem:
    radius = between(rng, 2, 25)
    if rng.random() < 0.5:
        return Problem(f"What is the exact area of a circle of radius {radius}?", f"{radius**2}\\pi", 1)
    return Problem(f"What is the exact circumference of a circle of radius {radius}?", f"{2 * radius}\\pi", 1)


def _point(rng: Rng, most: int) -> tuple[int, int]:
    return between(rng, -most, most), between(rng, -most, most)


def _distance(rng: Rng) -> Problem:
    one = two = _point(rng, 12)
    while one == two:
        two = _point(rng, 12)
    square = (one[0] - two[0]) ** 2 + (one[1] - two[1]) ** 2
    return Problem(
        f"What is the exact distance between the points ${one}$ and ${two}$?", total([root(1, square)]), 6
    )


def _triangle(rng: Rng) -> Problem:
    while True:
        a, b, c = (_point(rng, 15) for _ in range(3))
        doubled = abs((b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1]))
        if doubled:
            break
    return Problem(
        f"What is the area of the triangle with the corners ${a}$, ${b}$ and ${c}$?",
        number(Fraction(doubled, 2)),
        8,
    )


def _cone_volume(rng: Rng) -> Problem:
    radius, height = between(rng, 2, 15), between(rng, 2, 20)
    value = Fraction(radius**2 * height, 3)
    return Problem(
        f"What is the exact volume of a cone whose base has the radius {radius} and whose height is {height}?",
        total([(value, "\\pi")]),
        3,
    )


def _cone_surface(rng: Rng) -> Problem:
    radius, height = between(rng, 2, 12), between(rng, 2, 12)
    slant, inner = root(radius, radius**2 + height**2)
    return Problem(
        f"What is the exact total surface area, base included, of a cone whose base has the radius {radius} "
        f"and whose height is {height}?",
        total([(radius**2, "\\pi"), (slant, f"\\pi{inner}")]),
        7,
    )
