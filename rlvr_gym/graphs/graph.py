"""Knowledge graphs: facts in compact arrays for walking them by the million, and networkx as the public view.

Entities, relations and facts have places 0, 1, 2, ... and are addressed by them; ids are what files call them. A *step*
is a relation walked in one direction: step ``r`` goes from head to tail, step ``r + num_relations`` from tail to head.
"""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, overload

import numpy as np
from numpy.typing import NDArray

from rlvr_gym.errors import UsageError, did_you_mean
from rlvr_gym.graphs.steps import Places as Places
from rlvr_gym.graphs.steps import Steps as Steps
from rlvr_gym.types import Json

if TYPE_CHECKING:
    import networkx

    from rlvr_gym.graphs.aliases import AliasIndex

Modality = Literal["text", "image", "table", "quantity"]
_NOTHING: Mapping[str, Json] = {}
"""Shared by all entities without attributes: a graph has very many of them."""


@dataclass(frozen=True, slots=True)
class Entity:
    """A node: what it is called and what it carries."""

    id: str
    label: str = ""
    """What people call it; the id when empty."""
    type: str = ""
    """Its class, such as ``city``; empty where the graph has none."""
    aliases: tuple[str, ...] = ()
    """Other names."""
    modality: Modality = "text"
    """``quantity`` is a number with a unit in ``attributes``; ``table`` and ``image`` carry what a reader is shown."""
    attributes: Mapping[str, Json] = field(default_factory=lambda: _NOTHING)
    """``value`` (a decimal number as text) and ``unit`` of a quantity, ``rows`` of a table, whatever else a file holds."""
    document: str = ""
    """Id of the document it is of, such as the one that a figure stands in; empty where it is of none."""

    @property
    def name(self) -> str:
        """The label, or the id where there is none."""
        return self.label or self.id


@dataclass(frozen=True, slots=True)
class Relation:
    """A kind of fact, with the words by which questions say it."""

    id: str
    phrase: str = ""
    """A noun phrase that ``of`` follows: ``capital`` as in "the capital of France"; from the id when empty."""
    inverse_phrase: str = ""
    """The same from tail to head: ``country whose capital is``, which the tail follows; no inverse wording when empty."""
    head_type: str = ""
    """Class of its heads; empty for any."""
    tail_type: str = ""
    """Class of its tails, which is the class of the answer; empty for any."""

    @property
    def words(self) -> str:
        """The noun phrase: the given one, or the id with its separators turned into spaces."""
        return self.phrase or " ".join(self.id.replace("_", " ").replace("-", " ").replace("/", " ").split())


