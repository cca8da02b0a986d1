"""Intervals of whole numbers, given as [start, end] with start < end; the end does not belong to them."""

from __future__ import annotations

from rlvr_gym.envs.code_problems.base import Rng, code_problem, integer


def _intervals(rng: Rng) -> list[list[int]]:
    starts = [integer(rng, 0, 30) for _ in range(integer(rng, 0, 7))]
    return [[start, start + integer(rng, 1, 8)] for start in starts]


@code_problem(
    "intervals", 2, lambda rng: (_intervals(rng),), [([],), ([[1, 3], [3, 4]],), ([[1, 5], [2, 3]],)]
)
def covered(intervals: list[list[int]]) -> int:
    """Return how many whole numbers lie in at least one of the intervals [start, end], their ends not included."""
    return len({n for start, end in intervals for n in range(start, end)})


@code_problem(
    "intervals", 3, lambda rng: (_intervals(rng),), [([],), ([[1, 3], [3, 4]],), ([[5, 6], [1, 9]],)]
)
def merged(intervals: list[list[int]]) -> list[list[int]]:
    """Return the fewest intervals [start, end] that cover the same, in ascending order; those that touch are one."""
    result: list[list[int]] = []
    for start, end in sorted(intervals):
        if result and start <= result[-1][1]:
            result[-1][1] = max(result[-1][1], end)
        else:
            result.append([start, end])
    return result


@code_problem(
    "intervals", 3, lambda rng: (_intervals(rng),), [([],), ([[1, 3], [3, 4]],), ([[1, 4], [2, 5], [3, 6]],)]
)
def rooms_needed(meetings: list[list[int]]) -> int:
    """Return how many rooms the meetings [start, end] need; one may start in a room when another ends there."""
    return max((sum(s <= start < e for s, e in meetings) for start, _ in meetings), default=0)


@code_problem(
    "intervals",
    4,
    lambda rng: ([[s, e, integer(rng, 1, 9)] for s, e in _intervals(rng)],),
    [([],), ([[1, 3, 5], [2, 4, 6], [3, 5, 5]],)],
)
def best_jobs(jobs: list[list[int]]) -> int:
    """Return the greatest total pay of jobs [start, end, pay] of which no two overlap; they may touch."""
    best: dict[int, int] = {}
    times = sorted({end for _, end, _ in jobs})
    for i, time in enumerate(times):
        before = best[times[i - 1]] if i else 0
        best[time] = before
        for start, end, pay in jobs:
            if end == time:
                earlier = max((best[t] for t in times if t <= start), default=0)
                best[time] = max(best[time], earlier + pay)
    return best[times[-1]] if times else 0
