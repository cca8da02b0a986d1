"""How paths, questions and answers are written: as English, or as codes for a tiny character-level policy.

Codes have a fixed width, so that they read in one way only: lower-case letters for entities, capitals for steps.
The question ``aBD`` asks where steps B and D lead from a; its path is ``aBcDe`` and a right answer to it ``ce``.

English questions nest the noun phrases of their relations: the path Ada, country of birth, England, capital, London is
asked by "What is the capital of the country of birth of Ada?". A relation walked backwards is said by its inverse
phrase, which the entity follows: "the country whose capital is London".
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from rlvr_gym.errors import RLVRError
from rlvr_gym.graphs.graph import KnowledgeGraph
from rlvr_gym.graphs.paths import Path, step_id

Wording = Literal["text", "codes"]
"""English sentences, or codes of fixed width."""
JOINERS = "\u200c\u200d"
"""Invisible characters that some scripts and emoji cannot do without; all others are dropped from labels."""
_NUM_LETTERS = 26
_VOWELS = frozenset("aeiou")
_ARTICLES = frozenset({"the", "a", "an"})
# fmt: off
_POINTING = frozenset((
    "it", "its", "this", "that", "these", "those", "them", "they", "he", "she", "him", "her", "his", "one", "same",
    "i", "me", "you", "we", "us", "what", "which", "who", "whom", "whose", "each", "all", "every", "any", "other",
))
# fmt: on
"""Words that point at something else than an entity of that name, such as the novel It."""
_MOST_WORDS_BEFORE = 12


class UnaskableError(RLVRError, ValueError):
    """A path that no English question can ask: it walks a relation backwards for which there are no words."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What the words of a question are made of, but for its start."""

    steps: tuple[tuple[str, bool], ...]
    """Phrase of each step in the order of the path, and whether it is an inverse phrase."""
    type: str = ""
    """Class of the answers; empty where nothing tells."""
    unit: str = ""
    """Unit of an answer that is a quantity with one."""
    quantity: bool = False
    """Whether the answer is a quantity, which has no class to ask for."""


def entity_width(graph: KnowledgeGraph) -> int:
    """Return how many letters the code of an entity has."""
    return _width(graph.num_entities)


def step_width(graph: KnowledgeGraph) -> int:
    """Return how many letters the code of a step has."""
    return _width(2 * graph.num_relations)


def code(number: int, width: int) -> str:
    """Return ``number`` in lower-case letters, ``a`` being 0.

    Example:
        >>> code(27, 2)
        'bb'
    """
    letters = []
    for _ in range(width):
        number, letter = divmod(number, _NUM_LETTERS)
        letters.append(chr(ord("a") + letter))
    return "".join(reversed(letters))


def spell(graph: KnowledgeGraph, place: int, wording: Wording) -> str:
    """Return how an entity is written: its name on one line, or its code; a quantity without a label by its value."""
    if wording == "codes":
        return code(place, entity_width(graph))
    entity = graph.entities[place]
    if entity.modality == "quantity" and not clean(entity.label) and "value" in entity.attributes:
        return clean(f"{entity.attributes['value']} {entity.attributes.get('unit', '')}")
    return clean(entity.label) or clean(entity.id)


def spell_step(graph: KnowledgeGraph, step: int, wording: Wording) -> str:
    """Return how a step is written: its phrase, or its code.

    A relation without an inverse phrase is marked as walked backwards; such a step can be shown but not asked.
    """
    if wording == "codes":
        return code(step, step_width(graph)).upper()
    relation = graph.relation(step)
    if not graph.is_inverse(step):
        return clean(relation.words)
    return clean(relation.inverse_phrase) or f"{clean(relation.words)} (backwards)"


