"""A graph that is put together from nodes and edges in whatever order a file has them."""

from __future__ import annotations

import json
from array import array
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, cast, get_args

import numpy as np

from rlvr_gym.errors import DataError
from rlvr_gym.graphs.checking import Checks, checked
from rlvr_gym.graphs.corpus import Corpus
from rlvr_gym.graphs.graph import Entity, KnowledgeGraph, Modality, Places, Relation
from rlvr_gym.graphs.reading import flaw, near, shown

RELATION_NAMES = ("relation", "predicate", "label", "type")
"""Attributes of an edge that may name its relation: the first of these that the first edge has."""
LABEL_NAMES = ("label", "name", "title")
"""Attributes of a node that may hold its label: the first of these that it has."""
_OWN = ("type", "aliases", "modality", "attributes", "document")
"""Attributes of a node that are fields of an entity."""
_PHRASES = ("phrase", "inverse_phrase", "head_type", "tail_type")


class NetworkChecks(Checks):
    """Settings of a graph with attributes."""

    relation: str = ""
    """The attribute of an edge that names its relation; empty for the first of ``relation``, ``predicate``, ``label``
    and ``type`` that the first edge has, and the edge's own key or id where it has none of them."""
    label: str = ""
    """The attribute of a node that holds its label; empty for the first of ``label``, ``name`` and ``title``."""
    type: str = "type"
    """The attribute of a node that holds its type."""


class Collector:
    """Entities, relations and facts so far.

    Args:
        source: The file.
        at: Says where fact number n of all that were added was read.
    """

    def __init__(self, source: Path, at: Callable[[int], str]) -> None:
        self._source = source
        self._at = at
        self._places: dict[str, int] = {}
        self._entities: dict[int, Entity] = {}
        self._relations: dict[str, Relation] = {}
        self._kinds: dict[str, int] = {}
        self._facts = array("i")

    def entity(self, entity: Entity, where: str) -> None:
        """Add an entity.

        Raises:
            DataError: a flaw of its id or its names, or an id that another one has.
        """
        for what, name in (("id", entity.id), ("label", entity.label), ("type", entity.type)):
            if name or what == "id":
                _refuse(where, what, name)
        for alias in entity.aliases:
            _refuse(where, "alias", alias)
        place = self._places.setdefault(entity.id, len(self._places))
        if place in self._entities:
            raise DataError(f"{where}: a second node has the id {shown(entity.id)}.")
        self._entities[place] = entity

    def relation(self, relation: Relation, where: str) -> None:
        """Describe a relation.

        Raises:
            DataError: a flaw of its id or its words.
        """
        _refuse(where, "relation", relation.id)
        for name in _PHRASES:
            if text := getattr(relation, name):
                _refuse(where, name.replace("_", " "), text)
        self._kinds.setdefault(relation.id, len(self._kinds))
        self._relations[relation.id] = relation

    def fact(self, head: str, relation: str, tail: str) -> None:
        """Add a fact, whose entities may come later.

        Raises:
            DataError: a flaw of the relation's id.
        """
        if relation not in self._kinds:
            _refuse(self._at(self.num_facts), "relation", relation)
            self._kinds[relation] = len(self._kinds)
        self._facts.append(self._places.setdefault(head, len(self._places)))
        self._facts.append(self._kinds[relation])
        self._facts.append(self._places.setdefault(tail, len(self._places)))

    @property
    def num_facts(self) -> int:
        """Number of facts added."""
        return len(self._facts) // 3

    def corpus(self, config: Checks, *notes: str) -> Corpus:
        """Return everything as a corpus, entities and described relations in the order in which they were added.

        Raises:
            DataError: no facts, an edge to a node that there is not, or what the checks find.
        """
        if not self._facts:
            raise DataError(f"{self._source}: no facts.")
        read = np.frombuffer(self._facts, np.int32).reshape(-1, 3)
        self._refuse_unknown(read)
        kinds = [*self._relations, *(id for id in self._kinds if id not in self._relations)]
        entity_order = _ranks(list(self._entities), len(self._places))
        kind_order = _ranks([self._kinds[id] for id in kinds], len(kinds))
        facts = np.stack([entity_order[read[:, 0]], kind_order[read[:, 1]], entity_order[read[:, 2]]], axis=1)
        graph = KnowledgeGraph(
            list(self._entities.values()), [self._relations.get(id) or Relation(id) for id in kinds], facts
        )
        if repeated := len(facts) - graph.num_facts:
            notes = (*notes, f"facts that the file repeats: {repeated}")

        def where(fact: tuple[str, str, str]) -> str:
            place = (self._places[fact[0]], self._kinds[fact[1]], self._places[fact[2]])
            return self._at(int(np.flatnonzero((read == place).all(axis=1))[0]))

        return Corpus(graph, notes=(*notes, *checked(graph, config, where)))

    def _refuse_unknown(self, facts: Places) -> None:
        known = np.zeros(len(self._places), bool)
        known[list(self._entities)] = True
        lost = np.flatnonzero(~known[facts[:, [0, 2]]].all(axis=1))
        if len(lost):
            place = next(int(end) for end in facts[lost[0], [0, 2]] if not known[end])
            ids = list(self._places)
            hint = near(ids[place], [ids[other] for other in self._entities])
            raise DataError(f"{self._at(int(lost[0]))}: no node has the id {shown(ids[place])}.{hint}")


