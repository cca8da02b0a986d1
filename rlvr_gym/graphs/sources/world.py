"""A synthetic world: invented people, places and works with exact facts, quantities, tables and charts."""

from __future__ import annotations

import numpy as np
from pydantic import Field

from rlvr_gym.config import Config
from rlvr_gym.graphs.corpus import Corpus
from rlvr_gym.graphs.graph import KnowledgeGraph
from rlvr_gym.graphs.sources.base import SOURCES
from rlvr_gym.graphs.worlds.draw import draw
from rlvr_gym.graphs.worlds.laws import LAWS
from rlvr_gym.graphs.worlds.measures import Measures
from rlvr_gym.seeding import generator


class World(Config):
    """Settings of the synthetic world."""

    entities: int = Field(default=200, ge=30, le=1_000_000)
    """About how many named things there are: people, cities and so on; quantities, tables and charts come on top."""
    seed: int = 0
    """The same settings give the same world."""
    hubs: float = Field(default=0.5, ge=0.0, le=3.0)
    """How much more often some things are the tail of a fact than others: exponent of a power law, 0 for none."""
    aliases: float = Field(default=0.4, ge=0.0, le=1.0)
    """Share of the named things that have another name."""
    shared: float = Field(default=0.1, ge=0.0, le=1.0)
    """Share of those whose other name another one has too, so that it is ambiguous."""


def world(config: World) -> Corpus:
    """Invented people, places, firms and works: 29 relations, other names, quantities, tables and charts."""
    drawn = draw(config.seed, config.entities, config.hubs, config.aliases, config.shared)
    of, rng = drawn.things.of, generator(config.seed, "world", "measures")
    measures = Measures(list(drawn.things.entities))
    for relation, kind, heads, least, most in (
        ("area", "area", of["country"], 2_000, 900_000),
        ("height", "height", of["mountain"], 1_100, 6_900),
        ("length", "length", of["river"], 90, 3_900),
        ("founding_year", "year", of["company"], 1700, 2000),
        ("population", "population", of["city"], 5_000, 4_000_000),
    ):
        # Large and small ones are equally likely, as they are among real countries and rivers.
        sizes = np.exp(rng.uniform(np.log(least), np.log(most), len(heads))).astype(np.int64)
        measures.measure(relation, kind, heads, sizes)
    homes = drawn.facts["located_in"]
    measures.tabulate(of["country"], homes[:, 0], homes[:, 1])
    measures.chart(of["company"], rng.integers(20, 1000, size=(len(of["company"]), 4)))
    rows = []
    for place, law in enumerate(LAWS):
        pairs = np.asarray(drawn.facts.get(law.relation.id, measures.facts.get(law.relation.id)), np.int64)
        rows.append(np.insert(pairs, 1, place, axis=1))
    return Corpus(KnowledgeGraph(measures.entities, [law.relation for law in LAWS], np.concatenate(rows)))


SOURCES.add("world", world, config=World)