def names(graph: KnowledgeGraph, place: int, before: str = "") -> tuple[list[str], list[str]]:
    """Return the names of an entity that mean nothing else, and those that may.

    An id is no name where there is a label: whoever answers may never have seen it.

    Args:
        graph: The graph of the entity.
        place: Its place.
        before: Words that come before its name, which must not make another name of it: after "capital of", "France"
            may be read as a part of "Capital of France".
    """
    clear: dict[str, None] = {}
    unclear: dict[str, None] = {}
    words = before.split()[-_MOST_WORDS_BEFORE:]
    heads = {" ".join(words[at:]) for at in range(len(words))} - _ARTICLES
    readings = graph.aliases.readings
    for name in filter(None, map(clean, (spell(graph, place, "text"), *graph.entities[place].aliases))):
        spoilt = any(readings(f"{head} {name}") for head in heads)
        others = {other for article in ("", *_ARTICLES) for other in readings(f"{article} {name}")}
        # WHO and US are names in capitals alone.
        points = name.casefold() in _POINTING and not (name.isupper() and len(name) > 1)
        means_it = others == {place} and not spoilt and not points
        (clear if means_it else unclear)[name] = None
    return list(clear), list(unclear)


def mention(graph: KnowledgeGraph, place: int, before: str = "") -> str:
    """Return the name by which an entity is mentioned: the first that is clear, see `names`, or else the first."""
    clear, unclear = names(graph, place, before)
    return [*clear, *unclear][0]


def ask(
    graph: KnowledgeGraph,
    path: Path,
    wording: Wording,
    *,
    many: bool = False,
    rng: np.random.Generator | None = None,
) -> str:
    """Return the question that a path answers.

    Args:
        graph: The graph of the path.
        path: What is asked.
        wording: English or codes.
        many: Whether all of several answers are asked for; codes always ask for all.
        rng: Chooses among the sentences that ask the same; the first without it.

    Raises:
        UnaskableError: English has no words for a step of it.
    """
    if wording == "codes":
        start = spell(graph, path.start, "codes")
        return start + "".join(spell_step(graph, step, "codes") for step in path.steps)
    words = asked(graph, path)
    choices = sentences(words, many=many)
    before, after = choices[0 if rng is None else int(rng.integers(len(choices)))]
    return before + mention(graph, path.start, nested(words.steps)) + after


def asked(graph: KnowledgeGraph, path: Path) -> Asked:
    """Return the words that a question about ``path`` is made of.

    Raises:
        UnaskableError: English has no words for a step of it.
    """
    steps = []
    for step in path.steps:
        relation, inverse = graph.relation(step), graph.is_inverse(step)
        words = clean(relation.inverse_phrase if inverse else relation.words)
        if not words:
            what = "inverse phrase, so that it cannot be asked backwards" if inverse else "words"
            raise UnaskableError(f"relation '{relation.id}' has no {what} (step '{step_id(graph, step)}').")
        steps.append((words, inverse))
    end = graph.entities[path.end]
    if end.modality == "quantity":
        return Asked(tuple(steps), unit=clean(str(end.attributes.get("unit", ""))), quantity=True)
    return Asked(tuple(steps), clean(answer_type(graph, path)).replace("_", " "))


def answer_type(graph: KnowledgeGraph, path: Path) -> str:
    """Return the class of a path's answers: what the last relation leads to, else the class of its end."""
    last = path.steps[-1]
    relation = graph.relation(last)
    return (relation.head_type if graph.is_inverse(last) else relation.tail_type) or graph.entities[
        path.end
    ].type


