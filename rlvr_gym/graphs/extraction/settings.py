"""Settings of the builder, and what it may know beforehand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from pydantic import Field

from rlvr_gym.config import Config
from rlvr_gym.graphs.graph import Entity, KnowledgeGraph, Relation


class ExtractionConfig(Config):
    """Settings of the document-to-graph builder."""

    theta: float = Field(default=0.75, ge=0.0, le=1.0)
    """Facts that no place in the documents says with at least this confidence are dropped."""
    spelling: float = Field(default=0.95, ge=0.0, le=1.0)
    """Confidence where a name is only known in a looser form, such as one with accents."""
    by_type: float = Field(default=0.95, ge=0.0, le=1.0)
    """Confidence where the class that the relation asks for tells who of several namesakes is meant."""
    by_context: float = Field(default=0.7, ge=0.0, le=1.0)
    """Confidence where only the rest of the document tells it, which it may do wrongly: below ``theta`` by default."""
    free_text: float = Field(default=0.8, ge=0.0, le=1.0)
    """Confidence of what a policy reads in free text, at most."""
    discover: bool = False
    """Make entities of unknown titles and quantities; always on where no entity is known beforehand."""
    structure: bool = False
    """Put documents and sections into the graph too, with ``has section``, ``describes``, ``mentions`` and ``see also``."""
    contradictions: Literal["keep", "drop"] = "keep"
    """Whether the facts of a head with several tails stay in a relation that the audit finds functional."""
    functional_share: float = Field(default=0.9, ge=0.0, le=1.0)
    """Share of heads with one tail from which on a relation counts as functional."""
    max_new_tokens: int = Field(default=512, ge=1)
    """Tokens that a policy may write about one passage."""
    batch_size: int = Field(default=32, ge=1)
    """Passages that a policy is asked about at once."""
    max_triples: int = Field(default=16, ge=1)
    """Lines that are read of what a policy writes about one passage."""


@dataclass(frozen=True, slots=True)
class Known:
    """What the builder knows before it reads: the relations, and whichever entities have a description."""

    relations: Sequence[Relation]
    entities: Sequence[Entity] = ()

    @classmethod
    def of(cls, graph: KnowledgeGraph) -> Known:
        """Return the entities and relations of a graph, without its facts."""
        return cls(graph.relations, graph.entities)
