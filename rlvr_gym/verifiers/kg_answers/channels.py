"""What a response is worth beside its answer: separate verdicts that are never part of the score."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Iterator, Sequence
from typing import Final

from rlvr_gym.graphs.aliases import AliasIndex, normal
from rlvr_gym.graphs.graph import Entity, KnowledgeGraph
from rlvr_gym.graphs.paths import step_of
from rlvr_gym.graphs.sources.base import open_corpus
from rlvr_gym.types import Status, Verdict
from rlvr_gym.verifiers.kg_answers.items import Item
from rlvr_gym.verifiers.kg_answers.reference import Answer, Reference

_SPARE_ITEMS: Final = 3
"""Items beyond the number of answers from which on a list is worth nothing."""
_REASONING: Final = 65_536
"""Characters of the reasoning, from its end, in which entities are looked for."""
_STATED: Final = 2
"""Entities stated per entity of the path, start and answer included, from which on the reasoning is a list of guesses."""
_WORDS: Final = 25
"""Words per entity of the path from which on it is one, where the graph is not at hand to count entities."""


def channels(reference: Reference, items: Sequence[Item] | None, before: str) -> tuple[Verdict, ...]:
    """Return the verdicts of the channels that the reference has.

    Args:
        reference: What is asked.
        items: The items of the answer; None where none could be read.
        before: The reasoning: the text before the answer, or the codes.
    """
    parts = [_f1(reference, items)]
    graph = None if reference.graph is None else open_corpus(reference.graph, where="reference.graph").graph
    if reference.path is not None:
        parts.append(_path(reference.path, items, before, graph, reference.width))
    if graph is not None:
        parts.append(_consistency(reference, items, before, graph))
    return tuple(parts)


def _share(name: str, share: float, reason: str) -> Verdict:
    status = Status.PASSED if share == 1.0 else Status.FAILED
    return Verdict(status, share, reason, verifier=name)


def _f1(reference: Reference, items: Sequence[Item] | None) -> Verdict:
    if items is None:
        return Verdict.of(Status.MALFORMED, "no answer", verifier="kg_f1")
    wanted = len(reference.answers)
    if len(items) > wanted + _SPARE_ITEMS:
        return _share("kg_f1", 0.0, f"a list of {len(items)} for {wanted}")
    found = len(frozenset[int]().union(*(item.readings for item in items)))
    # A name that several right answers share counts as one item that found them all.
    right = sum(bool(item.readings) for item in items)
    given = len(items) - right + max(right, found)
    return _share("kg_f1", 2 * found / (wanted + given), f"{found} of {wanted} answers in {len(items)} items")


def _path(
    path: Sequence[Answer],
    items: Sequence[Item] | None,
    before: str,
    graph: KnowledgeGraph | None,
    width: int,
) -> Verdict:
    if not path:
        return Verdict.of(Status.UNSUPPORTED, "nothing lies between start and answer", verifier="kg_path")
    if items is None:
        return Verdict.of(Status.MALFORMED, "no answer", verifier="kg_path")
    if width:
        codes = [before[at : at + width] for at in range(0, len(before), width)]
        if not codes:
            return Verdict.of(
                Status.UNSUPPORTED, "the codes in between are not asked for", verifier="kg_path"
            )
        right = sum(code == entity.code for code, entity in zip(codes, path, strict=False))
        return _share("kg_path", right / len(path), f"{right} of {len(path)} codes on the way")
    before = before[-_REASONING:]
    if graph is None:
        if len(before.split()) > _WORDS * (len(path) + 2):
            return _share("kg_path", 0.0, "more words than a path needs")
        stated = list(_named(path, before))
    else:
        places = [entity for entity in _stated(graph, before) if entity is not None]
        if len(set(places)) > _STATED * (len(path) + 2):
            return _share("kg_path", 0.0, f"a list of {len(set(places))} entities")
        order = {entity.id: at for at, entity in enumerate(path)}
        stated = [order[id] for place in places if (id := graph.entities[place].id) in order]
    first = list(dict.fromkeys(stated))
    right = _longest_rise(first)
    return _share("kg_path", right / len(path), f"{right} of {len(path)} entities on the way, in order")


def _named(path: Sequence[Answer], text: str) -> Iterator[int]:
    """Yield the places on the path of the entities that a text names, in the order of the text."""
    entities = [
        # An entity without a clear name cannot be named: its id here is no text.
        Entity(next(iter(sorted(entity.forms)), f"\x00{at}"), "", "", tuple(sorted(entity.forms)))
        for at, entity in enumerate(path)
    ]
    for mention in AliasIndex(entities).mentions(text):
        if len(mention.readings) == 1:
            yield mention.readings[0]


def _stated(graph: KnowledgeGraph, text: str) -> Iterator[int | None]:
    """Yield the entities that a text names, in order; None for a name that may stand for several."""
    for mention in graph.aliases.mentions(text):
        yield mention.readings[0] if len(mention.readings) == 1 else None


def _longest_rise(places: Sequence[int]) -> int:
    """Return how many of ``places`` can be kept so that they rise."""
    best: list[int] = []
    for at, place in enumerate(places):
        best.append(1 + max((best[k] for k in range(at) if places[k] < place), default=0))
    return max(best, default=0)


def _consistency(
    reference: Reference, items: Sequence[Item] | None, before: str, graph: KnowledgeGraph
) -> Verdict:
    """Return the share of the links from one stated entity to the next that are facts of the graph [R].

    The last link leads to the answer. Where the reference gives the question's steps, the first link must be the first
    step, and so on, and a chain that is too short or too long loses the links that are missing or too many.
    """
    if not items:
        return Verdict.of(Status.MALFORMED, "no answer", verifier="kg_consistency")
    steps = [step_of(graph, id) for id in reference.steps]
    chain = _chain(reference, before, graph)
    ends = [_given(reference, item, graph) for item in items]
    # "The capital of England is London. Answer: London" states the answer before it is given.
    while chain and not reference.width and len(chain) > 1 and chain[-1] in ends:
        chain.pop()
    if chain is None or len(chain) > _MOST_LINKS:
        return _share("kg_consistency", 0.0, "too many entities, or codes of none")
    links = list(itertools.pairwise(chain))
    right = sum(
        _holds(graph, one, other, steps[at : at + 1] if steps else None)
        for at, (one, other) in enumerate(links)
    )
    last = steps[len(links) : len(links) + 1] if steps else None
    right += bool(chain) and all(end is not None and _holds(graph, chain[-1], end, last) for end in ends)
    total = max(len(links) + 1, len(steps))
    return _share("kg_consistency", right / total, f"{right} of {total} links are facts")


_MOST_LINKS: Final = 64


def _chain(reference: Reference, before: str, graph: KnowledgeGraph) -> list[int] | None:
    """Return the start and the entities stated on the way, each once in a row; None for codes of none."""
    if reference.width:
        codes = [before[at : at + reference.width] for at in range(0, len(before), reference.width)]
        stated: list[int] = []
        for code in codes:
            place = functools.reduce(lambda value, letter: 26 * value + ord(letter) - ord("a"), code, 0)
            if place >= graph.num_entities:
                return None
            stated.append(place)
    else:
        stated = [place for place in _stated(graph, before[-_REASONING:]) if place is not None]
    if reference.start:
        stated.insert(0, graph.place(reference.start))
    return [place for place, _ in itertools.groupby(stated)]


def _given(reference: Reference, item: Item, graph: KnowledgeGraph) -> int | None:
    if item.readings:
        return graph.place(reference.answers[min(item.readings)].id)
    readings = graph.aliases.readings(normal(item.text))
    return readings[0] if len(readings) == 1 else None


def _holds(graph: KnowledgeGraph, one: int, other: int, steps: Sequence[int] | None) -> bool:
    """Return whether one of ``steps`` leads from one entity to the other; None stands for all steps."""
    if steps is None:
        return any(other in ends for _, ends in graph.steps.from_entity(one))
    return any(graph.holds(one, step, other) for step in steps)
