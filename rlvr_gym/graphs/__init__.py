"""Knowledge graphs: arrays to walk, sources to read them from, and questions about paths through them."""

from rlvr_gym.graphs.corpus import Corpus, Document, Evidence
from rlvr_gym.graphs.graph import Entity, KnowledgeGraph, Relation, Steps
from rlvr_gym.graphs.paths import Path, step_id, step_of
from rlvr_gym.graphs.sources import SOURCES, open_corpus, resolve_source

__all__ = [
    "SOURCES",
    "Corpus",
    "Document",
    "Entity",
    "Evidence",
    "KnowledgeGraph",
    "Path",
    "Relation",
    "Steps",
    "open_corpus",
    "resolve_source",
    "step_id",
    "step_of",
]
