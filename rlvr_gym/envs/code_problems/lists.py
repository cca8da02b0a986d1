"""Lists of numbers."""

from __future__ import annotations

from rlvr_gym.envs.code_problems.base import code_problem, integer, integers


@code_problem(
    "lists",
    1,
    lambda rng: (integers(rng, 0, 9, low=-9, high=9), integer(rng, -20, 20)),
    [([], 3), ([1, 2, 3], 1)],
)
def rotated(items: list[int], by: int) -> list[int]:
    """Return the items moved to the right by so many places, those at the end to the front; to the left if negative."""
    if not items:
        return []
    by %= len(items)
    return items[-by:] + items[:-by] if by else list(items)


@code_problem(
    "lists",
    1,
    lambda rng: (integers(rng, 0, 14, low=-9, high=9), integer(rng, 1, 5)),
    [([], 2), ([1, 2, 3], 2)],
)
def chunk_sums(items: list[int], size: int) -> list[int]:
    """Return the sums of the first ``size`` items, of the next ``size`` items, and so on; the last may be fewer."""
    return [sum(items[i : i + size]) for i in range(0, len(items), size)]


@code_problem(
    "lists",
    2,
    lambda rng: (integers(rng, 0, 14, low=0, high=5), integer(rng, 0, 4)),
    [([], 2), ([3, 1, 3, 1, 2], 2)],
)
def most_frequent(items: list[int], k: int) -> list[int]:
    """Return the k items that occur most often, the most frequent first and the smaller first among equals.

    All different items are returned when there are fewer than k.
    """
    counts: dict[int, int] = {}
    for item in items:
        counts[item] = counts.get(item, 0) + 1
    return sorted(counts, key=lambda item: (-counts[item], item))[:k]


@code_problem("lists", 2, lambda rng: (integers(rng, 0, 12, low=0, high=20),), [([],), ([1],), ([5, 5, 6],)])
def next_greater(items: list[int]) -> list[int]:
    """Return for each item the next item to its right that is greater, -1 where there is none."""
    found = [-1] * len(items)
    for i in range(len(items)):
        for j in range(i + 1, len(items)):
            if items[j] > items[i]:
                found[i] = items[j]
                break
    return found


@code_problem(
    "lists",
    3,
    lambda rng: (integers(rng, 0, 14, low=0, high=20),),
    [([],), ([4],), ([2, 2, 2],), ([5, 1, 2, 3],)],
)
def longest_increasing(items: list[int]) -> int:
    """Return the length of the longest strictly increasing selection of items, in their order but not all adjacent."""
    tails: list[int] = []
    for item in items:
        i = 0
        while i < len(tails) and tails[i] < item:
            i += 1
        tails[i : i + 1] = [item]
    return len(tails)


@code_problem(
    "lists", 3, lambda rng: (integers(rng, 1, 14, low=-9, high=9),), [([-3],), ([-2, -1],), ([1, -1, 1],)]
)
def best_stretch(items: list[int]) -> list[int]:
    """Return [sum, start, length] of the stretch of one or more adjacent items with the greatest sum.

    Among those with this sum it is the one that starts first, and among those the shortest.
    """
    best: list[int] = []
    for start in range(len(items)):
        total = 0
        for end in range(start, len(items)):
            total += items[end]
            if not best or total > best[0]:
                best = [total, start, end - start + 1]
    return best


@code_problem(
    "lists",
    3,
    lambda rng: (integers(rng, 0, 14, low=0, high=9),),
    [([],), ([2, 1],), ([1, 1],), ([3, 2, 1],)],
)
def inversions(items: list[int]) -> int:
    """Return how many pairs of items stand in the wrong order, a greater one before a smaller one."""
    return sum(items[i] > items[j] for i in range(len(items)) for j in range(i + 1, len(items)))


@code_problem(
    "lists",
    4,
    lambda rng: (integers(rng, 0, 12, low=0, high=6),),
    [([],), ([3, 0, 3],), ([4, 2, 0, 3, 2, 5],)],
)
def trapped_water(heights: list[int]) -> int:
    """Return how much water stays between walls of these heights after rain; each wall is 1 wide.

    Water runs off at both ends and stands above a wall as high as the lower of the highest walls on its two sides.
    """
    total = 0
    for i, height in enumerate(heights):
        level = min(max(heights[: i + 1]), max(heights[i:]))
        total += level - height
    return total


@code_problem(
    "lists",
    4,
    lambda rng: (
        [[integer(rng, 1, 9), integer(rng, 0, 20)] for _ in range(integer(rng, 0, 7))],
        integer(rng, 0, 20),
    ),
    [([], 5), ([[3, 4]], 3), ([[3, 4]], 2)],
)
def best_load(items: list[list[int]], capacity: int) -> int:
    """Return the greatest total value of items whose total weight is at most the capacity.

    Each item is [weight, value] and can be taken once or not at all.
    """
    best = [0] * (capacity + 1)
    for weight, value in items:
        for room in range(capacity, weight - 1, -1):
            best[room] = max(best[room], best[room - weight] + value)
    return best[capacity]


@code_problem(
    "lists",
    5,
    lambda rng: (integers(rng, 0, 12, low=1, high=12), integer(rng, 1, 5)),
    [([], 2), ([5, 1, 4], 1), ([1, 2, 3], 3)],
)
def fairest_split(items: list[int], parts: int) -> int:
    """Return the least possible greatest sum when a list of positive numbers is cut into at most so many stretches.

    The stretches keep the order, and the sum of an empty list is 0.
    """
    low, high = max(items, default=0), sum(items)
    while low < high:
        limit = (low + high) // 2
        needed, room = 1, limit
        for item in items:
            if item > room:
                needed, room = needed + 1, limit
            room -= item
        if needed <= parts:
            high = limit
        else:
            low = limit + 1
    return low
