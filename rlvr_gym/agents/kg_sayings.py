"""Which sentences of a corpus say the facts of a path."""

from __future__ import annotations

from collections.abc import Iterator

from rlvr_gym.graphs import Corpus, Evidence, Path


class Sayings:
    """Where documents first say each fact.

    Args:
        corpus: Graph, documents and evidence.
    """

    def __init__(self, corpus: Corpus) -> None:
        self._corpus = corpus
        self._first = {evidence.fact: evidence for evidence in reversed(corpus.evidence)}

    def of(self, path: Path) -> Iterator[Evidence]:
        """Yield the evidence of a path's facts in order, without those that nothing says."""
        graph = self._corpus.graph
        for head, step, tail in zip(path.nodes, path.steps, path.nodes[1:], strict=False):
            kind = step % graph.num_relations
            evidence = self._first.get((tail, kind, head) if graph.is_inverse(step) else (head, kind, tail))
            if evidence is not None:
                yield evidence

    def sentences(self, path: Path) -> Iterator[str]:
        """Yield the sentences that say a path's facts, each behind the title of its document."""
        for evidence in self.of(path):
            document = self._corpus.by_id[evidence.document]
            said = " ".join(document.text[evidence.start : evidence.end].split())
            yield f"   {document.title}: {said}"
