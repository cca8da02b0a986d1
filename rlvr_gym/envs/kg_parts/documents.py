"""Which documents an open-book question is shown with: those that say its facts, and some that do not."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from rlvr_gym.envs.kg_parts.budget import IMAGE_TOKENS, tokens_of
from rlvr_gym.envs.kg_parts.figures import in_words, laid_out, picture
from rlvr_gym.errors import ConfigError
from rlvr_gym.graphs.corpus import Corpus, Document, Fact
from rlvr_gym.graphs.graph import Entity, KnowledgeGraph
from rlvr_gym.graphs.paths import Path
from rlvr_gym.graphs.wording import clean
from rlvr_gym.types import Image

_MOST_TRIED = 256
"""Documents that are looked at for distractors; where none of them fits the room that is left, few do."""


class NotShownError(ConfigError):
    """A question whose facts cannot be shown.

    Args:
        code: Why, for counting.
        message: The same for people.
    """

    def __init__(self, code: Literal["over_budget", "not_documented"], message: str) -> None:
        super().__init__(message)
        self.code = code


@dataclass(frozen=True, slots=True)
class Shown:
    """Documents as a solver is shown them."""

    ids: tuple[str, ...]
    """Of the documents, in their order."""
    text: str
    images: tuple[Image, ...] = ()


def gold_of(corpus: Corpus, path: Path, budget: int, *, every: bool, images: bool) -> list[Document]:
    """Return the documents that say the facts which an answer rests on.

    Args:
        corpus: Graph and documents.
        path: What is asked.
        budget: Most tokens of all documents.
        every: Whether all answers are asked for, so that every way to one of them must be said.
        images: Whether figures and tables are images.

    Raises:
        NotShownError: nothing says one of the facts, or what says them does not fit the budget.
    """
    book = book_of(corpus)
    chosen = book.gold(needed(corpus.graph, path, every=every), images=images)
    size = sum(book.size(document, images=images) for document in chosen)
    if size > budget:
        raise NotShownError(
            "over_budget",
            f"budget_tokens: {budget} have no room for the {len(chosen)} documents that say the facts of a question, "
            f"which take about {size}.",
        )
    return chosen


def shown_with(
    corpus: Corpus,
    path: Path,
    rng: np.random.Generator,
    budget: int,
    distractors: int,
    *,
    every: bool,
    images: bool,
) -> Shown:
    """Return what `gold_of` finds with as many distractors as there shall be and the budget has room for, shuffled.

    Raises:
        NotShownError: as `gold_of` does.
    """
    book = book_of(corpus)
    chosen = gold_of(corpus, path, budget, every=every, images=images)
    left = budget - sum(book.size(document, images=images) for document in chosen)
    wanted = len(chosen) + distractors
    for place in rng.permutation(len(book.documents))[:_MOST_TRIED]:
        document = book.documents[place]
        if len(chosen) == wanted:
            break
        size = book.size(document, images=images)
        if document not in chosen and size <= left:
            chosen.append(document)
            left -= size
    ordered = [chosen[place] for place in rng.permutation(len(chosen))]
    return book.show(ordered, images=images)


def needed(graph: KnowledgeGraph, path: Path, *, every: bool) -> list[Fact]:
    """Return the facts that an answer rests on: those of the path, or with ``every`` those of every way to an answer."""
    if not every:
        walk = zip(path.nodes, path.steps, path.nodes[1:], strict=False)
        return [_fact(graph, head, step, tail) for head, step, tail in walk]
    layers: list[dict[int, list[int]]] = []
    at = [path.start]
    for step in path.steps:
        ends = {entity: graph.successors(entity, step).tolist() for entity in at}
        layers.append(ends)
        at = sorted({end for found in ends.values() for end in found})
    facts: dict[Fact, None] = {}
    live = set(at)
    for step, ends in zip(reversed(path.steps), reversed(layers), strict=True):
        for entity, found in ends.items():
            facts.update((_fact(graph, entity, step, end), None) for end in found if end in live)
        live = {entity for entity, found in ends.items() if live.intersection(found)}
    return list(facts)


def _fact(graph: KnowledgeGraph, entity: int, step: int, other: int) -> Fact:
    kind = step % graph.num_relations
    return (other, kind, entity) if graph.is_inverse(step) else (entity, kind, other)


class Book:
    """The documents of a corpus, and which of them say each fact."""

    def __init__(self, corpus: Corpus) -> None:
        self.documents = corpus.documents
        self._graph = corpus.graph
        self._sizes: dict[tuple[str, bool], int] = {}
        self._pictures: dict[str, Image | None] = {}
        places = {document.id: place for place, document in enumerate(self.documents)}
        self._saying: dict[Fact, dict[int, None]] = {}
        for evidence in corpus.evidence:
            if evidence.document in places:
                self._saying.setdefault(evidence.fact, {})[places[evidence.document]] = None

    def size(self, document: Document, *, images: bool) -> int:
        """Return about how many tokens a document takes as it is shown."""
        key = (document.id, images)
        if key not in self._sizes:
            text, pictures = self._laid_out(document, images=images)
            self._sizes[key] = tokens_of(_block(document, text)) + IMAGE_TOKENS * len(pictures)
        return self._sizes[key]

    def show(self, documents: Sequence[Document], *, images: bool) -> Shown:
        """Return documents as a solver reads them."""
        blocks: list[str] = []
        pictures: list[Image] = []
        for document in documents:
            text, own = self._laid_out(document, images=images)
            blocks.append(_block(document, text))
            pictures += own
        return Shown(
            tuple(document.id for document in documents), "\n".join(blocks).rstrip(), tuple(pictures)
        )

    def _laid_out(self, document: Document, *, images: bool) -> tuple[str, tuple[Image, ...]]:
        return laid_out(self._graph, document, self._picture if images else None)

    def _picture(self, entity: Entity) -> Image | None:
        # Drawing takes longer than all else, and the same figures come again and again.
        if entity.id not in self._pictures:
            self._pictures[entity.id] = picture(entity)
        return self._pictures[entity.id]

    def gold(self, facts: Sequence[Fact], *, images: bool) -> list[Document]:
        """Return few documents that say all of ``facts``: each time one that says the most of those that are left.

        Raises:
            NotShownError: no document says one of them.
        """
        left = dict.fromkeys(facts)
        chosen: list[Document] = []
        while left:
            counts: dict[int, int] = {}
            for fact in left:
                saying = self._saying.get(fact)
                if saying is None or not self._legible(fact, images=images):
                    head, kind, tail = fact
                    raise NotShownError(
                        "not_documented",
                        f"mode 'open': no document says that '{self._graph.relations[kind].id}' leads from "
                        f"'{self._graph.entities[head].id}' to '{self._graph.entities[tail].id}'.",
                    )
                for place in saying:
                    counts[place] = counts.get(place, 0) + 1
            best = max(counts, key=lambda place: (counts[place], -place))
            chosen.append(self.documents[best])
            left = {fact: None for fact in left if best not in self._saying[fact]}
        return chosen

    def _legible(self, fact: Fact, *, images: bool) -> bool:
        """Return whether a fact can be read; one that a picture shows may stand nowhere in words."""
        figure = self._graph.entities[fact[0]]
        if figure.modality != "image" or in_words(figure):
            return True
        return images and self._picture(figure) is not None


@functools.lru_cache(maxsize=4)
def book_of(corpus: Corpus) -> Book:
    """Return the documents of a corpus; rendered from its graph where it came without any."""
    from rlvr_gym.graphs.documents import documented

    return Book(documented(corpus))


def _block(document: Document, text: str) -> str:
    """Return a document as it stands among others, the empty line behind it included."""
    return f"Document: {clean(document.title)}\n{text}\n"
