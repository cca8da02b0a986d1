"""Sentences that say facts: what a relation's words make, and what a sentence may say under them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from rlvr_gym.graphs.graph import Relation
from rlvr_gym.graphs.worlds.laws import SENTENCES

MAX_SENTENCE = 4000
"""Characters of a sentence; a longer one says nothing."""
_MAX_SPLITS = 16
"""Places at which a sentence may fall into head and tail; text that repeats the words between them has more."""
_WORD = re.compile(r"[^\W_]+")


@dataclass(frozen=True, slots=True)
class Pattern:
    """A form of sentence: three pieces of text with two names between them."""

    relation: int
    """Place of the relation that it says."""
    before: str
    between: str
    after: str
    head_first: bool
    many: bool = False
    """Whether the second name is a list of tails."""

    def say(self, head: str, tails: Sequence[str]) -> str:
        """Return the sentence that says these names in the relation."""
        tail = listed(tails)
        first, second = (head, tail) if self.head_first else (tail, head)
        return f"{self.before}{first}{self.between}{second}{self.after}"


@dataclass(frozen=True, slots=True)
class Reading:
    """What a sentence says if it has a pattern's form: names are not yet resolved."""

    relation: int
    head: str
    tails: tuple[str, ...]


def listed(names: Sequence[str]) -> str:
    """Return names as a list in words.

    Example:
        >>> listed(["Ada", "Bo", "Cy"])
        'Ada, Bo and Cy'
    """
    return " and ".join(filter(None, [", ".join(names[:-1]), names[-1]]))


def unlisted(text: str) -> tuple[str, ...]:
    """Return the names of a list in words; one name that holds `` and `` comes out as two, which nobody is called."""
    rest, _, last = text.rpartition(" and ")
    return (*rest.split(", "), last) if rest else (text,)


def patterns_of(place: int, relation: Relation) -> tuple[Pattern, ...]:
    """Return the sentences of a relation: those of the built-in world, and those that its words make."""
    words, inverse = relation.words, relation.inverse_phrase
    made = [_parsed(place, form) for form in SENTENCES.get((relation.id, relation.phrase), ())]
    made.append(Pattern(place, f"The {words} of ", " is ", ".", True))
    made.append(Pattern(place, "", f" is the {words} of ", ".", False))
    if inverse:
        made.append(Pattern(place, "", f" is {article(inverse)} {inverse} ", ".", True))
    return (*made, Pattern(place, "", f" has more than one {words}: ", ".", True, many=True))


def _parsed(place: int, form: str) -> Pattern:
    head_first = form.index("{head}") < form.index("{tail}")
    before, between, after = re.split(r"\{head\}|\{tail\}", form)
    return Pattern(place, before, between, after, head_first)


def article(words: str) -> str:
    """Return ``an`` for words that begin with a vowel letter, else ``a``."""
    return "an" if words[:1].lower() in set("aeiou") else "a"


class Patterns:
    """All sentences of some relations, found by their rarest words.

    Args:
        relations: In the order of their places.
    """

    def __init__(self, relations: Sequence[Relation]) -> None:
        self.of = tuple(patterns_of(place, relation) for place, relation in enumerate(relations))
        """The patterns of each relation."""
        everything = [pattern for patterns in self.of for pattern in patterns]
        counts: dict[str, int] = {}
        for pattern in everything:
            for word in _words(pattern):
                counts[word] = counts.get(word, 0) + 1
        self.by_column: dict[str, list[int]] = {}
        """Places of relations by their noun phrases, which head the columns of tables."""
        for place, relation in enumerate(relations):
            self.by_column.setdefault(relation.words, []).append(place)
        self._by_word: dict[str, list[Pattern]] = {}
        for pattern in everything:
            key = min(_words(pattern), key=lambda word: (counts[word], word), default="")
            self._by_word.setdefault(key, []).append(pattern)

    def readings(self, sentence: str) -> list[Reading]:
        """Return everything that ``sentence``, taken whole, may say; nothing where it has no pattern's form."""
        if len(sentence) > MAX_SENTENCE:
            return []
        words = {"", *(word.lower() for word in _WORD.findall(sentence))}
        found = {
            reading
            for word in words
            for pattern in self._by_word.get(word, ())
            for reading in _read(pattern, sentence)
        }
        return sorted(found, key=lambda reading: (reading.relation, reading.head, reading.tails))


def _words(pattern: Pattern) -> set[str]:
    return {word.lower() for word in _WORD.findall(f"{pattern.before} {pattern.between} {pattern.after}")}


def _read(pattern: Pattern, sentence: str) -> Iterator[Reading]:
    before, between, after = pattern.before, pattern.between, pattern.after
    if not (sentence.startswith(before) and sentence.endswith(after)):
        return
    inner = sentence[len(before) : len(sentence) - len(after)]
    at = inner.find(between)
    for _ in range(_MAX_SPLITS):
        if at < 0:
            return
        first, second = inner[:at], inner[at + len(between) :]
        # A name that ends in a question mark makes a question of what else would state a fact.
        if first.strip() and second.strip() and not first.endswith("?") and not second.endswith("?"):
            head, tail = (first, second) if pattern.head_first else (second, first)
            yield Reading(pattern.relation, head, unlisted(tail) if pattern.many else (tail,))
        at = inner.find(between, at + 1)
