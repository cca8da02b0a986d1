"""The named things of a synthetic world: people, places, firms and works, with labels and other names."""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rlvr_gym.graphs.graph import Entity
from rlvr_gym.graphs.worlds.laws import LAWS
from rlvr_gym.graphs.worlds.names import Names

SHARES = {
    "person": 0.34,
    "city": 0.18,
    "country": 0.06,
    "company": 0.12,
    "river": 0.06,
    "mountain": 0.06,
    "book": 0.14,
    "society": 0.04,
}
"""How a world's named things divide into classes."""
_TRADES = ("Works", "Mills", "Lines", "Foundry", "Press", "Traders")
_CLUBS = ("Society", "Circle", "League", "Assembly")
_MOODS = (
    "Silent",
    "Burning",
    "Patient",
    "Hollow",
    "Golden",
    "Restless",
    "Distant",
    "Frozen",
    "Crooked",
    "Gentle",
)
_SUBJECTS = ("Orchard", "Lantern", "Harbour", "Winter", "Promise", "Stranger", "Garden", "Journey", "Mirror", "Bridge")  # fmt: skip


@dataclass(frozen=True, slots=True)
class Things:
    """Named things: the descriptions in the order of their places, and the places of each class."""

    entities: tuple[Entity, ...]
    of: dict[str, NDArray[np.int64]]


def things(rng: np.random.Generator, number: int, aliases: float, shared: float) -> Things:
    """Return about ``number`` named things; every label is the name of one of them only.

    Args:
        rng: Where the draws come from.
        number: How many, at least 2 of each class.
        aliases: Share of them that have another name.
        shared: Share of those whose other name another one has as well: half the time one of the same class.
    """
    sentences = " ".join(text for law in LAWS for text in (law.relation.phrase, *law.sentences))
    names = Names(
        rng, (*re.findall("[a-z]+", sentences.lower()), *SHARES, *_TRADES, *_CLUBS, *_MOODS, *_SUBJECTS)
    )
    given = [names.word("", 1) for _ in range(max(12, min(400, number // 4)))]
    sizes = {kind: max(2, round(share * number)) for kind, share in SHARES.items()}
    sizes["country"] = min(sizes["country"], sizes["city"])
    labels = [(kind, *_named(kind, names, given, rng)) for kind, size in sizes.items() for _ in range(size)]
    others = _aliases([(kind, alias) for kind, _, alias in labels], names, rng, aliases, shared)
    width = len(str(max(sizes.values())))
    entities: list[Entity] = []
    of: dict[str, NDArray[np.int64]] = {}
    for kind, size in sizes.items():
        first = len(entities)
        of[kind] = np.arange(first, first + size)
        for at in range(size):
            _, label, _ = labels[first + at]
            entities.append(Entity(f"{kind}-{at + 1:0{width}d}", label, kind, others[first + at]))
    return Things(tuple(entities), of)


def _named(kind: str, names: Names, given: list[str], rng: np.random.Generator) -> tuple[str, str]:
    """Return a label and another name that fits it; no other name where it is empty."""

    def one_of(words: tuple[str, ...] | list[str]) -> str:
        return words[int(rng.integers(len(words)))]

    if kind == "person":
        family = names.word()
        return f"{one_of(given)} {family}", family
    if kind == "city":
        return names.word(one_of(("mar", "wick", "stad", "pol", "ham"))), names.word("burg")
    if kind == "country":
        label = names.word(one_of(("ia", "land", "or")))
        return label, f"Republic of {label}"
    if kind == "company":
        word = names.word()
        initials = "".join("BDFGKLMNPRSTVZ"[at] for at in rng.integers(14, size=5))
        return f"{word} {one_of(_TRADES)}", initials if names.take(initials) else ""
    if kind == "river":
        label = names.word("a")
        return label, f"{label} River"
    if kind == "mountain":
        word = names.word()
        return f"Mount {word}", f"{word} Peak"
    if kind == "book":
        word = names.word()
        return f"The {one_of(_MOODS)} {one_of(_SUBJECTS)} of {word}", f"{word} Book"
    word = names.word("an")
    return f"{word} {one_of(_CLUBS)}", f"{word}s"


def _aliases(
    named: list[tuple[str, str]], names: Names, rng: np.random.Generator, share: float, shared: float
) -> list[tuple[str, ...]]:
    """Choose who has another name, and give some of them one that another thing has too."""
    others: list[tuple[str, ...]] = [()] * len(named)
    chosen = [at for at in np.flatnonzero(rng.random(len(named)) < share).tolist() if named[at][1]]
    for at in chosen:
        others[at] = (named[at][1],)
    peers: dict[str, list[int]] = {}
    for at in chosen:
        peers.setdefault(named[at][0], []).append(at)
    for count, at in enumerate(at for at in chosen if rng.random() < shared):
        kind = named[at][0]
        fitting = peers[kind if count % 2 == 0 else str(rng.choice(sorted(peers)))]
        other = fitting[int(rng.integers(len(fitting)))]
        if other != at:
            both = names.word("o")
            others[at], others[other] = (*others[at], both), (*others[other], both)
    return others
