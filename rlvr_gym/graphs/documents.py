"""Documents that say what a graph holds, with the place where each fact is said."""

from __future__ import annotations

import weakref
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from pydantic import Field

from rlvr_gym.config import Config
from rlvr_gym.graphs.corpus import Corpus, Document, Evidence, Fact
from rlvr_gym.graphs.extraction.figures import chart_facts, rows_of, table_facts
from rlvr_gym.graphs.extraction.layout import (
    KIND,
    MARKS,
    OTHER_NAMES,
    RECORD,
    SECTION,
    SEE_ALSO,
    SEPARATOR,
    TITLE,
    row_text,
)
from rlvr_gym.graphs.extraction.patterns import Pattern, Patterns
from rlvr_gym.graphs.extraction.resolving import Resolved, Resolver
from rlvr_gym.graphs.extraction.saying import Listener, record
from rlvr_gym.graphs.graph import Entity, KnowledgeGraph
from rlvr_gym.seeding import generator

_LIST = 6
"""Tails that one sentence lists at most."""


class Rendering(Config):
    """Settings of the documents of a graph."""

    seed: int = 0
    """Chooses among the sentences and names that say the same."""
    aliases: float = Field(default=0.15, ge=0.0, le=1.0)
    """Share of names that are said by an alias, where that is clear."""
    see_also: int = Field(default=5, ge=0)
    """How many other documents one refers to."""


def documents_of(corpus: Corpus) -> tuple[Document, ...]:
    """Return the documents of a corpus: its own, or else one for each of its entities, rendered from the facts."""
    return documented(corpus).documents


def documented(corpus: Corpus) -> Corpus:
    """Return the corpus with documents and evidence: as it is, or rendered where it has none."""
    if corpus.documents:
        return corpus
    if corpus.graph not in _RENDERED:
        _RENDERED[corpus.graph] = render(corpus.graph, Rendering())
    documents, evidence = _RENDERED[corpus.graph]
    return Corpus(corpus.graph, documents, evidence, corpus.notes)


_RENDERED: weakref.WeakKeyDictionary[KnowledgeGraph, tuple[tuple[Document, ...], tuple[Evidence, ...]]] = (
    weakref.WeakKeyDictionary()
)


def document_id(entity: Entity) -> str:
    """Return the id of the document about an entity."""
    return f"doc-{entity.id}"


def render(graph: KnowledgeGraph, config: Rendering) -> tuple[tuple[Document, ...], tuple[Evidence, ...]]:
    """Return one document for each entity, and where each fact is said: every fact once, in the document of its head.

    Facts that a table or a chart states stand there and in no sentence. Whatever names a graph has, each sentence is
    read back before it is used; where none is clear, a line of ids says the fact.
    """
    return Renderer(graph, config).render()


@dataclass(slots=True)
class _Page:
    """A document in the making."""

    id: str
    pieces: list[str] = field(default_factory=list)
    length: int = 0
    """Characters of all pieces."""
    evidence: list[Evidence] = field(default_factory=list)
    figures: list[str] = field(default_factory=list)

    def add(self, text: str, *facts: Fact) -> None:
        """Add text that says ``facts``."""
        start = self.length
        self.pieces.append(text)
        self.length += len(text)
        self.evidence += [Evidence(fact, self.id, start, self.length) for fact in facts]


