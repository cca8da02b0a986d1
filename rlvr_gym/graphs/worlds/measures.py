"""What a synthetic world measures: quantities with units, tables that list them and charts that show them."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from rlvr_gym.graphs.graph import Entity, Modality
from rlvr_gym.types import Json

_UNITS = {
    "area": ("km²", "square kilometres"),
    "height": ("m", "metres"),
    "length": ("km", "kilometres"),
    "population": ("inhabitants", "people"),
    "output": ("t", "tonnes"),
    "year": ("", ""),
}
"""The unit of each class of quantities, and how it is said in full."""
_QUARTERS = ("first quarter", "second quarter", "third quarter", "fourth quarter")
QUARTERS = tuple(f"quarter_{number}" for number in range(1, 5))
"""Ids of the relations that a chart shows."""


@dataclass
class Measures:
    """Adds quantities, tables and charts behind the named things, and the facts about them."""

    entities: list[Entity]
    facts: dict[str, list[tuple[int, int]]] = field(default_factory=dict)
    """Heads and tails by the ids of the relations."""
    _known: dict[tuple[str, int], int] = field(default_factory=dict)

    def measure(self, relation: str, kind: str, heads: NDArray[np.int64], values: NDArray[np.int64]) -> None:
        """Give each head a quantity; equal quantities are one entity."""
        rows = self.facts.setdefault(relation, [])
        for head, value in zip(heads.tolist(), values.tolist(), strict=True):
            rows.append((head, self._quantity(kind, value)))

    def tabulate(
        self, countries: NDArray[np.int64], cities: NDArray[np.int64], homes: NDArray[np.int64]
    ) -> None:
        """Give each country a table of its cities; their populations stand nowhere else."""
        of = dict(self.facts["population"])
        listed: dict[int, list[int]] = {}
        for city, home in zip(cities.tolist(), homes.tolist(), strict=True):
            listed.setdefault(home, []).append(city)
        for count, country in enumerate(countries.tolist(), 1):
            name = self.entities[country].label
            rows = [["city", "population"]]
            rows += [[self.entities[city].label, self.entities[of[city]].label] for city in listed[country]]
            shown: dict[str, Json] = {"title": f"Cities of {name}", "rows": rows}
            self._figure("city_table", country, "table", count, shown)

    def chart(self, companies: NDArray[np.int64], values: NDArray[np.int64]) -> None:
        """Give each company a bar chart of its output by quarter, shape (companies, 4), which stands nowhere else."""
        for count, (company, four) in enumerate(zip(companies.tolist(), values.tolist(), strict=True), 1):
            name = self.entities[company].label
            shown: dict[str, Json] = {
                "title": f"Quarterly output of {name}",
                "kind": "bar chart",
                "labels": list(_QUARTERS),
                "values": [str(value) for value in four],
                "unit": _UNITS["output"][0],
                "relations": list(QUARTERS),
            }
            place = self._figure("output_chart", company, "chart", count, shown)
            for relation, value in zip(QUARTERS, four, strict=True):
                self.facts.setdefault(relation, []).append((place, self._quantity("output", value)))

    def _figure(self, relation: str, owner: int, kind: str, number: int, shown: dict[str, Json]) -> int:
        modality: Modality = "table" if kind == "table" else "image"
        # A label that named the owner would give it away where it is the answer.
        label = f"{'Table' if kind == 'table' else 'Figure'} {number}"
        place = len(self.entities)
        document = f"doc-{self.entities[owner].id}"
        self.entities.append(Entity(f"{kind}-{number}", label, kind, (), modality, shown, document))
        self.facts.setdefault(relation, []).append((owner, place))
        return place

    def _quantity(self, kind: str, value: int) -> int:
        place = self._known.setdefault((kind, value), len(self.entities))
        if place == len(self.entities):
            unit, words = _UNITS[kind]
            # Years are the one kind of number that nobody writes with a comma.
            label, other = (f"{value:,} {unit}", (f"{value} {words}",)) if unit else (str(value), ())
            attributes = {"value": str(value), "unit": unit}
            self.entities.append(Entity(f"{kind}-{value}", label, kind, other, "quantity", attributes))
        return place
