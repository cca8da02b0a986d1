"""What a policy imitates before it plays with a graph: chains with wrong hops in them, and questions, some spoilt."""

from __future__ import annotations

import numpy as np

from rlvr_gym.graphs import KnowledgeGraph, Path
from rlvr_gym.graphs.wording import Wording, answer, code, entity_width, step_width


def chain(
    graph: KnowledgeGraph, path: Path, wording: Wording, mistakes: float, rng: np.random.Generator
) -> str:
    """Return a response that states the entity of every hop, each drawn from all entities with the chance ``mistakes``.

    A right hop goes on from the entity stated before it, be that right or wrong; a step that leads nowhere from there
    leads anywhere.
    """
    nodes = [path.start]
    for hop, step in enumerate(path.steps):
        ends = graph.successors(nodes[-1], step)
        on_path = tuple(nodes) == path.nodes[: hop + 1]
        if rng.random() < mistakes or not len(ends):
            nodes.append(int(rng.integers(graph.num_entities)))
        else:
            nodes.append(path.nodes[hop + 1] if on_path else int(ends[int(rng.integers(len(ends)))]))
    told = Path(tuple(nodes), path.steps)
    answers = graph.answers(path.start, path.steps).tolist() if told == path else [told.end]
    return answer(graph, told, answers, wording, reasoning=True)


def spoilt(graph: KnowledgeGraph, text: str, other: str, wording: Wording, rng: np.random.Generator) -> str:
    """Return a question with a fault: one code drawn anew, or ``other``, a question about something else."""
    if wording == "text":
        return other
    start, width = entity_width(graph), step_width(graph)
    places = range(0, 1 + (len(text) - start) // width)
    hit = int(rng.choice(places))
    if hit == 0:
        return code(int(rng.integers(graph.num_entities)), start) + text[start:]
    at = start + (hit - 1) * width
    return text[:at] + code(int(rng.integers(2 * graph.num_relations)), width).upper() + text[at + width :]