class Renderer:
    """Renders the documents of one graph."""

    def __init__(self, graph: KnowledgeGraph, config: Rendering) -> None:
        self._graph, self._config = graph, config
        self._patterns, self._resolver = Patterns(graph.relations), Resolver(graph.entities)
        self._listener = Listener(graph.relations, self._patterns, self._resolver)
        self._names: dict[tuple[int, str], tuple[str, ...]] = {}
        self._shown: dict[int, list[tuple[int, Fact]]] = {}
        self._facts: dict[int, list[Fact]] = {}
        self._figures: dict[int, list[int]] = {}
        self._share_out()
        self._titles = {place: self._title(place) for place in self._own}

    def _share_out(self) -> None:
        """Decide which things have a document, and what each document shows and says."""
        entities = self._graph.entities
        about = {
            document_id(entity): place for place, entity in enumerate(entities) if entity.modality == "text"
        }
        homes = {place: about.get(entity.document, place) for place, entity in enumerate(entities)}
        left = {(head, kind, tail) for head, kind, tail in self._graph.facts().tolist()}
        for place, entity in enumerate(entities):
            if entity.modality in ("table", "image"):
                self._shown[place] = [each for each in self._shows(place) if each[1] in left]
                left -= {fact for _, fact in self._shown[place]}
                self._figures.setdefault(homes[place], []).append(place)
        for fact in sorted(left):
            home = fact[0] if entities[fact[0]].modality == "text" else homes[fact[0]]
            self._facts.setdefault(home, []).append(fact)
        self._own = sorted({*about.values(), *self._figures, *self._facts})

    def render(self) -> tuple[tuple[Document, ...], tuple[Evidence, ...]]:
        """Return the documents and the evidence."""
        documents, evidence = [], []
        for place in self._own:
            page = self._page(place)
            documents.append(
                Document(page.id, self._titles[place], "".join(page.pieces), tuple(page.figures))
            )
            evidence += page.evidence
        return tuple(documents), tuple(evidence)

    def _page(self, place: int) -> _Page:
        entity, page = self._graph.entities[place], _Page(document_id(self._graph.entities[place]))
        rng = generator(self._config.seed, "document", entity.id)
        page.add(f"{TITLE}{self._titles[place]}\n")
        if kind := _clean(entity.type):
            page.add(f"{KIND}{kind}\n")
        if others := [name for name in map(_clean, entity.aliases) if name and SEPARATOR not in name]:
            page.add(f"{OTHER_NAMES}{SEPARATOR.join(others)}\n")
        facts = self._facts.get(place, ())
        parts: dict[str, list[Fact]] = {"Facts": [], "Numbers": []}
        for fact in facts:
            measured = self._graph.entities[fact[2]].modality == "quantity"
            parts["Numbers" if measured else "Facts"].append(fact)
        for heading, part in parts.items():
            if part:
                page.add(f"\n{SECTION}{heading}\n")
                self._say(page, part, rng)
                page.add("\n")
        if place in self._figures:
            page.add(f"\n{SECTION}Figures and tables\n")
            for figure in self._figures[place]:
                self._show(page, figure)
        if others := self._related(place):
            page.add(f"\n{SECTION}References\n{SEE_ALSO}{SEPARATOR.join(others)}\n")
        return page

    def _say(self, page: _Page, facts: Sequence[Fact], rng: np.random.Generator) -> None:
        """Say facts in one paragraph, those of one head and relation together."""
        groups: dict[tuple[int, int], list[Fact]] = {}
        for fact in facts:
            groups.setdefault(fact[:2], []).append(fact)
        said: list[tuple[str, list[Fact]]] = []
        for group in groups.values():
            # Lists of about one length: a single tail left over would seem to be the only one.
            lists = -(-len(group) // _LIST)
            for number in range(lists):
                part = group[number * len(group) // lists : (number + 1) * len(group) // lists]
                said += self._sentences(part, rng)
        for count, (sentence, its) in enumerate(said):
            line = sentence.startswith(RECORD)
            if count:
                page.add("\n" if line or said[count - 1][0].startswith(RECORD) else " ")
            page.add(sentence, *its)

    def _sentences(self, facts: list[Fact], rng: np.random.Generator) -> list[tuple[str, list[Fact]]]:
        """Return sentences that say facts of one head and relation, in one where that is clear."""
        _, kind, _ = facts[0]
        patterns = [pattern for pattern in self._patterns.of[kind] if pattern.many == (len(facts) > 1)]
        for at in rng.permutation(len(patterns)).tolist():
            for aliases in (self._config.aliases, 0.0):
                sentence = self._sentence(patterns[at], facts, aliases, rng)
                if sentence and self._clear(sentence, facts):
                    return [(sentence, facts)]
        if len(facts) > 1:
            return [each for fact in facts for each in self._sentences([fact], rng)]
        head, _, tail = (self._graph.entities[facts[0][0]].id, kind, self._graph.entities[facts[0][2]].id)
        return [(record(head, self._graph.relations[kind].id, tail), facts)]

    def _sentence(
        self, pattern: Pattern, facts: Sequence[Fact], aliases: float, rng: np.random.Generator
    ) -> str:
        relation = self._graph.relations[facts[0][1]]
        head = self._name(facts[0][0], relation.head_type, aliases, rng)
        tails = [self._name(tail, relation.tail_type, aliases, rng) for _, _, tail in facts]
        return pattern.say(head, tails) if head and all(tails) else ""

    def _name(self, place: int, type: str, aliases: float, rng: np.random.Generator) -> str:
        """Return a name that means this entity where a class is asked for; empty where it has none."""
        names = self._names.get((place, type))
        if names is None:
            entity = self._graph.entities[place]
            forms = [_clean(form) for form in (entity.name, *entity.aliases)]
            names = tuple(form for form in forms if form and self._means(form, type, place))
            if not names or names[0] != forms[0]:
                full = f"{forms[0]} ({entity.id})"
                names = (full, *names) if self._means(full, type, place) else names
            self._names[place, type] = names
        if len(names) > 1 and rng.random() < aliases:
            return names[1 + int(rng.integers(len(names) - 1))]
        return names[0] if names else ""

    def _means(self, name: str, type: str, place: int) -> bool:
        found = self._resolver.resolve(name, type)
        return isinstance(found, Resolved) and found.place == place

    def _clear(self, sentence: str, facts: Sequence[Fact]) -> bool:
        """Return whether a reader takes the sentence for these facts and for nothing else."""
        if "\n" in sentence or sentence.startswith(MARKS):
            return False
        heard = list(self._listener.hear(sentence, 0, len(sentence)))
        return len(heard) == 1 and set(heard[0].facts) == set(facts)

    def _shows(self, place: int) -> list[tuple[int, Fact]]:
        """Return the facts that a table or chart states, each with its row; 0 for a chart."""
        entity = self._graph.entities[place]
        if entity.modality == "image":
            found = chart_facts(place, entity, self._graph.relations, self._resolver)
            return [(0, fact) for fact in found if not isinstance(fact, str)]
        cells = table_facts(rows_of(entity), self._graph.relations, self._patterns, self._resolver)
        return [cell[:2] for cell in cells if not isinstance(cell, str)]

    def _show(self, page: _Page, place: int) -> None:
        """Add the caption of a table or chart, and the rows of a table; a chart is a picture, which text leaves out."""
        entity = self._graph.entities[place]
        page.figures.append(entity.id)
        told = self._shown[place]
        title = _clean(str(entity.attributes.get("title", "")))
        caption = f"[{_clean(entity.name)}: {title}]"
        page.add(caption, *(fact for _, fact in told if entity.modality == "image"))
        page.add("\n")
        if entity.modality == "table":
            for number, row in enumerate(rows_of(entity)):
                page.add(row_text(row), *(fact for at, fact in told if at == number))
                page.add("\n")

    def _related(self, place: int) -> list[str]:
        """Return the titles of documents to see also: those of its tails, then those of its heads."""
        titles: dict[str, None] = {}
        for _, ends in self._graph.steps.from_entity(place):
            for end in ends[: self._config.see_also].tolist():
                if len(titles) >= self._config.see_also:
                    return list(titles)
                title = self._titles.get(end, "")
                if end != place and title and SEPARATOR not in title:
                    titles[title] = None
        return list(titles)

    def _title(self, place: int) -> str:
        entity = self._graph.entities[place]
        name, id = _clean(entity.name), _clean(entity.id)
        # Titles are what other documents refer to, so namesakes and things without a name need their ids.
        return next(
            (form for form in (name, f"{name} ({id})") if form and self._means(form, entity.type, place)), id
        )


def _clean(name: str) -> str:
    return " ".join(name.split())
