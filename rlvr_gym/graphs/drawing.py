"""What a reader is shown of a question's path: its nodes and arrows, the other answers, and what lies around."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import numpy as np

from rlvr_gym.graphs.corpus import Fact
from rlvr_gym.graphs.graph import KnowledgeGraph
from rlvr_gym.graphs.paths import Path
from rlvr_gym.graphs.wording import Wording, entity_width, spell, spell_step
from rlvr_gym.types import Json

MOST_ANSWERS = 6
"""Answers that are drawn; a question without a gate may have thousands."""
MOST_SHORTCUTS = 8
"""Facts between nodes of the path that it does not walk."""
_WIDEST = 100
"""Entities that a step is followed from, and ends of a step that are followed: hubs would take too long."""


def drawing(graph: KnowledgeGraph, path: Path, *, neighbours: int = 6, wording: Wording = "text") -> Json:
    """Return the sampled subgraph of a question about ``path`` as JSON values, the same for the same arguments.

    Args:
        graph: Of the path.
        path: From the start to one of its answers.
        neighbours: How many entities beside the path are shown, those of its nodes in turn.
        wording: How entities and steps are called; codes are those of the question.

    Returns:
        ``{"nodes": [[label, kind], ...], "edges": [[i, j, label, kind], ...]}``. A node is ``start``, ``middle``,
        ``answer`` or ``other``, an edge ``path`` or ``other``. The path's own nodes come first, in order, and then one
        way to each other answer. An edge of kind ``path`` points the way it is walked, one of kind ``other`` is a fact
        and points from head to tail. Of codes ``width`` says how many characters a node has.

    Example:
        >>> graph = KnowledgeGraph.of([("ada", "born in", "london"), ("london", "part of", "england")])
        >>> found = drawing(graph, Path((0, 1, 2), (0, 1)))
        >>> found["nodes"], found["edges"][0]
        ([['ada', 'start'], ['london', 'middle'], ['england', 'answer']], [0, 1, 'born in', 'path'])
    """
    kinds: dict[int, str] = {}
    edges: dict[tuple[int, int, str], str] = {}
    walked: set[Fact] = set()
    for way in (path, *_other_ways(graph, path)):
        for at, node in enumerate(way.nodes):
            kind = "start" if at == 0 else "answer" if at == way.hops else "middle"
            # A walk may come back; what matters most to a reader is where it starts, then where it ends.
            if node not in kinds or (kind == "answer" and kinds[node] == "middle"):
                kinds[node] = kind
        for head, step, tail in zip(way.nodes, way.steps, way.nodes[1:], strict=False):
            edges[head, tail, spell_step(graph, step, wording)] = "path"
            walked.add(_fact(graph, head, step, tail))
    for head, step, tail in itertools.islice(_facts_between(graph, set(kinds), walked), MOST_SHORTCUTS):
        edges.setdefault((head, tail, spell_step(graph, step, wording)), "other")
    for node, (head, step, tail) in _around(graph, path, set(kinds), neighbours).items():
        kinds[node] = "other"
        edges[head, tail, spell_step(graph, step, wording)] = "other"
    places = {node: place for place, node in enumerate(kinds)}
    return {
        "nodes": [[spell(graph, node, wording), kind] for node, kind in kinds.items()],
        "edges": [[places[a], places[b], label, kind] for (a, b, label), kind in edges.items()],
        **({"width": entity_width(graph)} if wording == "codes" else {}),
    }


def _fact(graph: KnowledgeGraph, head: int, step: int, tail: int) -> Fact:
    kind = step % graph.num_relations
    return (tail, kind, head) if graph.is_inverse(step) else (head, kind, tail)


def _other_ways(graph: KnowledgeGraph, path: Path) -> Iterator[Path]:
    """Yield a walk over the same steps to each of the other answers, at most as many as are drawn."""
    came_from: list[dict[int, int]] = [{path.start: path.start}]
    for step in path.steps:
        reached: dict[int, int] = {}
        for node in itertools.islice(came_from[-1], _WIDEST):
            for end in graph.successors(node, step)[:_WIDEST].tolist():
                reached.setdefault(end, node)
        came_from.append(reached)
    for answer in [end for end in came_from[-1] if end != path.end][: MOST_ANSWERS - 1]:
        nodes = [answer]
        for reached in reversed(came_from[1:]):
            nodes.append(reached[nodes[-1]])
        yield Path(tuple(reversed(nodes)), path.steps)


def _around(graph: KnowledgeGraph, path: Path, known: set[int], number: int) -> dict[int, Fact]:
    """Return entities one fact from the path's nodes with that fact, those of each node in turn.

    So one busy node does not take all places.
    """
    rows = [_facts_of(graph, node) for node in dict.fromkeys(path.nodes)]
    found: dict[int, Fact] = {}
    while rows and len(found) < number:
        for row in list(rows):
            new = next((pair for pair in row if pair[0] not in known and pair[0] not in found), None)
            if new is None:
                rows.remove(row)
            elif len(found) < number:
                found[new[0]] = new[1]
    return found


def _facts_of(graph: KnowledgeGraph, node: int) -> Iterator[tuple[int, Fact]]:
    """Yield the other end of each fact of ``node``, with the fact."""
    for step, ends in graph.steps.from_entity(node):
        for end in ends[:_WIDEST].tolist():
            yield end, _fact(graph, node, step, end)


def _facts_between(graph: KnowledgeGraph, nodes: set[int], known: set[Fact]) -> Iterator[Fact]:
    order = np.array(sorted(nodes), np.int32)
    for head in order.tolist():
        for kind, ends in graph.steps.from_entity(head, inverse=False):
            # Ends are sorted, and a hub has very many.
            at = np.minimum(np.searchsorted(ends, order), len(ends) - 1)
            for tail in order[ends[at] == order].tolist():
                if (head, kind, tail) not in known:
                    yield head, kind, tail
