"""Paths through a knowledge graph: what questions are about."""

from __future__ import annotations

from dataclasses import dataclass

from rlvr_gym.graphs.graph import KnowledgeGraph
from rlvr_gym.types import Json


@dataclass(frozen=True, slots=True)
class Path:
    """A walk: entities n0, ..., nh by their places and the steps r1, ..., rh between them."""

    nodes: tuple[int, ...]
    steps: tuple[int, ...]

    def __post_init__(self) -> None:
        if len(self.nodes) != len(self.steps) + 1 or not self.steps:
            raise ValueError(f"a path of {len(self.steps)} steps has {len(self.nodes)} entities")

    @property
    def hops(self) -> int:
        """Number of steps."""
        return len(self.steps)

    @property
    def start(self) -> int:
        """Where it begins: what a question names."""
        return self.nodes[0]

    @property
    def middle(self) -> tuple[int, ...]:
        """What lies between: what a question must not name."""
        return self.nodes[1:-1]

    @property
    def end(self) -> int:
        """Where it ends: an answer."""
        return self.nodes[-1]

    def to_json(self, graph: KnowledgeGraph) -> Json:
        """Return the path by ids, which other versions of a graph's file still know: ``[id, step, id, ...]``.

        A step is the relation's id, behind ``^`` where it is walked from tail to head.
        """
        row: list[str] = [graph.entities[self.start].id]
        for step, node in zip(self.steps, self.nodes[1:], strict=True):
            row += [step_id(graph, step), graph.entities[node].id]
        return row

    @classmethod
    def from_json(cls, row: Json, graph: KnowledgeGraph) -> Path:
        """Read what ``to_json`` wrote.

        Raises:
            UsageError: an id that the graph does not know.
        """
        nodes = tuple(graph.place(id) for id in row[::2])
        return cls(nodes, tuple(step_of(graph, id) for id in row[1::2]))


def step_id(graph: KnowledgeGraph, step: int) -> str:
    """Return how a step is written: the relation's id, behind ``^`` where it is walked from tail to head."""
    return ("^" if graph.is_inverse(step) else "") + graph.relation(step).id


def step_of(graph: KnowledgeGraph, id: str) -> int:
    """Return the step that ``step_id`` wrote.

    Raises:
        UsageError: no relation has this id.
    """
    if id.startswith("^"):
        return graph.reverse(graph.relation_place(id[1:]))
    return graph.relation_place(id)
