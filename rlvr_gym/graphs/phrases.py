"""What nested phrases may mean: the same words can say other steps, and then no question in them is clear."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final
from weakref import WeakKeyDictionary

from rlvr_gym.graphs.expression import GLUE, plain, tokens
from rlvr_gym.graphs.graph import KnowledgeGraph
from rlvr_gym.graphs.wording import clean

_MOST_READINGS: Final = 64


@dataclass(frozen=True, slots=True)
class Phrases:
    """All phrases of a graph's relations."""

    steps: dict[tuple[str, ...], list[int]]
    """What each means, by its plain words; an inverse phrase stands for the inverse step."""
    num_relations: int
    """Steps from this number on are inverse."""
    taken: tuple[str, ...]
    """Glue words that stand in phrases of nothing but glue: a relation may be called "name"."""

    @classmethod
    def of(cls, graph: KnowledgeGraph) -> Phrases:
        """Return the phrases of a graph."""
        steps: dict[tuple[str, ...], list[int]] = {}
        for place, relation in enumerate(graph.relations):
            inverse = place + graph.num_relations
            for phrase, step in ((relation.words, place), (relation.inverse_phrase, inverse)):
                if words := tuple(plain(clean(phrase)).split()):
                    steps.setdefault(words, []).append(step)
        split = [tokens(" ".join(words)) for words in steps]
        taken = {word for words in split if GLUE.issuperset(words) for word in words}
        return cls(steps, graph.num_relations, tuple(sorted(taken)))

    def read(self, words: Sequence[str]) -> Iterator[tuple[int, ...]]:
        """Yield the steps that nested phrases may mean, in the order of a path; at most a few ways.

        Args:
            words: Plain words such as ``the capital of the country of birth of``; an article may be missing.
        """
        longest = max(map(len, self.steps), default=0)
        # From the end, as then each way to go on is looked at once.
        ways: list[list[tuple[int, ...]]] = [[] for _ in words] + [[()]]
        for at in range(len(words) - 1, -1, -1):
            spans = [
                (begin, end)
                for begin in ((at, at + 1) if words[at] == "the" else (at,))
                for end in range(begin + 1, min(begin + longest, len(words)) + 1)
            ]
            for begin, end in spans:
                for step in self.steps.get(tuple(words[begin:end]), ()):
                    if step >= self.num_relations:
                        ways[at] += [(*way, step) for way in ways[end]]
                    elif end < len(words) and words[end] == "of":
                        ways[at] += [(*way, step) for way in ways[end + 1]]
            del ways[at][_MOST_READINGS:]
        yield from ways[0]


_PHRASES: WeakKeyDictionary[KnowledgeGraph, Phrases] = WeakKeyDictionary()


def phrases_of(graph: KnowledgeGraph) -> Phrases:
    """Return the phrases of a graph; looked up once for each graph."""
    found = _PHRASES.get(graph)
    if found is None:
        found = _PHRASES[graph] = Phrases.of(graph)
    return found
