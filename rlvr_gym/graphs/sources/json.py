"""Node-link JSON, as ``networkx.node_link_data(graph.to_networkx())`` has it, and as other programs write it."""

from __future__ import annotations

import json as json_module
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from pydantic import PositiveInt

from rlvr_gym.errors import DataError, did_you_mean
from rlvr_gym.graphs.collecting import (
    RELATION_NAMES,
    Collector,
    NetworkChecks,
    RelationNames,
    entity_of,
    relations_of,
)
from rlvr_gym.graphs.corpus import Corpus
from rlvr_gym.graphs.reading import decoded, whole
from rlvr_gym.graphs.sources.base import SOURCES


class JSON(NetworkChecks):
    """Settings of a graph in node-link JSON."""

    file: Path
    """The graph."""
    max_mib: PositiveInt = 256
    """Largest file that is read; memory takes some twenty times as much."""


def json(config: JSON) -> Corpus:
    """Node-link JSON of networkx: nodes and edges with their attributes."""
    path = config.file
    data = _parsed(path, config.max_mib)
    if not isinstance(data, dict):
        raise DataError(f"{path}: must be an object with 'nodes' and 'edges', got {type(data).__name__}.")
    if data.get("directed") is False:
        raise DataError(f"{path}: the graph is undirected, but a fact has a head and a tail.")
    # Networkx before 3.4 called the edges links.
    edges_name = "links" if "links" in data and "edges" not in data else "edges"
    collector = Collector(path, lambda number: f"{path}: {edges_name}[{number}]")
    described = data.get("graph")
    if isinstance(described, dict) and "relations" in described:
        where = f"{path}: graph.relations"
        for relation in relations_of(described["relations"], where):
            collector.relation(relation, f"{where}.{relation.id}")
    for number, node in enumerate(_rows(data, "nodes", path)):
        where = f"{path}: nodes[{number}]"
        id = _id(node, "id", where)
        rest = {name: value for name, value in node.items() if name != "id"}
        collector.entity(entity_of(id, rest, config, where), where)
    names = RelationNames(config.relation, (*RELATION_NAMES, "key"))
    for number, edge in enumerate(_rows(data, edges_name, path)):
        where = f"{path}: {edges_name}[{number}]"
        collector.fact(_id(edge, "source", where), names.of(edge, where), _id(edge, "target", where))
    return collector.corpus(config)


def _parsed(path: Path, max_mib: int) -> Any:
    text = decoded(path, whole(path, max_mib << 20))
    try:
        return json_module.loads(text, object_pairs_hook=_unique, parse_constant=_refuse_constant)
    except json_module.JSONDecodeError as error:
        raise DataError(f"{path}:{error.lineno}: not JSON at column {error.colno}: {error.msg}.") from None
    except RecursionError:
        raise DataError(f"{path}: nested too deep for a graph.") from None
    except ValueError as error:
        raise DataError(f"{path}: not JSON: {error}.") from None


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        twice = next(name for number, (name, _) in enumerate(pairs) if name in dict(pairs[:number]))
        raise ValueError(f"an object has the name {twice!r:.60} twice")
    return found


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is no number of JSON")


def _rows(data: Mapping[str, Any], name: str, path: Path) -> list[dict[str, Any]]:
    if name not in data:
        raise DataError(f"{path}: no list '{name}'.{did_you_mean(name, data)}")
    rows = data[name]
    if not isinstance(rows, list):
        raise DataError(f"{path}: {name}: must be a list, got {type(rows).__name__}.")
    for number, row in enumerate(rows):
        if not isinstance(row, dict):
            raise DataError(f"{path}: {name}[{number}]: must be an object, got {type(row).__name__}.")
    return rows


def _id(row: Mapping[str, Any], name: str, where: str) -> str:
    """Return an id, which may be a whole number: then its digits are the id."""
    id = row.get(name)
    if isinstance(id, int) and not isinstance(id, bool):
        return str(id)
    if not isinstance(id, str):
        given = "nothing" if name not in row else f"{id!r:.60}"
        raise DataError(f"{where}.{name}: must be a text or a whole number, got {given}.")
    return id


SOURCES.add("json", json, config=JSON, suffixes=(".json",))
