"""A world without ambiguity: every relation is a permutation, so each step from each entity leads to exactly one."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from pydantic import Field

from rlvr_gym.config import Config
from rlvr_gym.graphs.corpus import Corpus
from rlvr_gym.graphs.graph import Entity, KnowledgeGraph, Relation
from rlvr_gym.graphs.sources.base import SOURCES
from rlvr_gym.seeding import generator


class Permutations(Config):
    """Settings of a world of permutations."""

    entities: int = Field(default=24, ge=2)
    """How many entities."""
    relations: int = Field(default=4, ge=1)
    """How many relations, each a permutation of all entities that moves every one of them."""
    seed: int = 0
    """The same seed gives the same world."""


def permutations(config: Permutations) -> Corpus:
    """Every relation maps all entities one to one, none to itself: walks always go on, and always to one place."""
    n = config.entities
    moves = [_moving_all(n, generator(config.seed, "permutation", kind)) for kind in range(config.relations)]
    facts = np.concatenate(
        [np.stack([np.arange(n), np.full(n, kind), move], axis=1) for kind, move in enumerate(moves)]
    )
    width = max(2, len(str(n - 1)))
    entities = [Entity(f"e{place:0{width}d}", f"e{place:0{width}d}") for place in range(n)]
    return Corpus(KnowledgeGraph(entities, [Relation(f"r{kind}") for kind in range(config.relations)], facts))


def _moving_all(n: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """Return a permutation without fixed point, each equally likely: about every third permutation is one."""
    while True:
        move = rng.permutation(n)
        if not (move == np.arange(n)).any():
            return move


SOURCES.add("permutations", permutations, config=Permutations)
