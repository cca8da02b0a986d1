"""Passages: a few facts of a graph without the rest, and answers read off them by matching words. A control.

Whoever writes questions from a text alone labels them with what the text says beside the right words. Hop after hop
that is the fact about the entity reached so far where the passage has it, else any other fact of the same relation: a
wrong label, which nothing in the passage tells from a right one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from rlvr_gym.graphs.expression import plain, readable, tokens
from rlvr_gym.graphs.graph import KnowledgeGraph
from rlvr_gym.graphs.wording import Wording, entity_width, spell, spell_step, step_width

Passage = tuple[tuple[int, int, int], ...]
"""Facts as entity, step and entity, in the order in which they are shown."""
COHESION: Final = 0.5
"""[R] Chance that the next fact is about an entity of the passage: texts stay with what they speak of."""
_PATIENCE: Final = 50
_MOST_STEPS: Final = 16


def draw_passage(
    graph: KnowledgeGraph, first: tuple[int, int, int], size: int, rng: np.random.Generator
) -> Passage:
    """Return ``size`` different facts in random order, ``first`` among them; fewer where the graph has no more."""
    found = {first: None}
    misses = 0
    while len(found) < size and misses < _PATIENCE:
        met = sorted({end for head, _, tail in found for end in (head, tail)})
        fact = _fact_of(graph, int(rng.choice(met)), rng) if rng.random() < COHESION else None
        if fact is None:
            place = int(rng.integers(graph.num_facts))
            fact = (int(graph.heads[place]), int(graph.kinds[place]), int(graph.tails[place]))
        misses = misses + 1 if fact in found else 0
        found.setdefault(fact)
    facts = list(found)
    return tuple(facts[i] for i in rng.permutation(len(facts)))


def _fact_of(graph: KnowledgeGraph, entity: int, rng: np.random.Generator) -> tuple[int, int, int] | None:
    steps = list(graph.steps.from_entity(entity, inverse=False))
    if not steps:
        return None
    step, ends = steps[int(rng.integers(len(steps)))]
    return entity, step, int(ends[int(rng.integers(len(ends)))])


def show_passage(graph: KnowledgeGraph, passage: Passage, wording: Wording) -> str:
    """Return the passage as a proposer sees it: ``aBc|dEf``, or a sentence for each fact."""
    facts = [
        (spell(graph, head, wording), spell_step(graph, step, wording), spell(graph, tail, wording))
        for head, step, tail in passage
    ]
    if wording == "codes":
        return "|".join("".join(fact) for fact in facts)
    links = ("" if graph.is_inverse(step) else "of " for _, step, _ in passage)
    return "\n".join(
        f"The {step} {link}{head} is {tail}." for (head, step, tail), link in zip(facts, links, strict=True)
    )


def follow(passage: Passage, start: int, steps: Sequence[int]) -> tuple[int, ...] | None:
    """Return the entities that reading a question off the passage goes through; the last is its label.

    Each hop takes the fact of its relation about the entity reached so far; where the passage has none, the first fact
    of that relation. None where it has no fact of a relation at all.

    Example:
        >>> follow(((0, 0, 1), (2, 1, 3), (1, 1, 4)), 0, (0, 1)), follow(((0, 0, 1), (2, 1, 3)), 0, (0, 1))
        ((0, 1, 4), (0, 1, 3))
    """
    nodes = [start]
    for step in steps:
        same = [fact for fact in passage if fact[1] == step]
        if not same:
            return None
        nodes.append(next((tail for head, _, tail in same if head == nodes[-1]), same[0][2]))
    return tuple(nodes)


def asked_of(
    graph: KnowledgeGraph, passage: Passage, text: str, wording: Wording
) -> tuple[int, tuple[int, ...]] | None:
    """Return the entity and the steps that a question about a passage names, None where it names none of either."""
    start, steps = _codes(graph, text) if wording == "codes" else _words(graph, passage, text)
    met = {end for head, _, tail in passage for end in (head, tail)}
    return (start, steps) if start in met and 0 < len(steps) <= _MOST_STEPS else None


def _codes(graph: KnowledgeGraph, text: str) -> tuple[int, tuple[int, ...]]:
    """Return what a code names, -1 for what is none."""
    text, width, long = text.strip(), entity_width(graph), step_width(graph)
    if len(text) > width + _MOST_STEPS * long:
        return -1, ()
    start = _number(text[:width], graph.num_entities, lower=True)
    steps = [
        _number(text[at : at + long], 2 * graph.num_relations, lower=False)
        for at in range(width, len(text), long)
    ]
    return (start, tuple(steps)) if min([start, *steps]) >= 0 and not (len(text) - width) % long else (-1, ())


def _number(code: str, limit: int, *, lower: bool) -> int:
    if not (code.isascii() and code.isalpha() and (code.islower() if lower else code.isupper())):
        return -1
    number = 0
    for letter in code.lower():
        number = 26 * number + ord(letter) - ord("a")
    return number if number < limit else -1


def _words(graph: KnowledgeGraph, passage: Passage, text: str) -> tuple[int, tuple[int, ...]]:
    """Return the first entity of a sentence with its relations: those before it from the last to the first, then the rest."""
    if not readable(text):
        return -1, ()
    known: dict[tuple[str, ...], tuple[str, int]] = {}
    for head, step, tail in passage:
        known.setdefault(tokens(plain(spell_step(graph, step, "text"))), ("step", step))
        for entity in (head, tail):
            known.setdefault(tokens(plain(spell(graph, entity, "text"))), ("entity", entity))
    known.pop((), None)
    words, longest = tokens(plain(text)), max(map(len, known), default=0)
    start, before, behind, at = -1, list[int](), list[int](), 0
    while at < len(words):
        size = next((n for n in range(longest, 0, -1) if words[at : at + n] in known), 0)
        if size:
            kind, place = known[words[at : at + size]]
            if kind == "step":
                (before if start < 0 else behind).append(place)
            elif start < 0:
                start = place
        at += size or 1
    return start, (*reversed(before), *behind)
