"""Who is meant by a name: one entity, or nobody and the reason."""

from __future__ import annotations

import enum
from collections.abc import Sequence
from dataclasses import dataclass, field

from rlvr_gym.graphs.aliases import AliasIndex, normal
from rlvr_gym.graphs.extraction.measured import Quantities
from rlvr_gym.graphs.graph import Entity


class Refusal(enum.StrEnum):
    """Why a name stands for nobody."""

    UNKNOWN = "unknown name"
    AMBIGUOUS = "ambiguous name"
    WRONG_TYPE = "name of another class"


@dataclass(slots=True)
class Context:
    """What a document has told so far about who is meant in it."""

    subject: int = -1
    """Place of the entity that the document is about; -1 where that is unknown."""
    clear: set[int] = field(default_factory=set)
    """Places of entities that were named in it without ambiguity."""


@dataclass(frozen=True, slots=True)
class Resolved:
    """An entity, and how sure it is that it is meant."""

    place: int
    confidence: float
    by: str
    """``name``, ``spelling`` (a looser one), ``type`` or ``context``."""


class Resolver:
    """Finds who is meant by a name.

    Args:
        entities: In the order of their places; quantities that are minted come behind them.
        spelling: Confidence where only a looser form of the name is known, such as one without its accents.
        by_type: Confidence where the class alone tells who of several is meant.
        by_context: Confidence where only the document around it does.
        mint: Whether an unknown number with a unit becomes a new entity where a class of quantities is asked for.
    """

    def __init__(
        self,
        entities: Sequence[Entity],
        *,
        spelling: float = 0.95,
        by_type: float = 0.95,
        by_context: float = 0.7,
        mint: bool = False,
    ) -> None:
        self.entities = list(entities)
        self.index = AliasIndex(tuple(entities))
        self._by_id = {entity.id: place for place, entity in enumerate(entities)}
        names = (len(name) for entity in self.entities for name in (entity.label, *entity.aliases))
        ids = (len(entity.id) for entity in self.entities)
        # No name is longer than a label with an id behind it; quantities in words may be longer than any that is known.
        self._longest = 64 + max(names, default=0) + max(ids, default=0)
        self._quantities = Quantities(self.entities, mint=mint)
        self._confidence = {"name": 1.0, "spelling": spelling, "type": by_type, "context": by_context}

    def resolve(self, name: str, type: str = "", context: Context | None = None) -> Resolved | Refusal:
        """Return who is meant by ``name``.

        Args:
            name: As a text has it.
            type: Class that the place where it stands asks for; empty for any.
            context: Of the document that it stands in; without one it never decides.
        """
        if len(name) > self._longest:
            return Refusal.UNKNOWN
        readings = self.index.readings(name)
        if not readings:
            place = self._quantities.place(name, type)
            return self._with_id(name) if place is None else Resolved(place, 1.0, "name")
        return self.choose(name, readings, type, context)

    def choose(
        self, name: str, readings: Sequence[int], type: str = "", context: Context | None = None
    ) -> Resolved | Refusal:
        """Return who of those that a name may stand for is meant; see `resolve`."""
        fitting = [place for place in readings if self._fits(place, type)]
        if not fitting:
            return Refusal.WRONG_TYPE
        if len(fitting) == 1:
            by = "type" if len(readings) > 1 else "name" if self._spelt(name, fitting[0]) else "spelling"
            return Resolved(fitting[0], self._confidence[by], by)
        if context is not None:
            likely = [place for place in fitting if place in context.clear or place == context.subject]
            if len(likely) == 1:
                return Resolved(likely[0], self._confidence["context"], "context")
        return Refusal.AMBIGUOUS

    def quantity(self, value: str, unit: str, type: str) -> Resolved | Refusal:
        """Return the quantity of a class with this value and unit."""
        place = self._quantities.place(f"{value} {unit}".strip(), type)
        return Refusal.UNKNOWN if place is None else Resolved(place, 1.0, "name")

    def with_id(self, id: str) -> int | None:
        """Return the place of the entity with this id, None where there is none."""
        return self._by_id.get(id)

    def _with_id(self, name: str) -> Resolved | Refusal:
        """Return who is meant by a label with the id behind it in brackets, which tells namesakes apart."""
        label, _, id = name.removesuffix(")").rpartition(" (")
        place = self._by_id.get(id, -1) if name.endswith(")") else -1
        if place < 0 or normal(label) != normal(self.entities[place].name):
            return Refusal.UNKNOWN
        return Resolved(place, 1.0, "name")

    def _fits(self, place: int, type: str) -> bool:
        own = self.entities[place].type
        return not type or not own or own == type

    def _spelt(self, name: str, place: int) -> bool:
        entity = self.entities[place]
        # Nearly every name is written as the entity has it, and comparing texts is much faster than normal forms.
        return name == entity.label or name in entity.aliases or normal(name) in self.index.forms(place)
