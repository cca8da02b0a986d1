"""A corpus: a knowledge graph with the documents that it came from, or that say what it holds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from rlvr_gym.graphs.graph import KnowledgeGraph

Fact = tuple[int, int, int]
"""Places of head, relation and tail."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """Where a document says a fact."""

    fact: Fact
    document: str
    """Id of the document."""
    start: int
    """First character of the sentence, or of the cell of a table, that says it."""
    end: int
    """Character behind its last."""
    confidence: float = 1.0


@dataclass(frozen=True, slots=True)
class Document:
    """A text about some entities; figures and tables that stand in it are entities of their own."""

    id: str
    title: str
    text: str
    figures: tuple[str, ...] = ()
    """Ids of the entities of modality ``table`` or ``image`` that stand in it."""


@dataclass(frozen=True, slots=True, eq=False)
class Corpus:
    """A graph and its documents."""

    graph: KnowledgeGraph
    documents: tuple[Document, ...] = ()
    """Empty where the graph came without any."""
    evidence: tuple[Evidence, ...] = ()
    """In the order of the documents and of their characters."""
    notes: tuple[str, ...] = ()
    """What a reader of figures must know, such as lines of a file that were left out."""
    by_id: Mapping[str, Document] = field(init=False)
    """Documents by their ids."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "by_id", {document.id: document for document in self.documents})
