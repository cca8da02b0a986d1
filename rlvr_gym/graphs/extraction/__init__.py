"""Graphs from documents: structure, references and sentences, each read in a stage of its own."""

from rlvr_gym.graphs.extraction.audit import Audited, Contradiction, audit
from rlvr_gym.graphs.extraction.building import Extraction, build_graph
from rlvr_gym.graphs.extraction.free_text import Passage, Reader
from rlvr_gym.graphs.extraction.referring import Reference
from rlvr_gym.graphs.extraction.report import Report
from rlvr_gym.graphs.extraction.settings import ExtractionConfig, Known
from rlvr_gym.graphs.extraction.structural import Part

__all__ = [
    "Audited",
    "Contradiction",
    "Extraction",
    "ExtractionConfig",
    "Known",
    "Part",
    "Passage",
    "Reader",
    "Reference",
    "Report",
    "audit",
    "build_graph",
]
