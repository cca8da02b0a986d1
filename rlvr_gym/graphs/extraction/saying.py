"""What a text says: its sentences, and the facts that each of them states."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass

from rlvr_gym.graphs.corpus import Fact
from rlvr_gym.graphs.extraction.layout import RECORD
from rlvr_gym.graphs.extraction.patterns import Patterns, Reading
from rlvr_gym.graphs.extraction.resolving import Context, Refusal, Resolved, Resolver
from rlvr_gym.graphs.graph import Relation

NO_FACT = "no sentence form"
SEVERAL = "several meanings"
_END = re.compile(r"[.!?](?= |$)")
_MOST_STOPS = 8
"""Full stops that a sentence may hold inside its names, such as in "St. Mary"."""


@dataclass(frozen=True, slots=True)
class Said:
    """A stretch of text with what it states."""

    start: int
    end: int
    facts: tuple[Fact, ...] = ()
    confidence: float = 1.0
    reason: str = ""
    """Why it states nothing; empty where it does."""
    by: tuple[str, ...] = ()
    """How each name was resolved."""


class Listener:
    """Hears facts in sentences.

    Args:
        relations: Descriptions in the order of their places.
        patterns: Their sentences.
        resolver: Finds who is meant by names.
    """

    def __init__(self, relations: tuple[Relation, ...], patterns: Patterns, resolver: Resolver) -> None:
        self.relations, self.patterns, self.resolver = relations, patterns, resolver
        self._relation_place = {relation.id: place for place, relation in enumerate(relations)}
        self._entity_place = {entity.id: place for place, entity in enumerate(resolver.entities)}

    def hear(self, text: str, start: int, end: int, context: Context | None = None) -> Iterator[Said]:
        """Yield what each sentence of one line of ``text`` states, or why it states nothing."""
        line = text[start:end]
        if line.startswith(RECORD):
            yield self._record(line, start, end)
            return
        stops = [match.end() for match in _END.finditer(line)]
        if not stops or line[stops[-1] :].strip():
            stops.append(len(line))
        at = first = 0
        while first < len(stops):
            ends = stops[first : first + _MOST_STOPS]
            said, used = self._first(line, at, ends, start, None)
            if not said.facts and said.reason != NO_FACT and context is not None:
                # Only where the sentence alone is not clear: what lies around it never casts doubt on what it says.
                said, used = self._first(line, at, ends, start, context)
            yield said
            first += used
            at = stops[first - 1] + 1

    def _first(
        self, line: str, at: int, ends: list[int], start: int, context: Context | None
    ) -> tuple[Said, int]:
        """Return the shortest stretch that states something, and at how many stops it ends; else the first stretch."""
        nothing: Said | None = None
        for used, end in enumerate(ends, 1):
            said = self._sentence(line[at:end], start + at, context)
            if said.facts:
                return said, used
            if nothing is None or nothing.reason == NO_FACT:
                nothing = Said(start + at, start + ends[0], reason=said.reason)
        assert nothing is not None
        return nothing, 1

    def _sentence(self, sentence: str, start: int, context: Context | None) -> Said:
        """Return what one sentence states: exactly one meaning must be left when its names are resolved."""
        end = start + len(sentence)
        meanings, reason = self._meanings(self.patterns.readings(sentence), context)
        if len(meanings) != 1:
            return Said(start, end, reason=SEVERAL if meanings else reason)
        ((facts, names),) = meanings.items()
        confidence = min(name.confidence for name in names)
        return Said(start, end, facts, confidence, by=tuple(name.by for name in names))

    def _meanings(
        self, readings: list[Reading], context: Context | None
    ) -> tuple[dict[tuple[Fact, ...], list[Resolved]], str]:
        """Return the facts that readings may state, with their names, and why the last that states none does not."""
        meanings: dict[tuple[Fact, ...], list[Resolved]] = {}
        reason = NO_FACT
        for reading in readings:
            names = self._resolved(reading, context)
            if isinstance(names, str):
                reason = names
            else:
                head, *tails = names
                meanings[tuple((head.place, reading.relation, tail.place) for tail in tails)] = names
        return meanings, reason

    def _resolved(self, reading: Reading, context: Context | None) -> list[Resolved] | str:
        relation = self.relations[reading.relation]
        found = [self.resolver.resolve(reading.head, relation.head_type, context)]
        found += [self.resolver.resolve(tail, relation.tail_type, context) for tail in reading.tails]
        names = [name for name in found if isinstance(name, Resolved)]
        return (
            names
            if len(names) == len(found)
            else next(str(name) for name in found if isinstance(name, Refusal))
        )

    def _record(self, line: str, start: int, end: int) -> Said:
        try:
            ids = json.loads(line[len(RECORD) :])
        except (ValueError, RecursionError):
            ids = None
        if not (isinstance(ids, list) and len(ids) == 3 and all(isinstance(id, str) for id in ids)):
            return Said(start, end, reason="record that is no list of three ids")
        head, relation, tail = ids
        places = (
            self._entity_place.get(head),
            self._relation_place.get(relation),
            self._entity_place.get(tail),
        )
        if None in places:
            return Said(start, end, reason=str(Refusal.UNKNOWN))
        return Said(start, end, (places,), by=("id", "id"))  # type: ignore[arg-type]


def record(head: str, relation: str, tail: str) -> str:
    """Return the line of ids that says a fact."""
    return RECORD + json.dumps([head, relation, tail])