class RelationNames:
    """Which attribute of an edge names its relation: decided by the first edge, the same for all.

    Args:
        given: The attribute that the settings name; empty for the first of ``others`` that the first edge has.
        others: Attributes that may be meant.
    """

    def __init__(self, given: str, others: Sequence[str]) -> None:
        self._given = given
        self._others = others

    def of(self, edge: Mapping[str, Any], where: str) -> str:
        """Return the relation of an edge.

        Raises:
            DataError: it has none.
        """
        if not self._given:
            self._given = next((name for name in self._others if isinstance(edge.get(name), str)), "")
        if not self._given:
            raise DataError(
                f"{where}: no relation, which one of {', '.join(self._others)} would be; "
                "the setting relation names another attribute."
            )
        if self._given not in edge:
            raise DataError(f"{where}: no attribute {shown(self._given)}, by which relations are named here.")
        return _text(edge, self._given, where)


def entity_of(id: str, attributes: Mapping[str, Any], config: NetworkChecks, where: str) -> Entity:
    """Return the entity of a node with attributes; those that are none of its fields go to its ``attributes``.

    Raises:
        DataError: an attribute of the wrong kind.
    """
    label_name = config.label or next((name for name in LABEL_NAMES if name in attributes), "")
    label = _text(attributes, label_name, where)
    used = {label_name, config.type, *_OWN}
    modality = _text(attributes, "modality", where) or "text"
    if modality not in get_args(Modality):
        known = ", ".join(get_args(Modality))
        raise DataError(f"{where}.modality: one of {known}, got {shown(modality)}.")
    own = attributes.get("attributes", {})
    if not isinstance(own, dict):
        raise DataError(f"{where}.attributes: must be an object, got {type(own).__name__}.")
    return Entity(
        id,
        # The same name twice would be a label that says nothing.
        "" if label == id else label,
        _text(attributes, config.type, where),
        _names(attributes.get("aliases", ()), f"{where}.aliases"),
        cast(Modality, modality),
        {**{name: value for name, value in attributes.items() if name not in used}, **own},
        _text(attributes, "document", where),
    )


def relations_of(described: Any, where: str) -> list[Relation]:
    """Return the relations that a graph's attribute ``relations`` describes.

    Raises:
        DataError: it is not as `KnowledgeGraph.to_networkx` writes it.
    """
    if not isinstance(described, dict):
        raise DataError(f"{where}: must be an object of relations, got {type(described).__name__}.")
    found = []
    for id, row in described.items():
        if not isinstance(row, dict):
            raise DataError(f"{where}.{id}: must be an object, got {type(row).__name__}.")
        if unknown := sorted(set(row) - set(_PHRASES)):
            raise DataError(f"{where}.{id}: no field {shown(unknown[0])}.{near(unknown[0], _PHRASES)}")
        found.append(Relation(id, **{name: _text(row, name, f"{where}.{id}") for name in row}))
    return found


def from_json(text: str, where: str) -> Any:
    """Return what JSON inside an attribute says.

    Raises:
        DataError: it is no JSON.
    """
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        raise DataError(f"{where}: not JSON: {shown(text)}") from None


def _ranks(order: Sequence[int], number: int) -> Places:
    """Return where each of ``number`` places stands in ``order``."""
    ranks = np.zeros(number, np.int32)
    ranks[list(order)] = np.arange(len(order))
    return ranks


def _names(value: Any, where: str) -> tuple[str, ...]:
    names = [value] if isinstance(value, str) else value
    if not isinstance(names, list | tuple) or not all(isinstance(name, str) for name in names):
        raise DataError(f"{where}: must be a list of texts, got {value!r:.60}.")
    return tuple(dict.fromkeys(names))


def _text(attributes: Mapping[str, Any], name: str, where: str) -> str:
    value = attributes.get(name, "")
    if isinstance(value, int) and not isinstance(value, bool):
        # Years and numbers are names as well.
        return str(value)
    if not isinstance(value, str):
        raise DataError(f"{where}.{name}: must be a text, got {value!r:.60}.")
    return value


def _refuse(where: str, what: str, name: str) -> None:
    if wrong := flaw(name):
        raise DataError(f"{where}: the {what} {shown(name) + ' ' if name else ''}{wrong}.")
