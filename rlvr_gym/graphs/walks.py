"""Walking sets of entities for many paths at once: where steps lead, and whether two sets are few hops apart.

A *spot* is a row, which is the path that it belongs to, and an entity. Spots are kept as one number each, row *
entities + entity, sorted and each once, so that union and membership are plain operations on sorted arrays.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rlvr_gym.graphs.steps import Steps

Spots = NDArray[np.int64]
Integers = NDArray[np.integer[Any]]
Numbers = NDArray[np.integer[Any]] | NDArray[np.floating[Any]]
Sides = tuple[Spots, Spots]
"""What was reached from starts, and from answers."""
_MOST = 1 << 20
"""Ends listed at once, which bounds memory; a single path may go beyond, by no more than the graph has facts."""


def groups(steps: Steps, entities: Integers, over: Integers) -> NDArray[np.int64]:
    """Return the groups of entities and steps, -1 where a step leads nowhere."""
    if not len(steps.group_step):
        return np.full(len(entities), -1)
    high = steps.entity_start[entities + 1]
    at = bisect(steps.group_step, steps.entity_start[entities], high, over)
    known = (at < high) & (steps.group_step[np.minimum(at, len(steps.group_step) - 1)] == over)
    return np.where(known, at, -1)


def holds(steps: Steps, entities: Integers, over: Integers, ends: Integers) -> NDArray[np.bool_]:
    """Return whether each step leads from its entity to its end."""
    low, high = _bounds(steps, groups(steps, entities, over))
    at = bisect(steps.ends, low, high, ends)
    found = at < high
    found[found] = steps.ends[at[found]] == ends[found]
    return found


def reach(
    steps: Steps,
    starts: Integers,
    over: Integers,
    *,
    most: int | None = None,
    without: tuple[Integers, Integers, Integers] | None = None,
) -> tuple[Spots, NDArray[np.bool_]]:
    """Return where walks end.

    Args:
        steps: The graph's steps.
        starts: Where the walk of each row begins, shape (rows,).
        over: The steps that it takes, shape (rows, hops).
        most: Rows that end in more entities need not be walked to their end; not to be given with ``without``.
        without: For each row a fact, as entity, step and other entity, that its walk must not use in either direction.

    Returns:
        The spots where walks end, and which rows were given up because they end in more than ``most`` entities: nothing
        is said of those.
    """
    given_up = np.zeros(len(starts), bool)
    size = steps.num_entities

    def go(spots: Spots, hop: int) -> Spots:
        while hop < over.shape[1] and len(spots):
            rows, entities = np.divmod(spots, size)
            low, high = _bounds(steps, groups(steps, entities, over[rows, hop]))
            if most is not None and hop == over.shape[1] - 1:
                # One entity's ends are all different, so that these rows need not be listed.
                given_up[rows[high - low > most]] = True
                kept = ~given_up[rows]
                spots, rows, entities = spots[kept], rows[kept], entities[kept]
                low, high = low[kept], high[kept]
            if len(spots) and rows[0] < rows[-1] and (high - low).sum() > _MOST:
                cut = int(np.searchsorted(rows, (rows[0] + rows[-1] + 1) // 2))
                return np.concatenate([go(spots[:cut], hop), go(spots[cut:], hop)])
            origins, places = spread(low, high)
            rows, ends = rows[origins], steps.ends[places]
            if without is not None:
                kept = ~_is_fact(
                    steps, entities[origins], over[rows, hop], ends, [part[rows] for part in without]
                )
                rows, ends = rows[kept], ends[kept]
            spots = _spots(rows, ends, size)
            hop += 1
        return spots

    ends = go(np.arange(len(starts), dtype=np.int64) * size + starts, 0)
    if most is not None:
        given_up |= np.bincount(ends // size, minlength=len(starts)) > most
    return ends[~given_up[ends // size]], given_up


def near(
    steps: Steps, number: int, starts: Spots, answers: Spots, hops: int, over: Integers | None
) -> NDArray[np.bool_]:
    """Return which rows have a walk of at most ``hops`` hops from a start to an answer.

    Both sides grow towards each other, in each row the one that is cheaper to grow.

    Args:
        steps: The graph's steps.
        number: Number of rows.
        starts: Where walks begin.
        answers: Where they end.
        hops: Their most hops.
        over: The steps that the walks of each row may take, shape (rows, any number); None for all steps both ways.
    """
    size = steps.num_entities
    met = np.zeros(number, bool)

    def go(seen: Sides, edges: Sides, hops: int) -> None:
        met[seen[0][among(seen[0], seen[1])] // size] = True
        edges = _those(edges, ~met, size)
        if not hops or not (len(edges[0]) and len(edges[1])):
            return
        ranges = [_ranges(steps, spots, over, back=side == 1) for side, spots in enumerate(edges)]
        costs = [np.bincount(rows, weights=high - low, minlength=number) for rows, low, high in ranges]
        # A side that cannot grow has all that it can reach, and costs nothing.
        back = costs[1] < costs[0]
        if (
            np.where(back, costs[1], costs[0]).sum() > _MOST
            and (rows := np.unique(edges[0] // size)).size > 1
        ):
            late = np.arange(number) >= rows[len(rows) // 2]
            for half in (~late, late):
                go(_those(seen, half, size), _those(edges, half, size), hops)
            return
        grown = []
        for side, (rows, low, high) in enumerate(ranges):
            kept = back[rows] == (side == 1)
            origins, places = spread(low[kept], high[kept])
            new = _spots(rows[kept][origins], steps.ends[places], size)
            grown.append(new[~among(new, seen[side])])
        seen = (_unique(np.concatenate([seen[0], grown[0]])), _unique(np.concatenate([seen[1], grown[1]])))
        waiting = (edges[0][back[edges[0] // size]], edges[1][~back[edges[1] // size]])
        go(
            seen,
            (
                _unique(np.concatenate([waiting[0], grown[0]])),
                _unique(np.concatenate([waiting[1], grown[1]])),
            ),
            hops - 1,
        )

    go((starts, answers), (starts, answers), hops)
    return met


def bisect(values: Numbers, begin: Integers, end: Integers, wanted: Numbers) -> NDArray[np.int64]:
    """Return for each range of ``values``, which is sorted, the first place with no less than ``wanted``, or its end."""
    low, high = begin.astype(np.int64), end.astype(np.int64)
    for _ in range(int((high - low).max(initial=0)).bit_length()):
        middle = (low + high) >> 1
        # A range that is used up stays: its middle is its high, and nothing is read from there.
        open_ = low < high
        less = open_ & (values[np.where(open_, middle, 0)] < wanted)
        low = np.where(less, middle + 1, low)
        high = np.where(open_ & ~less, middle, high)
    return low


def spread(low: Integers, high: Integers) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return all places of all ranges, with the number of the range that each is of."""
    counts = high - low
    origins = np.repeat(np.arange(len(low)), counts)
    shift = low - (np.cumsum(counts) - counts)
    return origins, np.arange(len(origins)) + shift[origins]