class KnowledgeGraph:
    """Entities, relations, and facts (head, relation, tail), each fact once.

    Args:
        entities: In the order of their places.
        relations: In the order of their places.
        facts: Places of head, relation and tail, shape (n, 3); repeated facts are dropped.

    Raises:
        UsageError: an id that comes twice, or a place that does not exist.
    """

    def __init__(
        self, entities: Sequence[Entity], relations: Sequence[Relation], facts: NDArray[np.integer[Any]]
    ) -> None:
        self.entities: Sequence[Entity] = entities if isinstance(entities, _Entities) else _Entities(entities)
        self.relations = tuple(relations)
        self._place = _places(entities, "entity")
        self._relation_place = _places(self.relations, "relation")
        rows = np.asarray(facts, np.int64).reshape(-1, 3)
        limits = (len(self.entities), len(self.relations), len(self.entities))
        if len(rows) and ((rows < 0).any() or (rows >= limits).any()):
            raise UsageError(
                f"knowledge graph: a fact names a place that does not exist, of {limits[0]} entities and {limits[1]} relations."
            )
        # Sorting one 64-bit key is several times as fast as sorting rows, and as numpy's own hashing of what comes twice.
        keys = np.sort((rows[:, 0] * max(1, limits[1]) + rows[:, 1]) * max(1, limits[2]) + rows[:, 2])
        keys = keys[np.diff(keys, prepend=-1) > 0]
        rest, tails = np.divmod(keys, max(1, limits[2]))
        heads, kinds = np.divmod(rest, max(1, limits[1]))
        self.steps = Steps(limits[0], limits[1], heads, kinds, tails)
        """All steps from all entities: what the graph is kept as."""

    @property
    def num_entities(self) -> int:
        """Number of entities."""
        return len(self.entities)

    @property
    def num_relations(self) -> int:
        """Number of relations; there are twice as many steps."""
        return len(self.relations)

    @property
    def num_facts(self) -> int:
        """Number of different facts."""
        return len(self.steps.ends) // 2

    @property
    def heads(self) -> Places:
        """Heads of the facts, in the order of (head, relation, tail); made from the steps whenever asked for."""
        return np.repeat(self.steps.owners()[self._forward], self._sizes[self._forward])

    @property
    def kinds(self) -> Places:
        """Their relations."""
        return np.repeat(self.steps.group_step[self._forward].astype(np.int32), self._sizes[self._forward])

    @property
    def tails(self) -> Places:
        """Their tails."""
        return self.steps.ends[np.repeat(self._forward, self._sizes)]

    @property
    def _forward(self) -> NDArray[np.bool_]:
        return self.steps.group_step < self.num_relations

    @property
    def _sizes(self) -> Places:
        return np.diff(self.steps.group_start)

    def place(self, id: str) -> int:
        """Return the place of an entity.

        Raises:
            UsageError: no entity has this id.
        """
        if id not in self._place:
            raise UsageError(f"knowledge graph: no entity has the id '{id}'.{did_you_mean(id, self._place)}")
        return self._place[id]

    def relation_place(self, id: str) -> int:
        """Return the place of a relation, which is also its step from head to tail.

        Raises:
            UsageError: no relation has this id.
        """
        if id not in self._relation_place:
            raise UsageError(
                f"knowledge graph: no relation has the id '{id}'.{did_you_mean(id, self._relation_place)}"
            )
        return self._relation_place[id]

    def __contains__(self, id: object) -> bool:
        """Return whether an entity has this id."""
        return id in self._place

    @functools.cached_property
    def in_degrees(self) -> Places:
        """Of how many facts each entity is the tail, shape (entities,)."""
        bounds = self.steps.group_start
        return bounds[self.steps.entity_start[1:]] - bounds[self.steps.inverse_start]

    @functools.cached_property
    def relation_sizes(self) -> Places:
        """How many facts each relation has, shape (relations,)."""
        return np.bincount(self.kinds, minlength=self.num_relations).astype(np.int32)

    @functools.cached_property
    def aliases(self) -> AliasIndex:
        """What every name may mean; built when first asked for."""
        from rlvr_gym.graphs.aliases import AliasIndex

        return AliasIndex(self.entities)

    def reverse(self, step: int) -> int:
        """Return the step that leads back.

        Example:
            A graph with 3 relations: ``reverse(1) == 4`` and ``reverse(4) == 1``.
        """
        n = self.num_relations
        return step + n if step < n else step - n

    def relation(self, step: int) -> Relation:
        """Return the relation of a step, whichever way it is walked."""
        return self.relations[step % self.num_relations]

    def is_inverse(self, step: int) -> bool:
        """Return whether a step walks its relation from tail to head."""
        return step >= self.num_relations

    def successors(self, entity: int, step: int) -> Places:
        """Return where ``step`` leads from ``entity``, sorted."""
        return self.steps.successors(entity, step)

    def answers(self, start: int, steps: Sequence[int]) -> Places:
        """Return all entities that walking ``steps`` in order from ``start`` can end in, sorted."""
        at = np.array([start], np.int32)
        for step in steps:
            if not len(at):
                break
            at = np.unique(np.concatenate([self.steps.successors(int(entity), step) for entity in at]))
        return at

    def holds(self, head: int, step: int, tail: int) -> bool:
        """Return whether ``step`` leads from ``head`` to ``tail``."""
        found = self.steps.successors(head, step)
        at = int(np.searchsorted(found, tail))
        return at < len(found) and int(found[at]) == tail

    def without(self, entity: int, step: int, other: int) -> KnowledgeGraph:
        """Return the graph without the one fact that ``step`` walks from ``entity`` to ``other``."""
        head, tail = (other, entity) if self.is_inverse(step) else (entity, other)
        gone = (self.heads == head) & (self.kinds == step % self.num_relations) & (self.tails == tail)
        return KnowledgeGraph(self.entities, self.relations, self.facts()[~gone])

    def facts(self) -> Places:
        """Return all facts as places of head, relation and tail, shape (n, 3), sorted."""
        return np.stack([self.heads, self.kinds, self.tails], axis=1)

    @functools.cached_property
    def digest(self) -> str:
        """A hash of everything in the graph: 20 hexadecimal digits."""
        hashed = hashlib.blake2b(digest_size=10)
        for thing in (*self.entities, *self.relations):
            hashed.update(repr(thing).encode("utf-8", "surrogatepass"))
        hashed.update(self.facts().tobytes())
        return hashed.hexdigest()

    def to_networkx(self) -> networkx.MultiDiGraph:
        """Return the graph for everything that networkx can do: nodes by id, edges with their relation as key."""
        # Imported here, since environments import graphs and seldom need it.
        import networkx

        graph = networkx.MultiDiGraph()
        for entity in self.entities:
            graph.add_node(
                entity.id,
                label=entity.name,
                type=entity.type,
                aliases=list(entity.aliases),
                modality=entity.modality,
                attributes=dict(entity.attributes),
                document=entity.document,
            )
        ids = [entity.id for entity in self.entities]
        names = [relation.id for relation in self.relations]
        graph.add_edges_from(
            (ids[head], ids[tail], names[kind]) for head, kind, tail in self.facts().tolist()
        )
        graph.graph["relations"] = {
            relation.id: {
                "phrase": relation.phrase,
                "inverse_phrase": relation.inverse_phrase,
                "head_type": relation.head_type,
                "tail_type": relation.tail_type,
            }
            for relation in self.relations
        }
        return graph

    @classmethod
    def of(
        cls,
        triples: Iterable[tuple[str, str, str]],
        *,
        entities: Mapping[str, Entity] | None = None,
        relations: Mapping[str, Relation] | None = None,
    ) -> KnowledgeGraph:
        """Return the graph of triples of ids; places follow first appearance, described but unused ones come last.

        Args:
            triples: Head, relation and tail of each fact.
            entities: Descriptions by id, of all entities or of some.
            relations: Descriptions by id, of all relations or of some.

        Example:
            >>> graph = KnowledgeGraph.of([("ada", "born in", "london"), ("london", "part of", "england")])
            >>> start, steps = graph.place("ada"), [graph.relation_place(id) for id in ("born in", "part of")]
            >>> [graph.entities[place].id for place in graph.answers(start, steps)]
            ['england']
        """
        nodes: dict[str, int] = {}
        kinds: dict[str, int] = {}
        rows = [
            (
                nodes.setdefault(head, len(nodes)),
                kinds.setdefault(kind, len(kinds)),
                nodes.setdefault(tail, len(nodes)),
            )
            for head, kind, tail in triples
        ]
        for id in entities or ():
            nodes.setdefault(id, len(nodes))
        for id in relations or ():
            kinds.setdefault(id, len(kinds))
        return cls(
            [(entities or {}).get(id) or Entity(id) for id in nodes],
            [(relations or {}).get(id) or Relation(id) for id in kinds],
            np.array(rows, np.int64).reshape(-1, 3),
        )


