"""The audit of relations: how many tails a head has, which relations are functional, and what contradicts that."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rlvr_gym.graphs.corpus import Fact
from rlvr_gym.graphs.graph import KnowledgeGraph


@dataclass(frozen=True, slots=True)
class Audited:
    """What the audit found about one relation."""

    relation: str
    facts: int
    heads: int
    """How many entities are the head of one."""
    single: float
    """Share of those heads that have one tail only."""
    most: int
    """The most tails that a head has."""
    functional: bool
    """Whether nearly every head has one tail, so that one with more deserves a look."""


@dataclass(frozen=True, slots=True)
class Contradiction:
    """A head of a functional relation with more than one tail."""

    head: int
    relation: int
    tails: tuple[int, ...]

    @property
    def facts(self) -> tuple[Fact, ...]:
        """The facts of which one at most can be true."""
        return tuple((self.head, self.relation, tail) for tail in self.tails)


def audit(
    graph: KnowledgeGraph, *, share: float = 0.9, least: int = 5
) -> tuple[list[Audited], list[Contradiction]]:
    """Return what is found about each relation, and the contradictions.

    Args:
        graph: What to audit.
        share: Share of heads with one tail from which on a relation counts as functional.
        least: Heads that a relation needs before any share counts.
    """
    found, contradictions = [], []
    for place, relation in enumerate(graph.relations):
        its = graph.kinds == place
        heads, sizes = np.unique(graph.heads[its], return_counts=True)
        single = float((sizes == 1).mean()) if len(sizes) else 0.0
        functional = len(sizes) >= least and single >= share
        found.append(
            Audited(relation.id, int(its.sum()), len(heads), single, int(sizes.max(initial=0)), functional)
        )
        if functional:
            for head in heads[sizes > 1].tolist():
                contradictions.append(
                    Contradiction(head, place, tuple(graph.successors(head, place).tolist()))
                )
    return found, contradictions