def among(spots: Spots, others: Spots) -> NDArray[np.bool_]:
    """Return which spots are among ``others``, which are sorted."""
    if not len(others):
        return np.zeros(len(spots), bool)
    found: NDArray[np.bool_] = others[np.minimum(np.searchsorted(others, spots), len(others) - 1)] == spots
    return found


def _bounds(steps: Steps, places: Integers) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return where the ends of groups begin and end; nothing for -1."""
    low = steps.group_start[places].astype(np.int64)
    high = np.where(places < 0, low, steps.group_start[places + 1])
    return low, high


def _ranges(
    steps: Steps, spots: Spots, over: Integers | None, *, back: bool
) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Return what lies one hop from spots: rows, and where the ends of each lie in ``steps.ends``."""
    rows, entities = np.divmod(spots, steps.num_entities)
    if over is None:
        # Both ways, so that back is the same as forth.
        bounds = (
            steps.group_start[steps.entity_start[entities]],
            steps.group_start[steps.entity_start[entities + 1]],
        )
        return rows, bounds[0].astype(np.int64), bounds[1].astype(np.int64)
    width = over.shape[1]
    taken = over[rows].ravel()
    if back:
        taken = (taken + steps.num_relations) % (2 * steps.num_relations)
    low, high = _bounds(steps, groups(steps, np.repeat(entities, width), taken))
    return np.repeat(rows, width), low, high


def _is_fact(
    steps: Steps, entities: Integers, over: Integers, ends: Integers, fact: Sequence[Integers]
) -> NDArray[np.bool_]:
    """Return which hops use their fact, given as entity, step and other entity, in either direction."""
    entity, step, other = fact
    back = (step + steps.num_relations) % (2 * steps.num_relations)
    forth = (entities == entity) & (over == step) & (ends == other)
    used: NDArray[np.bool_] = forth | ((entities == other) & (over == back) & (ends == entity))
    return used


def _those(sides: Sides, rows: NDArray[np.bool_], size: int) -> Sides:
    """Return the spots of some rows."""
    return sides[0][rows[sides[0] // size]], sides[1][rows[sides[1] // size]]


def _spots(rows: Spots, entities: Integers, size: int) -> Spots:
    return _unique(rows * size + entities.astype(np.int64))


def _unique(spots: Spots) -> Spots:
    spots = np.sort(spots)
    return spots[np.diff(spots, prepend=-1) > 0]
