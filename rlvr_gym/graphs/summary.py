"""What somebody who is about to train on a graph wants to know of it: relations, names, and what the gate lets through."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from rlvr_gym.graphs.gate import askable
from rlvr_gym.graphs.graph import KnowledgeGraph
from rlvr_gym.graphs.paths import Path
from rlvr_gym.graphs.sampling import Sampler
from rlvr_gym.graphs.structure import GateConfig, Reject, structure_many
from rlvr_gym.graphs.wording import Wording, ask, mention
from rlvr_gym.types import Json

_MOST_ASKED = 200
"""Of so many sound paths the question is tried, which takes far longer than the graph's part of the gate."""


@dataclass(frozen=True, slots=True)
class RelationFigures:
    """A relation in numbers."""

    id: str
    words: str
    """How questions say it."""
    facts: int
    heads: int
    """Different heads."""
    tails: int
    """Different tails."""
    functional: float
    """Share of the heads that have one tail: of these, a question for the tail has one answer."""
    inverse_functional: float
    """Share of the tails that have one head."""


@dataclass(frozen=True, slots=True)
class HopFigures:
    """What the gate makes of paths of one length."""

    hops: int
    drawn: int
    """Paths drawn; none where the graph has none so long."""
    sound: int
    """Those that the graph's part of the gate lets through."""
    tried: int
    """Those of the sound ones whose question was tried."""
    askable: int
    """Those of the tried ones whose question passes the gate as a whole."""
    rejects: dict[Reject, int]
    """How many were refused why."""

    @property
    def share(self) -> float:
        """Estimated share of drawn paths that make a question; nan where none was drawn or tried."""
        if not self.drawn or (self.sound and not self.tried):
            return float("nan")
        return self.sound / self.drawn * (self.askable / self.tried if self.tried else 0.0)

    def to_dict(self) -> Json:
        """Return JSON values."""
        return {**asdict(self), "rejects": {f"{reason}": number for reason, number in self.rejects.items()}}


def relation_figures(graph: KnowledgeGraph) -> list[RelationFigures]:
    """Return the figures of all relations, those with the most facts first."""
    facts = graph.facts()
    sizes = np.bincount(facts[:, 1], minlength=graph.num_relations)
    heads, one_tail = _groups(graph, facts[:, 1], facts[:, 0])
    tails, one_head = _groups(graph, facts[:, 1], facts[:, 2])
    rows = [
        RelationFigures(
            relation.id,
            relation.words,
            int(sizes[place]),
            int(heads[place]),
            int(tails[place]),
            float(one_tail[place] / max(1, heads[place])),
            float(one_head[place] / max(1, tails[place])),
        )
        for place, relation in enumerate(graph.relations)
    ]
    return sorted(rows, key=lambda row: (-row.facts, row.id))


def name_figures(graph: KnowledgeGraph) -> tuple[int, int]:
    """Return how many different names the entities have, and how many of them mean several."""
    names = {form for place in range(graph.num_entities) for form in graph.aliases.forms(place)}
    return len(names), sum(graph.aliases.ambiguous(name) for name in names)


def hop_figures(
    sampler: Sampler,
    hops: int,
    config: GateConfig,
    rng: np.random.Generator,
    *,
    wording: Wording = "text",
    number: int = 5000,
) -> HopFigures:
    """Draw paths and return what the gate makes of them.

    Args:
        sampler: Draws the paths.
        hops: Their length.
        config: The gate.
        rng: Where random numbers come from.
        wording: How questions are written.
        number: How many paths to draw.
    """
    graph = sampler.graph
    nodes, steps = sampler.sample(rng, number, hops)
    outcomes = structure_many(graph, nodes, steps, config)
    reasons = list(Reject)
    rejects = Counter(reasons[code - 1] for code in outcomes.tolist() if code)
    sound = np.flatnonzero(outcomes == 0)
    tried = sound[:_MOST_ASKED]
    refused = Counter(
        refusal[0]
        for row in tried
        if (refusal := askable(graph, _path(nodes[row], steps[row]), wording, config)) is not None
    )
    return HopFigures(
        hops,
        len(nodes),
        len(sound),
        len(tried),
        len(tried) - sum(refused.values()),
        dict((rejects + refused).most_common()),
    )


def sample_questions(
    sampler: Sampler,
    number: int,
    most_hops: int,
    config: GateConfig,
    rng: np.random.Generator,
    *,
    wording: Wording = "text",
) -> Iterator[tuple[Path, str, list[str]]]:
    """Yield different paths that pass the gate, with question and answers: of 1 hop, 2 hops, ... in turn.

    Args:
        sampler: Draws the paths.
        number: How many; fewer come where the gate lets too few through.
        most_hops: The longest.
        config: The gate.
        rng: Where random numbers come from.
        wording: How questions are written.
    """
    graph = sampler.graph
    for hops in range(1, most_hops + 1):
        wanted = number // most_hops + (hops <= number % most_hops)
        paths = dict.fromkeys(sampler.sound(rng, 10 * wanted, hops, config))
        for path in paths:
            if not wanted:
                break
            if askable(graph, path, wording, config) is None:
                answers = graph.answers(path.start, path.steps).tolist()
                question = ask(graph, path, wording, many=len(answers) > 1)
                yield path, question, [mention(graph, place) for place in answers]
                wanted -= 1


def _path(nodes: Sequence[Any] | NDArray[Any], steps: Sequence[Any] | NDArray[Any]) -> Path:
    return Path(tuple(map(int, nodes)), tuple(map(int, steps)))


def _groups(
    graph: KnowledgeGraph, kinds: NDArray[np.int32], ends: NDArray[np.int32]
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return by relation how many different ends it has, and how many of them have a single fact."""
    groups, counts = np.unique(kinds.astype(np.int64) * graph.num_entities + ends, return_counts=True)
    of = groups // max(1, graph.num_entities)
    return np.bincount(of, minlength=graph.num_relations), np.bincount(
        of[counts == 1], minlength=graph.num_relations
    )
