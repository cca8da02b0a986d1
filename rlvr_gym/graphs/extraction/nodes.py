"""The structure of documents as a part of the graph: documents and sections as nodes, references as edges."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from rlvr_gym.graphs.extraction.referring import Reference
from rlvr_gym.graphs.extraction.structural import Outline
from rlvr_gym.graphs.graph import Entity, KnowledgeGraph, Relation

HAS_SECTION, SHOWS = "has section", "shows"
_ADDED = (HAS_SECTION, SHOWS, "describes", "mentions", "see also")


def with_structure(
    graph: KnowledgeGraph, pages: Sequence[Outline], references: Sequence[Reference]
) -> KnowledgeGraph:
    """Return the graph with documents and sections behind its entities; places of what was there stay."""
    entities = list(graph.entities)
    relations = [*graph.relations, *(Relation(id, id) for id in _ADDED if not _has(graph, id))]
    kinds = {relation.id: place for place, relation in enumerate(relations)}
    places = {entity.id: place for place, entity in enumerate(entities)}
    rows = [tuple(fact) for fact in graph.facts().tolist()]
    for page in pages:
        for part in page.parts:
            if part.kind in ("document", "section"):
                places[part.id] = len(entities)
                entities.append(Entity(part.id, part.title, part.kind, (), "text", {}, page.document.id))
        whole = places[page.document.id]
        for part in page.parts[1:]:
            rows.append((whole, kinds[HAS_SECTION if part.kind == "section" else SHOWS], places[part.id]))
    rows += [(places[each.document], kinds[each.kind], each.entity) for each in references]
    return KnowledgeGraph(entities, relations, np.array(rows, np.int64))


def _has(graph: KnowledgeGraph, id: str) -> bool:
    return any(relation.id == id for relation in graph.relations)
