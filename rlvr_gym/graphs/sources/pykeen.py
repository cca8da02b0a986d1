"""The small graphs that the package pykeen carries; the package itself is never imported, only its files are read."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Literal

import numpy as np
from pydantic import Field

from rlvr_gym.errors import DataError, UsageError
from rlvr_gym.graphs.checking import Checks, checked
from rlvr_gym.graphs.corpus import Corpus
from rlvr_gym.graphs.graph import Entity, KnowledgeGraph, Relation
from rlvr_gym.graphs.sources.base import SOURCES
from rlvr_gym.graphs.tables import Facts, line_of, read_rows


class PyKEEN(Checks):
    """Settings of a graph of pykeen."""

    dataset: Literal["kinships", "nations", "umls"] = "nations"
    """Which graph: kinship terms of 104 people, relations of 14 nations, or 135 kinds of medical things."""
    splits: tuple[Literal["train", "valid", "test"], ...] = Field(("train", "valid", "test"), min_length=1)
    """Which parts of it, joined; the parts are those of link prediction, not of questions."""


def pykeen(config: PyKEEN) -> Corpus:
    """Small public graphs that the package pykeen carries: nations, UMLS, kinships."""
    folder = _folder() / config.dataset
    files = [folder / f"{split}.txt" for split in dict.fromkeys(config.splits)]
    facts = Facts(refuse_loops=False)
    for file in files:
        if not read_rows(file, facts.take, []):
            raise DataError(f"{file}: no facts.")
    graph = KnowledgeGraph(
        [Entity(id, _label(id)) for id in facts.entities],
        [Relation(id) for id in facts.relations],
        np.frombuffer(facts.places, np.int32),
    )
    return Corpus(graph, notes=checked(graph, config, lambda fact: line_of(fact, *files)))


def _folder() -> Path:
    """Return where the data sets are.

    Raises:
        UsageError: pykeen is not installed.
    """
    found = importlib.util.find_spec("pykeen")
    if found is None or not found.submodule_search_locations:
        raise UsageError(
            "graph source 'pykeen' reads files of the package pykeen, which is not installed: "
            "pip install --no-deps pykeen."
        )
    return Path(found.submodule_search_locations[0]) / "datasets"


def _label(id: str) -> str:
    """Return the words of an id, empty where the id is plain."""
    words = id.replace("_", " ")
    return words if words != id else ""


SOURCES.add("pykeen", pykeen, config=PyKEEN)
