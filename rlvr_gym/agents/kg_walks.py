"""Walks through a graph of which some may be shown to a proposer."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from rlvr_gym.graphs import KnowledgeGraph, Path
from rlvr_gym.graphs.sampling import Sampler

_PATIENCE = 60
"""Batches of walks, or walks from one entity, that are drawn in vain before there are said to be no more."""


class Walks:
    """Draws paths until enough of them may be shown.

    Args:
        graph: The graph.
        inverse: Whether walks also take relations from tail to head.
        may_show: Whether a path may be shown.
    """

    def __init__(self, graph: KnowledgeGraph, may_show: Callable[[Path], bool], *, inverse: bool) -> None:
        self._graph = graph
        self._may_show = may_show
        self._inverse = inverse
        self._sampler = Sampler(graph, inverse=inverse)

    def anywhere(self, rng: np.random.Generator, hops: int, number: int) -> list[Path]:
        """Return up to ``number`` paths, balanced over relations and against hubs."""
        found: list[Path] = []
        for _ in range(_PATIENCE):
            nodes, steps = self._sampler.sample(rng, max(8, 2 * number), hops)
            for walk, over in zip(nodes.tolist(), steps.tolist(), strict=True):
                if self._may_show(path := Path(tuple(walk), tuple(over))):
                    found.append(path)
                    if len(found) == number:
                        return found
            if not len(nodes):
                break
        return found

    def from_entity(self, rng: np.random.Generator, start: int, hops: int) -> Path | None:
        """Return a walk from an entity that takes each of its steps with the same chance, or None."""
        for _ in range(_PATIENCE):
            nodes, steps = [start], list[int]()
            while len(steps) < hops:
                options = list(self._graph.steps.from_entity(nodes[-1], inverse=self._inverse))
                if not options:
                    break
                step, ends = options[int(rng.integers(len(options)))]
                steps.append(step)
                nodes.append(int(ends[int(rng.integers(len(ends)))]))
            if len(steps) == hops and self._may_show(path := Path(tuple(nodes), tuple(steps))):
                return path
        return None
