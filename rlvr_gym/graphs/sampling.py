"""Sampling paths by the hundred thousand: balanced over relations and against hubs, and never into a dead end.

Which entities can still go on for 1, 2, ... hops is found once per graph, and walks only step where the rest of their
hops is possible. So all that is drawn arrives, and no walk is thrown away for where it stands.
"""

from __future__ import annotations

from collections import Counter
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from rlvr_gym.errors import UsageError
from rlvr_gym.graphs.graph import KnowledgeGraph
from rlvr_gym.graphs.paths import Path
from rlvr_gym.graphs.steps import Places, Steps
from rlvr_gym.graphs.structure import GateConfig, Reject, structure_many
from rlvr_gym.graphs.walks import Integers, bisect, spread

Balance = Literal["relation", "fact"]
_MOST_HUBS = 10.0
"""Beyond that, weights are too small for numbers."""
_REASONS = (None, *Reject)
_SMALLEST_BATCH = 16
_LARGEST_BATCH = 8192


class Sampler:
    """Draws walks through a graph.

    A walk starts at any of the entities from which its number of hops is possible. Each hop takes a step, then an end.

    Args:
        graph: The graph.
        balance: ``relation``: all different steps from an entity are equally likely, whether they lead to one end or to
            a thousand. ``fact``: all its facts compete, so that many-valued relations come more often.
        hubs: An end counts as the number of facts that it is in, to the power of minus this: 0 does not care.
        inverse: Whether walks also take relations from tail to head.

    Raises:
        UsageError: ``hubs`` below 0 or above 10.
    """

    def __init__(
        self,
        graph: KnowledgeGraph,
        *,
        balance: Balance = "relation",
        hubs: float = 1.0,
        inverse: bool = False,
    ) -> None:
        self.graph = graph
        self.rejected: Counter[Reject] = Counter()
        """Why `sound` refused paths, over all its calls."""
        if not 0 <= hubs <= _MOST_HUBS:
            raise UsageError(f"paths: hubs is between 0 and {_MOST_HUBS}, got {hubs}.")
        self._table = _Table.of(graph.steps, balance, hubs, inverse=inverse)
        self._live = [np.ones(graph.num_entities, bool), self._table.live()]
        """From which entities so many hops are possible."""
        self._patches: list[tuple[NDArray[np.bool_], _Table] | None] = [None]
        """When so many hops must be possible behind a hop: the entities that not all ends are open to, and their table."""

    def starts(self, hops: int) -> Places:
        """Return the entities from which walks of ``hops`` hops are possible, sorted."""
        while len(self._live) <= hops:
            # Behind the next hop, one hop fewer must be possible.
            closed = self._table.closed(self._live[-1])
            if closed.any():
                patch = self._table.only(closed, self._live[-1])
                self._patches.append((closed, patch))
                self._live.append(np.where(closed, patch.live(), self._live[1]))
            else:
                self._patches.append(None)
                self._live.append(self._live[1])
        return np.flatnonzero(self._live[hops]).astype(np.int32)

    def sample(self, rng: np.random.Generator, number: int, hops: int) -> tuple[Places, Places]:
        """Draw walks; they may come through an entity twice.

        Two calls draw what one call for both numbers draws.

        Args:
            rng: Where random numbers come from: ``1 + 2 * hops`` for each walk.
            number: How many walks.
            hops: Their length, at least 1.

        Returns:
            Entities, shape (walks, hops + 1), and steps, shape (walks, hops); no walks where the graph has none so long.
        """
        starts = self.starts(hops)
        if not len(starts):
            return np.zeros((0, hops + 1), np.int32), np.zeros((0, hops), np.int32)
        # A row for each walk, so that walks do not depend on how many are drawn at once; then columns for speed.
        chance = np.ascontiguousarray(rng.random((number, 1 + 2 * hops)).T)
        nodes = np.empty((number, hops + 1), np.int32)
        steps = np.empty((number, hops), np.int32)
        at = starts[(chance[0] * len(starts)).astype(np.intp)]
        nodes[:, 0] = at
        for hop in range(hops):
            which = chance[2 * hop + 1 : 2 * hop + 3]
            taken, ends = self._table.draw(at, which)
            if (patch := self._patches[hops - hop - 1]) is not None:
                closed, table = patch
                rows = np.flatnonzero(closed[at])
                taken[rows], ends[rows] = table.draw(at[rows], which[:, rows])
            steps[:, hop], nodes[:, hop + 1] = taken, ends
            at = ends
        return nodes, steps

    def sound(
        self,
        rng: np.random.Generator,
        number: int,
        hops: int,
        config: GateConfig,
        *,
        patience: int = 20_000,
    ) -> list[Path]:
        """Draw paths that `structure` finds sound.

        Args:
            rng: Where one random number comes from.
            number: How many paths.
            hops: Their length.
            config: What makes them sound.
            patience: After so many refusals in a row no more are drawn, and fewer paths are returned.
        """
        # From a stream of its own, as nobody can say before how many walks it takes.
        own = np.random.default_rng(rng.integers(2**63))
        paths: list[Path] = []
        batch, barren = min(max(_SMALLEST_BATCH, 2 * number), _LARGEST_BATCH), 0
        while len(paths) < number and barren < patience:
            nodes, steps = self.sample(own, batch, hops)
            if not len(nodes):
                break
            outcomes = structure_many(self.graph, nodes, steps, config)
            accepted = np.flatnonzero(outcomes == 0)[: number - len(paths)]
            full = len(paths) + len(accepted) == number
            used = int(accepted[-1]) + 1 if full and len(accepted) else len(outcomes)
            codes, counts = np.unique(outcomes[:used], return_counts=True)
            for code, count in zip(codes.tolist(), counts.tolist(), strict=True):
                if (reason := _REASONS[code]) is not None:
                    self.rejected[reason] += count
            paths += [Path(tuple(nodes[row].tolist()), tuple(steps[row].tolist())) for row in accepted]
            barren = barren + len(outcomes) if not len(accepted) else len(outcomes) - int(accepted[-1]) - 1
            batch = min(4 * batch, _LARGEST_BATCH)
        return paths


