"""Sources of knowledge graphs, one file each."""

from rlvr_gym.graphs.sources.base import SOURCES, Table, open_corpus, resolve_source

__all__ = ["SOURCES", "Table", "open_corpus", "resolve_source"]
