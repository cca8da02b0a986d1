"""Grids, as lists of rows."""

from __future__ import annotations

from rlvr_gym.envs.code_problems.base import Rng, code_problem, integer


def _numbers(rng: Rng) -> list[list[int]]:
    width = integer(rng, 1, 5)
    return [[integer(rng, -9, 9) for _ in range(width)] for _ in range(integer(rng, 1, 5))]


def _map(rng: Rng, signs: str) -> list[str]:
    width = integer(rng, 1, 6)
    return [
        "".join(signs[integer(rng, 0, len(signs) - 1)] for _ in range(width))
        for _ in range(integer(rng, 1, 6))
    ]


@code_problem("grids", 1, lambda rng: (_numbers(rng),), [([[1]],), ([[1, 2], [3, 4]],)])
def column_maxima(rows: list[list[int]]) -> list[int]:
    """Return the greatest number of each column; there is at least one row, and all rows are equally long."""
    return [max(column) for column in zip(*rows, strict=True)]


@code_problem("grids", 2, lambda rng: (_numbers(rng),), [([[1]],), ([[1, 2], [3, 4]],), ([[1, 2, 3]],)])
def spiral(rows: list[list[int]]) -> list[int]:
    """Return the numbers met on the way around the grid and inwards: right along the first row, then down, left, up."""
    rows, found = [list(row) for row in rows], []
    while rows:
        found += rows.pop(0)
        rows = [list(row) for row in zip(*rows, strict=True)][::-1]
    return found


@code_problem("grids", 3, lambda rng: (_map(rng, ".#"),), [(["#"],), ([".#.", ".#.", ".#."],)])
def life_step(rows: list[str]) -> list[str]:
    """Return the next generation of Conway's Game of Life; # is alive, and all outside the grid is dead.

    A living cell stays alive with 2 or 3 living neighbours out of 8, a dead one comes to life with 3.
    """
    after = []
    for y, row in enumerate(rows):
        line = ""
        for x, cell in enumerate(row):
            around = sum(
                rows[j][i] == "#"
                for j in range(max(0, y - 1), min(len(rows), y + 2))
                for i in range(max(0, x - 1), min(len(row), x + 2))
                if (i, j) != (x, y)
            )
            line += "#" if around == 3 or (around == 2 and cell == "#") else "."
        after.append(line)
    return after


@code_problem("grids", 3, lambda rng: (_map(rng, ".#"),), [(["."],), (["##", "##"],), (["#.", ".#"],)])
def island_sizes(rows: list[str]) -> list[int]:
    """Return the sizes of the islands in ascending order: groups of # that touch at their sides, not at corners."""
    land = {(x, y) for y, row in enumerate(rows) for x, cell in enumerate(row) if cell == "#"}
    sizes = []
    while land:
        island, size = [land.pop()], 0
        while island:
            x, y = island.pop()
            size += 1
            for near in ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)):
                if near in land:
                    land.remove(near)
                    island.append(near)
        sizes.append(size)
    return sorted(sizes)


@code_problem(
    "grids", 4, lambda rng: (_map(rng, "...#"),), [(["."],), (["#"],), ([".#", "#."],), (["..", ".."],)]
)
def shortest_way(rows: list[str]) -> int:
    """Return the least number of steps from the upper left to the lower right corner, -1 when there is no way.

    A step goes up, down, left or right to a field that is not #; neither corner can be #.
    """
    goal = (len(rows[0]) - 1, len(rows) - 1)
    if "#" in (rows[0][0], rows[-1][-1]):
        return -1
    steps, reached, edge = 0, {(0, 0)}, [(0, 0)]
    while edge:
        if goal in reached:
            return steps
        steps += 1
        found = []
        for x, y in edge:
            for i, j in ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)):
                inside = 0 <= i <= goal[0] and 0 <= j <= goal[1]
                if inside and rows[j][i] != "#" and (i, j) not in reached:
                    reached.add((i, j))
                    found.append((i, j))
        edge = found
    return -1