def sentences(asked: Asked, *, many: bool) -> list[tuple[str, str]]:
    """Return all sentences that ask the same, each as what comes before the start's name and what comes behind it.

    The first is the plainest that says what the answer is; ``many`` asks for all of several answers.

    Example:
        >>> words = Asked((("country of birth", False), ("capital", False)), "city")
        >>> [before + "Ada" + after for before, after in sentences(words, many=False)][:2]
        ['Which city is the capital of the country of birth of Ada?', 'What is the capital of the country of birth of Ada?']
    """
    phrase = asked.steps[-1][0]
    tail = nested(asked.steps).removeprefix("the ")
    unit = f", in {asked.unit}" if asked.unit else ""
    # "Which country is the country of Paris?" says nothing that "What is" does not.
    typed = asked.type if asked.type.casefold() not in phrase.casefold().split() else ""
    if many:
        found = []
        if typed:
            article = "an" if phrase[:1].casefold() in _VOWELS else "a"
            found.append((f"Which {plural(typed)} are each {article} {tail}", f"{unit}? Name all of them."))
        return [
            *found,
            (f"What is every {tail}", f"{unit}? Name all of them."),
            (f"Name every {tail}", f"{unit}."),
        ]
    chain = ", then ".join(f"the {words}" + (" that" if back else " of that") for words, back in asked.steps)
    return [
        *([(f"Which {typed} is the {tail}", f"{unit}?")] if typed else []),
        (f"What is the {tail}", f"{unit}?"),
        (f"Name the {tail}", f"{unit}."),
        ("Begin with ", f". Take {chain}. What does this lead to{unit}?"),
    ]


def nested(steps: Sequence[tuple[str, bool]]) -> str:
    """Return what comes before the start's name where phrases are nested.

    Args:
        steps: Phrase of each step in the order of the path, and whether it is an inverse phrase.

    Example:
        >>> nested([("country of birth", False), ("head of state", False)])
        'the head of state of the country of birth of '
    """
    return "".join(f"the {phrase} " + ("" if inverse else "of ") for phrase, inverse in reversed(steps))


def plural(noun: str) -> str:
    """Return the plural of an English noun phrase by the regular rules.

    Example:
        >>> plural("city"), plural("church"), plural("day")
        ('cities', 'churches', 'days')
    """
    if noun.endswith("y") and noun[-2:-1] not in _VOWELS and len(noun) > 1:
        return noun[:-1] + "ies"
    return noun + ("es" if noun.endswith(("s", "x", "z", "ch", "sh")) else "s")


def show(graph: KnowledgeGraph, path: Path, wording: Wording) -> str:
    """Return what a proposer is shown of a path: entities and steps by turns, ``aBcDe`` or with bars between them."""
    words = [spell(graph, path.start, wording)]
    for step, node in zip(path.steps, path.nodes[1:], strict=True):
        words += [spell_step(graph, step, wording), spell(graph, node, wording)]
    return ("" if wording == "codes" else " | ").join(words)


def answer(
    graph: KnowledgeGraph, path: Path, answers: Sequence[int], wording: Wording, *, reasoning: bool
) -> str:
    """Return a right response to the question of ``path``.

    Args:
        graph: The graph of the path.
        path: What was asked.
        answers: All that it asks for, by their places; codes have room for the path's end alone.
        wording: English or codes.
        reasoning: Whether the entities in between are stated first.
    """
    if wording == "codes":
        return "".join(spell(graph, node, "codes") for node in path.nodes[1 if reasoning else -1 :])
    lines = []
    if reasoning:
        for at, step in enumerate(path.steps):
            link = "" if graph.is_inverse(step) else "of "
            here, there = (mention(graph, node) for node in path.nodes[at : at + 2])
            lines.append(f"The {spell_step(graph, step, 'text')} {link}{here} is {there}.")
    lines.append("Answer: " + "; ".join(mention(graph, place) for place in answers))
    return "\n".join(lines)


def clean(text: str) -> str:
    """Return ``text`` on one line, without control characters and those that nobody sees."""
    if text.isascii() and text.isprintable():
        return " ".join(text.split())
    kept = (
        " " if char.isspace() else char
        for char in text
        if char.isspace() or char in JOINERS or unicodedata.category(char) not in ("Cc", "Cf", "Cs")
    )
    return " ".join("".join(kept).split())


def _width(number: int) -> int:
    width = 1
    while _NUM_LETTERS**width < number:
        width += 1
    return width
