"""Quantities of a graph by what they measure, so that the same amount in another unit is the same entity."""

from __future__ import annotations

import re
from fractions import Fraction

from rlvr_gym.errors import UsageError
from rlvr_gym.graphs.graph import Entity
from rlvr_gym.graphs.quantities import Dims, Quantity, quantity_of, read_quantity

_PLAIN = re.compile(r"([0-9]{1,3}(?:,[0-9]{3})+|[0-9]+)(\.[0-9]+)?(?: (\S.{0,40}))?")
"""A number and perhaps a unit: what becomes a new entity."""


class Quantities:
    """Finds quantities by class and exact amount.

    Args:
        entities: All entities; new quantities are put behind them.
        mint: Whether a quantity that is not there becomes a new one.
    """

    def __init__(self, entities: list[Entity], *, mint: bool) -> None:
        self._entities, self._mint = entities, mint
        self._places: dict[tuple[str, Dims, Fraction], int] = {}
        self._dims: dict[str, set[Dims]] = {}
        self._ids = {entity.id for entity in entities}
        self._other_types = {entity.type for entity in entities if entity.modality != "quantity"}
        for place, entity in enumerate(entities):
            if entity.modality == "quantity" and (read := _measured(entity)) is not None:
                key = _key(entity.type, read)
                # Two entities for one amount: its name may tell which is meant, the amount does not.
                self._places[key] = -1 if key in self._places else place
                self._dims.setdefault(entity.type, set()).add(read.unit.dims)

    def place(self, text: str, type: str) -> int | None:
        """Return the place of the quantity of a class that ``text`` writes, None where it writes none of that class."""
        if not type or type in self._other_types:
            return None
        read = read_quantity(text)
        if read is None:
            return None
        found = self._places.get(_key(type, read))
        if found is None and self._mint:
            return self._new(text, type, read)
        return None if found == -1 else found

    def _new(self, text: str, type: str, read: Quantity) -> int | None:
        match = _PLAIN.fullmatch(" ".join(text.split()))
        # A unit that no table knows may be a slip of the pen; only its own class can vouch for it.
        known = self._dims.get(type, set())
        strange = any(kind.startswith("~") for kind, _ in read.unit.dims)
        if match is None or (known and read.unit.dims not in known) or (strange and not known):
            return None
        value = (match[1] + (match[2] or "")).replace(",", "")
        unit = match[3] or ""
        id = "-".join(filter(None, (type, value, unit)))
        if id in self._ids:
            return None
        self._ids.add(id)
        place = len(self._entities)
        self._entities.append(Entity(id, match[0], type, (), "quantity", {"value": value, "unit": unit}))
        self._places[_key(type, read)] = place
        self._dims.setdefault(type, set()).add(read.unit.dims)
        return place


def _measured(entity: Entity) -> Quantity | None:
    try:
        return quantity_of(str(entity.attributes.get("value", "")), str(entity.attributes.get("unit", "")))
    except UsageError:
        return None


def _key(type: str, read: Quantity) -> tuple[str, Dims, Fraction]:
    return type, read.unit.dims, read.value * read.unit.scale
