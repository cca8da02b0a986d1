"""Full-text search over documents, by BM25 (Robertson and Zaragoza 2009, with the usual k1 and b)."""

from __future__ import annotations

import functools
import re
import threading
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from rlvr_gym.envs.kg_parts.figures import laid_out
from rlvr_gym.graphs.aliases import normal
from rlvr_gym.graphs.corpus import Corpus, Document
from rlvr_gym.graphs.documents import documents_of

PASSAGE_CHARS = 800
_K1, _B = 1.2, 0.75
_QUERY_CHARS = 400
_QUERY_TERMS = 32
_BUILDING = threading.Lock()
_WORD = re.compile(r"[^\W_]++")
_ACCENTS = re.compile("[\u0300-\u036f]++")


@dataclass(frozen=True, slots=True)
class Passage:
    """A part of a document, short enough to be shown whole."""

    document: str
    """Id of the document."""
    title: str
    text: str


class Search:
    """An index of passages.

    Args:
        documents: What is searched; a passage is found by the words of its document's title too.
    """

    def __init__(self, documents: Sequence[Document]) -> None:
        self.passages = [passage for document in documents for passage in _passages(document)]
        counts = [Counter(_words(f"{passage.title} {passage.text}")) for passage in self.passages]
        lengths = np.array([count.total() for count in counts], np.float64)
        # A passage of average length is neither helped nor held back.
        scale = _K1 * (1 - _B + _B * lengths / max(lengths.mean() if len(lengths) else 1.0, 1.0))
        rows: dict[str, list[tuple[int, int]]] = {}
        for place, count in enumerate(counts):
            for word, times in count.items():
                rows.setdefault(word, []).append((place, times))
        self._weights: dict[str, tuple[NDArray[np.int64], NDArray[np.float64]]] = {}
        for word, row in rows.items():
            places, times = np.array(row).T
            rarity = np.log(1 + (len(counts) - len(row) + 0.5) / (len(row) + 0.5))
            self._weights[word] = places, rarity * times * (_K1 + 1) / (times + scale[places])

    def find(self, query: str, number: int) -> list[Passage]:
        """Return the passages that fit ``query`` best, of equals the earlier ones first; only those with a word of it.

        Of a long query the first words count, so that its length costs nothing.
        """
        scores = np.zeros(len(self.passages))
        for word in list(dict.fromkeys(_words(query[:_QUERY_CHARS])))[:_QUERY_TERMS]:
            if word in self._weights:
                places, weights = self._weights[word]
                scores[places] += weights
        best = np.argsort(-scores, kind="stable")[:number]
        return [self.passages[place] for place in best if scores[place] > 0]


def search_of(corpus: Corpus) -> Search:
    """Return the index of a corpus' documents, their figures in words; built when first asked for."""
    # Many episodes search for the first time at once, and one index is enough.
    with _BUILDING:
        return _built(corpus)


@functools.lru_cache(maxsize=4)
def _built(corpus: Corpus) -> Search:
    return Search(
        [replace(document, text=laid_out(corpus.graph, document)[0]) for document in documents_of(corpus)]
    )


def _words(text: str) -> list[str]:
    """Return the words of a text, without case and accents."""
    return _WORD.findall(_ACCENTS.sub("", unicodedata.normalize("NFD", normal(text))))


def _passages(document: Document) -> Iterator[Passage]:
    """Yield a document in parts of whole lines, lines that are too long in parts of whole words."""
    held = ""
    for line in document.text.splitlines():
        while line:
            piece = line
            if len(line) > PASSAGE_CHARS:
                cut = line.rfind(" ", 1, PASSAGE_CHARS)
                piece = line[: cut if cut > 0 else PASSAGE_CHARS]
            line = line[len(piece) :].lstrip()
            if held and len(held) + 1 + len(piece) > PASSAGE_CHARS:
                yield Passage(document.id, document.title, held)
                held = ""
            held = f"{held}\n{piece}" if held else piece
    if held or not document.text.strip():
        yield Passage(document.id, document.title, held)
