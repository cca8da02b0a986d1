"""Tables of tab-separated values: a fact a line, and beside it, when given, what entities and relations are called.

Four kinds of lines, in a file each:

- facts: ``head  relation  tail``
- labels: ``id  label``, or ``id  label  type``; an empty label is the id
- aliases: ``id  alias  alias ...``, on one line or on several
- relations: ``id  phrase``, or with the inverse phrase, or with that and the types of heads and of tails

Fields are separated by one tab; nothing is quoted, escaped or a comment, and empty lines say nothing. The three other
files may only speak of what the facts hold.
"""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import numpy as np

from rlvr_gym.errors import DataError
from rlvr_gym.graphs.checking import Checks, checked
from rlvr_gym.graphs.corpus import Corpus
from rlvr_gym.graphs.graph import KnowledgeGraph, Relation
from rlvr_gym.graphs.sources.base import SOURCES
from rlvr_gym.graphs.tables import Facts, Names, Phrases, line_of, read_rows


class TSV(Checks):
    """Settings of a graph in tables."""

    file: Path
    """The facts."""
    labels: Path | None = None
    """Labels of entities, and their types."""
    aliases: Path | None = None
    """Other names of entities."""
    relations: Path | None = None
    """Phrases by which questions say relations, and the types that relations connect."""
    header: bool = False
    """Whether the first line of every file names its columns."""
    on_bad: Literal["refuse", "skip"] = "refuse"
    """What to do with a line that is no row of its file: refuse the file, or leave out the line and say how many."""


def tsv(config: TSV) -> Corpus:
    """Tab-separated facts, with labels, aliases and phrases beside them."""
    notes: list[str] = []
    facts = Facts(refuse_loops=config.self_loops == "refuse")
    skip = config.on_bad == "skip"
    num_rows = read_rows(config.file, facts.take, notes, header=config.header, skip=skip)
    if not num_rows:
        raise DataError(f"{config.file}: no facts.{' ' + notes[0] if notes else ''}")
    names, phrases = Names(facts.entities), Phrases(facts.relations)
    for path, take in (
        (config.labels, names.label),
        (config.aliases, names.alias),
        (config.relations, phrases.take),
    ):
        if path is not None:
            read_rows(path, take, notes, header=config.header, skip=skip)
    graph = KnowledgeGraph(
        [names.entity(id) for id in facts.entities],
        [phrases.relations.get(id) or Relation(id) for id in facts.relations],
        np.frombuffer(facts.places, np.int32),
    )
    if repeated := num_rows - graph.num_facts:
        notes.append(f"facts that the file repeats: {repeated}")
    return Corpus(graph, notes=(*notes, *checked(graph, config, lambda fact: line_of(fact, config.file))))


SOURCES.add("tsv", tsv, config=TSV, suffixes=(".tsv", ".txt"))
