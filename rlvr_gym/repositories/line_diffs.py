"""The lines in which two files differ, in bounded time whatever the files."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple


class Edit(NamedTuple):
    """Lines ``old_start:old_end`` of the one file stand where ``new_start:new_end`` of the other do."""

    old_start: int
    old_end: int
    new_start: int
    new_end: int


class Budget:
    """How much may still be spent on making differences small; when it is spent they are coarse, but right."""

    def __init__(self, steps: int = 3_000_000) -> None:
        self.left = steps


def edits(old: Sequence[bytes], new: Sequence[bytes], budget: Budget) -> list[Edit]:
    """Return the fewest lines that differ, as edits in order that do not touch each other."""
    numbers: dict[bytes, int] = {}
    a = [numbers.setdefault(line, len(numbers)) for line in old]
    b = [numbers.setdefault(line, len(numbers)) for line in new]
    start = 0
    while start < min(len(a), len(b)) and a[start] == b[start]:
        start += 1
    end = 0
    while end < min(len(a), len(b)) - start and a[-1 - end] == b[-1 - end]:
        end += 1
    a, b = a[start : len(a) - end], b[start : len(b) - end]
    if not a and not b:
        return []
    kept = _kept(a, b, budget)
    if kept is None:
        return [Edit(start, start + len(a), start, start + len(b))]
    found, i, j = [], 0, 0
    for x, y in [*kept, (len(a), len(b))]:
        if x > i or y > j:
            found.append(Edit(start + i, start + x, start + j, start + y))
        i, j = x + 1, y + 1
    return found


def _kept(a: list[int], b: list[int], budget: Budget) -> list[tuple[int, int]] | None:
    """Return the pairs of lines that stay, by Myers' greedy algorithm (1986, figure 2); None when it takes too long."""
    ends = {1: 0}
    history: list[dict[int, int]] = []
    for distance in range(len(a) + len(b) + 1):
        history.append(dict(ends))
        budget.left -= len(ends)
        for k in range(-distance, distance + 1, 2):
            down = k == -distance or (k != distance and ends[k - 1] < ends[k + 1])
            x = first = ends[k + 1] if down else ends[k - 1] + 1
            while x < len(a) and x - k < len(b) and a[x] == b[x - k]:
                x += 1
            budget.left -= 1 + x - first
            ends[k] = x
            if x >= len(a) and x - k >= len(b):
                return _way_back(a, b, history)
        if budget.left < 0:
            return None
    raise AssertionError("two lists differ by no more than all of their lines")


def _way_back(a: list[int], b: list[int], history: list[dict[int, int]]) -> list[tuple[int, int]]:
    kept: list[tuple[int, int]] = []
    x, y = len(a), len(b)
    for distance in range(len(history) - 1, -1, -1):
        ends, k = history[distance], x - y
        down = k == -distance or (k != distance and ends[k - 1] < ends[k + 1])
        before = k + 1 if down else k - 1
        to_x = ends[before] if distance else 0
        to_y = to_x - before if distance else 0
        stop = (to_x if down else to_x + 1) if distance else 0
        while x > stop:
            x, y = x - 1, y - 1
            kept.append((x, y))
        x, y = to_x, to_y
    return kept[::-1]
