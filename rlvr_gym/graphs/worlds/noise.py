"""Noise for documents: sentences that state nothing, names that nobody has, and slips of the pen."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from pydantic import Field

from rlvr_gym.config import Config
from rlvr_gym.graphs.corpus import Document
from rlvr_gym.graphs.extraction.patterns import Patterns
from rlvr_gym.graphs.extraction.structural import outline
from rlvr_gym.graphs.graph import KnowledgeGraph
from rlvr_gym.graphs.worlds.names import Names

_WORD = re.compile(r"[^\W\d_]+")
_DOUBTS = (
    "It is not true that {}.",
    "Some claim that {}, but nobody has ever shown it.",
    "Until last year people believed that {}; they were wrong.",
    "Is it true that {}?",
    "If it had been up to the council, one might say that {}.",
    '"{}", the old song goes.',
)
_DENIALS = (
    "{tail} is not the {words} of {head}.",
    "The {words} of {head} is not {tail}.",
    "The {words} of {head} is {tail}, or so they say.",
    "{tail} would like to be the {words} of {head}.",
    "{head} and {tail} have nothing to do with each other.",
)


class Noise(Config):
    """Settings of the noise; each share is per line of sentences or per word."""

    distractors: float = Field(default=0.5, ge=0.0)
    """Sentences put in that name two things and state nothing about them, per line."""
    unknown: float = Field(default=0.3, ge=0.0)
    """Sentences put in that state something of a name that nobody has, per line."""
    namesakes: float = Field(default=0.1, ge=0.0)
    """True sentences put in that name one of their two things by a name that it shares with another, per line."""
    misspellings: float = Field(default=0.05, ge=0.0, le=1.0)
    """Share of words with a wrong, missing, doubled or swapped letter; digits stay, which nothing could tell."""


def noisy(
    documents: Sequence[Document], graph: KnowledgeGraph, config: Noise, rng: np.random.Generator
) -> tuple[Document, ...]:
    """Return the documents with noise in their sentences, none of which states anything that the graph does not hold."""
    maker = _Maker(graph, rng)
    made = []
    for document in documents:
        text, at = [], 0
        for start, end in outline(document).lines:
            line = document.text[start:end]
            added = [
                *(maker.distractor() for _ in range(rng.poisson(config.distractors))),
                *(maker.unknown() for _ in range(rng.poisson(config.unknown))),
                *(maker.namesake() for _ in range(rng.poisson(config.namesakes))),
            ]
            pieces = [maker.misspelt(line, config.misspellings)]
            for sentence in filter(None, added):
                pieces.insert(int(rng.integers(len(pieces) + 1)), sentence)
            text += [document.text[at:start], " ".join(pieces)]
            at = end
        made.append(replace(document, text="".join([*text, document.text[at:]])))
    return tuple(made)


class _Maker:
    def __init__(self, graph: KnowledgeGraph, rng: np.random.Generator) -> None:
        self._graph, self._rng = graph, rng
        self._patterns = Patterns(graph.relations)
        self._facts = graph.facts()
        forms = {word for entity in graph.entities for word in (*entity.name.split(), *entity.aliases)}
        self._names = Names(rng, sorted(forms))
        index = graph.aliases
        self._shared = {
            place: form
            for place, entity in enumerate(graph.entities)
            for form in entity.aliases
            if index.ambiguous(form)
        }
        ends = np.isin(self._facts[:, [0, 2]], list(self._shared)).any(axis=1)
        self._with_namesakes = self._facts[ends]

    def distractor(self) -> str:
        """Say of two things that may belong together that they do, in words that take it back."""
        head, kind, tail = self._mixed()
        words = self._graph.relations[kind].words
        choice = int(self._rng.integers(len(_DOUBTS) + len(_DENIALS)))
        if choice < len(_DENIALS):
            return _DENIALS[choice].format(head=head, tail=tail, words=words)
        said = self._say(kind, head, tail).removesuffix(".")
        return _DOUBTS[choice - len(_DENIALS)].format(
            said.replace("The ", "the ", 1) if said.startswith("The ") else said
        )

    def unknown(self) -> str:
        """Say something of a name that nobody has."""
        head, kind, tail = self._mixed()
        nobody = self._names.word("", 3)
        return self._say(kind, nobody, tail) if self._rng.random() < 0.5 else self._say(kind, head, nobody)

    def namesake(self) -> str:
        """Say a fact that holds, with a name that means another thing as well; empty where no two things share one."""
        if not len(self._with_namesakes):
            return ""
        head, kind, tail = self._with_namesakes[int(self._rng.integers(len(self._with_namesakes)))].tolist()
        names = [self._shared.get(place, self._graph.entities[place].name) for place in (head, tail)]
        return self._say(kind, *names)

    def misspelt(self, line: str, share: float) -> str:
        """Return the line with slips in a share of its words."""
        return _WORD.sub(lambda word: self._slip(word[0]) if self._rng.random() < share else word[0], line)

    def _slip(self, word: str) -> str:
        at = int(self._rng.integers(len(word)))
        letter = "aeioubdgklmnprst"[int(self._rng.integers(16))]
        slips = (
            word[:at] + letter + word[at + 1 :],
            word[:at] + word[at + 1 :],
            word[:at] + word[at : at + 1] + word[at:],
            word[:at] + word[at + 1 : at + 2] + word[at : at + 1] + word[at + 2 :],
        )
        return slips[int(self._rng.integers(4))]

    def _mixed(self) -> tuple[str, int, str]:
        """Return the head of one fact and the tail of another of the same relation, which rarely belong together."""
        kind = int(self._rng.choice(self._facts[:, 1]))
        its = self._facts[self._facts[:, 1] == kind]
        first, second = self._rng.integers(len(its), size=2)
        return self._graph.entities[its[first, 0]].name, kind, self._graph.entities[its[second, 2]].name

    def _say(self, kind: int, head: str, tail: str) -> str:
        patterns = [pattern for pattern in self._patterns.of[kind] if not pattern.many]
        return patterns[int(self._rng.integers(len(patterns)))].say(head, [tail])
