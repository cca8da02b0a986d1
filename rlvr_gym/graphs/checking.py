"""What every graph that was read from somewhere is checked for, and what its reader should know about it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Literal

import numpy as np

from rlvr_gym.config import Config
from rlvr_gym.errors import ConfigError, DataError
from rlvr_gym.graphs.graph import KnowledgeGraph
from rlvr_gym.graphs.reading import near, shown

Where = Callable[[tuple[str, str, str]], str]
"""Where a fact of three ids was read."""


class Checks(Config):
    """Settings of what a graph from a file must be."""

    acyclic: tuple[str, ...] = ()
    """Ids of relations that are hierarchies, such as ``part of``: a cycle along one of them is refused."""
    self_loops: Literal["keep", "refuse"] = "keep"
    """What to do with facts whose head is also their tail; no question is about a path over one."""


def checked(graph: KnowledgeGraph, config: Checks, where: Where) -> tuple[str, ...]:
    """Return the notes on a graph that was read.

    Raises:
        ConfigError: a relation that is declared acyclic and does not exist.
        DataError: a cycle along such a relation, or a self loop that is to be refused.
    """
    for id in config.acyclic:
        _refuse_cycle(graph, id, where)
    loops = np.flatnonzero(graph.heads == graph.tails)
    if len(loops) and config.self_loops == "refuse":
        fact = _ids(graph, int(loops[0]))
        raise DataError(f"{where(fact)}: {shown(fact[0])} is head and tail of '{fact[1]}'.")
    notes = []
    if len(loops):
        notes.append(f"facts whose head is also their tail: {len(loops)}")
    if note := _shared(graph):
        notes.append(note)
    return tuple(notes)


def cycle(graph: KnowledgeGraph, relation: int) -> list[int]:
    """Return entities each of which ``relation`` leads to the next, the last to the first; empty when there are none."""
    facts = graph.kinds == relation
    heads, tails = graph.heads[facts].tolist(), graph.tails[facts].tolist()
    follows: dict[int, list[int]] = {}
    waits = Counter(tails)
    for head, tail in zip(heads, tails, strict=True):
        follows.setdefault(head, []).append(tail)
    ready = [head for head in follows if not waits[head]]
    while ready:
        for tail in follows.pop(ready.pop(), ()):
            waits[tail] -= 1
            if not waits[tail]:
                ready.append(tail)
    # Whatever still waits is waited for by something that waits: walking back must come round.
    before = {tail: head for head in sorted(follows, reverse=True) for tail in follows[head]}
    if not follows:
        return []
    walked: dict[int, int] = {}
    at = min(place for place in follows if waits[place])
    while at not in walked:
        walked[at] = len(walked)
        at = before[at]
    return list(walked)[walked[at] :][::-1]


def _refuse_cycle(graph: KnowledgeGraph, id: str, where: Where) -> None:
    ids = [relation.id for relation in graph.relations]
    if id not in ids:
        raise ConfigError(f"graph.acyclic: no relation has the id {shown(id)}.{near(id, ids)}")
    if found := cycle(graph, ids.index(id)):
        names = [graph.entities[place].id for place in found]
        fact = (names[-1], id, names[0])
        round_trip = " -> ".join(_cut([*names, names[0]]))
        raise DataError(f"{where(fact)}: a cycle along '{id}', which is declared acyclic: {round_trip}.")


def _cut(names: Sequence[str]) -> list[str]:
    """Return a few of many names for a message."""
    quoted = [shown(name) for name in names]
    return quoted if len(quoted) <= 8 else [*quoted[:4], f"({len(quoted) - 7} more)", *quoted[-3:]]


def _ids(graph: KnowledgeGraph, fact: int) -> tuple[str, str, str]:
    return (
        graph.entities[graph.heads[fact]].id,
        graph.relations[graph.kinds[fact]].id,
        graph.entities[graph.tails[fact]].id,
    )


def _shared(graph: KnowledgeGraph) -> str:
    """Return the note on labels that several entities have: it is allowed, and such a name alone answers nothing."""
    counts = Counter(entity.name for entity in graph.entities)
    shared = {name: number for name, number in counts.items() if number > 1}
    if not shared:
        return ""
    name = max(sorted(shared), key=lambda name: shared[name])
    return (
        f"labels that several entities share, ambiguous as names: {len(shared)}, "
        f"{shown(name)} being that of {shared[name]}"
    )
