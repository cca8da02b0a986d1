"""Where knowledge graphs come from: registered sources, each one file, and the one door to all of them."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from rlvr_gym.config import Config
from rlvr_gym.errors import ConfigError
from rlvr_gym.graphs.corpus import Corpus
from rlvr_gym.registry import Entry, Registry

Table = str | dict[str, Any]
"""A registered name, a file, or a table with ``name`` and settings."""

SOURCES: Registry[Callable[[Any], Corpus]] = Registry("graph source", "rlvr_gym.graphs.sources")
"""Factories ``factory(config) -> Corpus``; ``suffixes`` in an entry's extra says which files it reads."""


def resolve_source(
    table: str | Mapping[str, Any], *, where: str = "graph"
) -> tuple[Entry[Callable[[Any], Corpus]], Config]:
    """Return the entry and the settings that ``table`` names, without reading anything.

    Args:
        table: A registered name, ``{"name": ..., **settings}``, or a file, which means the source that reads files
            with its suffix: anything with a ``/`` or with such a suffix.
        where: Names the place in messages.

    Raises:
        ConfigError: an unknown name, a suffix that nothing reads, or a wrong setting.
    """
    if isinstance(table, str):
        by_suffix = {
            suffix: entry.name for entry in SOURCES.entries() for suffix in entry.extra.get("suffixes", ())
        }
        suffix = Path(table).suffix.lower()
        if suffix in by_suffix:
            table = {"name": by_suffix[suffix], "file": table}
        elif "/" in table:
            raise ConfigError(
                f"{where}: no graph source reads '{table}'. Files end in {', '.join(sorted(by_suffix))}."
            )
    return SOURCES.resolve(table, where=where)


def open_corpus(table: str | Mapping[str, Any], *, where: str = "graph") -> Corpus:
    """Return the corpus that ``table`` names, as `resolve_source` reads it; a few are kept, so asking again is free.

    Raises:
        ConfigError: an unknown name or a wrong setting.
        DataError: a file that is no graph, with the file, the line and the reason.
    """
    entry, config = resolve_source(table, where=where)
    return _opened(entry.name, json.dumps(config.model_dump(mode="json"), sort_keys=True), _stamp(config))


def _stamp(config: Config) -> tuple[tuple[str, int, int], ...]:
    """Return what tells a changed file from the one that was read."""
    stamps = []
    for name in type(config).model_fields:
        value = getattr(config, name)
        if isinstance(value, Path):
            try:
                state = value.stat()
            except (OSError, ValueError):
                # Whoever reads it says why not.
                continue
            stamps.append((str(value), state.st_mtime_ns, state.st_size))
    return tuple(stamps)


@lru_cache(maxsize=8)
def _opened(name: str, settings: str, stamp: tuple[tuple[str, int, int], ...]) -> Corpus:
    entry = SOURCES[name]
    corpus: Corpus = entry.value(entry.settings(json.loads(settings), where=f"graph source '{name}'"))
    return corpus
