"""The laws of a synthetic world: its relations, how many tails each has, and sentences that say its facts."""

from __future__ import annotations

from dataclasses import dataclass

from rlvr_gym.graphs.graph import Relation


@dataclass(frozen=True, slots=True)
class Law:
    """A relation of the world."""

    relation: Relation
    functional: bool = True
    """Whether a head has one tail at most."""
    symmetric: bool = False
    inverse: str = ""
    """Id of the relation that says the same from tail to head."""
    sentences: tuple[str, ...] = ()
    """Sentences of its own, besides those that every noun phrase makes."""


def _law(
    id: str, head: str, tail: str, phrase: str, inverse_phrase: str, *sentences: str, functional: bool = True,
    symmetric: bool = False, inverse: str = "",
) -> Law:  # fmt: skip
    relation = Relation(id, phrase, inverse_phrase, head, tail)
    return Law(relation, functional, symmetric, inverse, sentences)


# No phrase is part of another: a question that says one must not seem to say the other as well.
LAWS: tuple[Law, ...] = (
    _law("born_in", "person", "city", "birthplace", "person born in", "{head} was born in {tail}."),
    _law("located_in", "city", "country", "home country", "city in", "{head} lies in {tail}."),
    _law("capital", "country", "city", "capital", "country whose capital is", "{head} is governed from {tail}."),
    _law("mayor", "city", "person", "mayor", "city whose mayor is", "{tail} governs the city of {head}."),
    _law("founder", "company", "person", "founder", "company founded by", "{tail} founded {head}."),
    _law("headquarters", "company", "city", "headquarters", "company with headquarters in", "{head} is run from {tail}."),
    _law("employer", "person", "company", "employer", "person employed by", "{head} works for {tail}."),
    _law("spouse", "person", "person", "spouse", "person married to", "{head} is married to {tail}.", symmetric=True),
    _law("author", "book", "person", "author", "book written by", "{head} was written by {tail}.", inverse="wrote"),
    _law("wrote", "person", "book", "published book", "person who wrote", "{head} wrote {tail}.", functional=False, inverse="author"),
    _law("borders", "country", "country", "neighbouring country", "country bordering", "{head} borders {tail}.", functional=False, symmetric=True),
    _law("course", "river", "country", "country along the course", "river flowing through", "{head} flows through {tail}.", functional=False),
    _law("mouth", "river", "city", "city at the mouth", "river ending at", "{head} meets the sea at {tail}."),
    _law("teacher", "person", "person", "teacher", "person taught by", "{head} was taught by {tail}."),
    _law("setting", "book", "city", "setting", "book set in", "{head} is set in {tail}."),
    _law("member", "society", "person", "member", "society with the member", "{tail} belongs to {head}.", functional=False),
    _law("seat", "society", "city", "seat", "society seated in", "{head} meets in {tail}."),
    _law("highest_mountain", "country", "mountain", "highest mountain", "country whose highest mountain is", "Nothing in {head} is higher than {tail}."),
    _law("area", "country", "area", "area", "country with the area", "{head} covers {tail}."),
    _law("height", "mountain", "height", "height", "mountain with the height", "{head} rises to {tail}."),
    _law("length", "river", "length", "length", "river with the length", "{head} runs for {tail}."),
    _law("founding_year", "company", "year", "founding year", "company founded in", "{head} dates from {tail}."),
    _law("population", "city", "population", "population", "city with the population"),
    _law("city_table", "country", "table", "city table", "country described by"),
    _law("output_chart", "company", "chart", "output chart", "company shown in"),
    *(
        _law(f"quarter_{number}", "chart", "output", f"{word}-quarter value", f"chart whose {word}-quarter value is")
        for number, word in enumerate(("first", "second", "third", "fourth"), 1)
    ),
)  # fmt: skip
"""Every relation of the world, in the order of their places."""

SENTENCES = {(law.relation.id, law.relation.phrase): law.sentences for law in LAWS}
"""Sentences by id and phrase of their relation, which together tell a relation of ours from a namesake."""