class _Table:
    """What may follow each entity: its steps, grouped as in `Steps`, and the ends of each, with chances.

    Args:
        first: Where the groups of each entity begin, shape (entities,).
        last: Behind which group they end.
        bounds: Where the ends of each group begin, and the end, shape (groups + 1,); no group is empty.
        steps: The step of each group.
        ends: The ends.
        worth: How much each entity counts as an end; None for all alike.
        balance: Whether an end is drawn from a group or from all that may follow an entity.
    """

    def __init__(
        self,
        first: Places,
        last: Places,
        bounds: Places,
        steps: Integers,
        ends: Places,
        worth: NDArray[np.float64] | None,
        balance: Balance,
    ) -> None:
        self.first, self.last, self.bounds, self.steps, self.ends = first, last, bounds, steps, ends
        self.worth, self.balance = worth, balance
        self.sums: NDArray[np.float32] | None = None
        """For each end, the chance of those up to it among all that it is drawn from."""
        if worth is not None and len(ends):
            edges = bounds
            if balance == "fact":
                # What lies between the entities' ranges is never drawn.
                edges = np.append(np.stack([bounds[first], bounds[last]], axis=1).ravel(), len(ends))
            sizes = np.diff(edges, prepend=0)
            begins, sizes = (edges - sizes)[sizes > 0], sizes[sizes > 0]
            weights = worth[ends]
            sums = np.cumsum(weights / np.repeat(np.add.reduceat(weights, begins), sizes))
            # All that is drawn from together has a chance of 1, which comes off for each before it.
            self.sums = (sums - np.repeat(np.arange(len(sizes)), sizes)).astype(np.float32)

    @classmethod
    def of(cls, steps: Steps, balance: Balance, hubs: float, *, inverse: bool) -> _Table:
        """Return the table of all ends; it shares the arrays of the graph."""
        degrees = np.diff(steps.group_start[steps.entity_start])
        worth = None if hubs == 0 else np.maximum(degrees, 1).astype(np.float64) ** -hubs
        last = steps.entity_start[1:] if inverse else steps.inverse_start
        first = steps.entity_start[:-1]
        return cls(first, last, steps.group_start, steps.group_step, steps.ends, worth, balance)

    def live(self) -> NDArray[np.bool_]:
        """Return which entities anything follows, shape (entities,)."""
        return self.last > self.first

    def closed(self, live: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Return which entities some end follows that is not live, shape (entities,)."""
        dead = np.concatenate([[0], np.cumsum(~live[self.ends])])
        found: NDArray[np.bool_] = dead[self.bounds[self.last]] > dead[self.bounds[self.first]]
        return found

    def only(self, entities: NDArray[np.bool_], live: NDArray[np.bool_]) -> _Table:
        """Return the table of the live ends that follow some entities."""
        _, places = spread(self.bounds[self.first[entities]], self.bounds[self.last[entities]])
        places = places[live[self.ends[places]]]
        # How many of the places lie before each bound: groups without any are left out.
        bounds = np.searchsorted(places, self.bounds).astype(np.int32)
        filled = np.diff(bounds) > 0
        groups = np.concatenate([[0], np.cumsum(filled)]).astype(np.int32)
        return _Table(
            groups[self.first],
            groups[self.last],
            np.append(bounds[:-1][filled], bounds[-1]),
            self.steps[filled],
            self.ends[places],
            self.worth,
            self.balance,
        )

    def draw(self, at: Places, chance: NDArray[np.float64]) -> tuple[Integers, Places]:
        """Return a step and an end for each entity of ``at``, by two numbers in [0, 1) each, shape (2, entities)."""
        low, high = self.first[at], self.last[at]
        if self.balance == "fact":
            place = self._drawn(self.bounds[low], self.bounds[high], chance[1])
            return self.steps[np.searchsorted(self.bounds, place, side="right") - 1], self.ends[place]
        group = low + (chance[0] * (high - low)).astype(np.int32)
        return self.steps[group], self.ends[
            self._drawn(self.bounds[group], self.bounds[group + 1], chance[1])
        ]

    def _drawn(self, begin: Places, end: Places, chance: NDArray[np.float64]) -> Integers:
        """Return one of the ends in each range."""
        if self.sums is None:
            return begin + (chance * (end - begin)).astype(np.int32)
        place = begin.copy()
        several = np.flatnonzero(end - begin > 1)
        # The last is what is left, whatever its sum was rounded to.
        place[several] = bisect(self.sums, begin[several], end[several] - 1, chance[several])
        return place
