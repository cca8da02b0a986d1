"""The draw of a synthetic world: who there is, and what holds between them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from rlvr_gym.graphs.worlds.people import Things, things
from rlvr_gym.seeding import generator

Rows = NDArray[np.int64]
"""Facts of one relation as places of heads and tails, shape (n, 2)."""


@dataclass(frozen=True, slots=True)
class Drawn:
    """Named things and the facts between them, by the ids of the relations."""

    things: Things
    facts: dict[str, Rows]


class Chooser:
    """Chooses things of a class: a few of them often, by a power law over a random order.

    Args:
        places: What there is to choose from.
        hubs: Exponent of the law; 0 makes all equally likely.
        rng: Where the draws come from.
    """

    def __init__(self, places: Rows, hubs: float, rng: np.random.Generator) -> None:
        self._places, self._rng = rng.permutation(places), rng
        weights = np.arange(1, len(places) + 1, dtype=np.float64) ** -hubs
        self._shares = np.cumsum(weights / weights.sum())

    def some(self, number: int) -> Rows:
        """Return ``number`` choices, independent of each other."""
        at = np.searchsorted(self._shares, self._rng.random(number), side="right")
        return self._places[np.minimum(at, len(self._places) - 1)]


def draw(seed: int, number: int, hubs: float, aliases: float, shared: float) -> Drawn:
    """Return ``number`` named things with facts that hold together.

    Args:
        seed: The same seed draws the same world.
        number: How many people, cities and so on.
        hubs: How unevenly things are chosen as tails; see `Chooser`.
        aliases: Share of things that have another name.
        shared: Share of those whose other name another thing has as well.
    """
    named = things(generator(seed, "world", "things"), number, aliases, shared)
    rng = generator(seed, "world", "facts")
    of = named.of
    person, city, country, company = of["person"], of["city"], of["country"], of["company"]
    river, mountain, book, society = of["river"], of["mountain"], of["book"], of["society"]
    any_person, any_city = Chooser(person, hubs, rng), Chooser(city, hubs, rng)
    any_company, any_country = Chooser(company, hubs, rng), Chooser(country, hubs, rng)

    # Every country has a city, which is its capital; further cities go where the power law sends them.
    home = np.concatenate([country, any_country.some(len(city) - len(country))])
    written_by = any_person.some(len(book))
    bordering = _borders(country, rng)
    facts = {
        "born_in": _pairs(person, any_city.some(len(person))),
        "located_in": _pairs(city, home),
        "capital": _pairs(country, city[: len(country)]),
        "mayor": _matched(city, person, rng),
        "founder": _pairs(company, any_person.some(len(company))),
        "headquarters": _pairs(company, any_city.some(len(company))),
        "employer": _some_of(_pairs(person, any_company.some(len(person))), 0.8, rng),
        "spouse": _couples(person, rng),
        "author": _pairs(book, written_by),
        "wrote": _pairs(written_by, book),
        "borders": bordering,
        "course": _along(river, country, bordering, rng),
        "mouth": _pairs(river, any_city.some(len(river))),
        "teacher": _some_of(_taught(person, hubs, rng), 0.8, rng),
        "setting": _some_of(_pairs(book, any_city.some(len(book))), 0.8, rng),
        "member": _many(society, any_person, rng, 2, 6),
        "seat": _pairs(society, any_city.some(len(society))),
        "highest_mountain": _matched(country, mountain, rng),
    }
    return Drawn(named, facts)


def _pairs(heads: Rows, tails: Rows) -> Rows:
    return np.stack([heads, tails], axis=1)


def _matched(heads: Rows, tails: Rows, rng: np.random.Generator) -> Rows:
    """Give each head a tail of its own, as far as there are tails."""
    number = min(len(heads), len(tails))
    return _pairs(rng.permutation(heads)[:number], rng.permutation(tails)[:number])


def _some_of(rows: Rows, share: float, rng: np.random.Generator) -> Rows:
    return rows[rng.random(len(rows)) < share]


def _couples(person: Rows, rng: np.random.Generator) -> Rows:
    """Marry about two in three people, both ways round."""
    wed = rng.permutation(person)[: len(person) // 3 * 2]
    half = len(wed) // 2
    pairs = _pairs(wed[:half], wed[half : 2 * half])
    return np.concatenate([pairs, pairs[:, ::-1]])


def _taught(person: Rows, hubs: float, rng: np.random.Generator) -> Rows:
    """Give everyone a teacher who comes earlier in a random order, so that nobody taught their own teacher."""
    order = rng.permutation(person)
    # The first of the order teach the more, the stronger the hubs.
    at = (np.arange(1, len(order)) * rng.random(len(order) - 1) ** (1.0 + hubs)).astype(np.int64)
    return _pairs(order[1:], order[at])


def _borders(country: Rows, rng: np.random.Generator) -> Rows:
    """Lay the countries round a ring, with some borders across it, both ways round."""
    ring = rng.permutation(country)
    pairs = np.concatenate(
        [_pairs(ring, np.roll(ring, 1)), _some_of(_pairs(country, rng.permutation(country)), 0.5, rng)]
    )
    pairs = pairs[pairs[:, 0] != pairs[:, 1]]
    return np.unique(np.concatenate([pairs, pairs[:, ::-1]]), axis=0)


def _along(river: Rows, country: Rows, borders: Rows, rng: np.random.Generator) -> Rows:
    """Let each river flow through a country, and most on into one or two of the neighbours after it."""
    first = np.searchsorted(borders[:, 0], country)
    last = np.searchsorted(borders[:, 0], country, side="right")
    at = rng.integers(len(country), size=len(river))
    rows = [_pairs(river, country[at])]
    for share in (0.7, 0.4):
        border = first[at] + rng.integers(last[at] - first[at])
        rows.append(_some_of(_pairs(river, borders[border, 1]), share, rng))
    return np.unique(np.concatenate(rows), axis=0)


def _many(heads: Rows, tails: Chooser, rng: np.random.Generator, least: int, most: int) -> Rows:
    """Give each head from ``least`` to ``most`` tails, fewer where a tail is chosen twice."""
    sizes = rng.integers(least, most + 1, size=len(heads))
    return np.unique(_pairs(np.repeat(heads, sizes), tails.some(int(sizes.sum()))), axis=0)