class _Entities(Sequence[Entity]):
    """Entities by their places; one that is nothing but an id is kept as that, and made anew whenever it is asked for."""

    __slots__ = ("_kept",)

    def __init__(self, entities: Iterable[Entity]) -> None:
        self._kept = tuple(entity.id if entity == Entity(entity.id) else entity for entity in entities)

    def __len__(self) -> int:
        return len(self._kept)

    @overload
    def __getitem__(self, place: int) -> Entity: ...

    @overload
    def __getitem__(self, place: slice) -> tuple[Entity, ...]: ...

    def __getitem__(self, place: int | slice) -> Entity | tuple[Entity, ...]:
        kept = self._kept[place]
        return tuple(map(_entity, kept)) if isinstance(kept, tuple) else _entity(kept)

    def __iter__(self) -> Iterator[Entity]:
        return map(_entity, self._kept)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and tuple(self) == tuple(other)

    __hash__ = None  # type: ignore[assignment]  # as of all that compare by value and hold things without a hash


def _entity(kept: Entity | str) -> Entity:
    return Entity(kept) if isinstance(kept, str) else kept


def _places(things: Sequence[Entity] | Sequence[Relation], what: str) -> dict[str, int]:
    ids = [thing.id for thing in things]
    places = {id: place for place, id in enumerate(ids)}
    if len(places) < len(ids):
        twice = next(id for place, id in enumerate(ids) if places[id] != place)
        raise UsageError(f"knowledge graph: two {what} descriptions have the id '{twice}'.")
    return places
