"""Writing graphs to files that the sources read."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

import networkx

from rlvr_gym.errors import UsageError
from rlvr_gym.graphs.graph import Entity, KnowledgeGraph
from rlvr_gym.graphs.reading import flaw, shown


def write_graph(graph: KnowledgeGraph, path: Path) -> dict[str, Any]:
    """Write a graph in the format of the file's suffix and return the table that names it as a source.

    ``.tsv`` writes labels, aliases and relations to files beside it, such as ``cities.labels.tsv``.

    Raises:
        UsageError: another suffix, a name that no file holds, or what tables cannot say: entities without facts or with
            attributes, relations without facts. Then nothing is written. Or a file that cannot be written.
    """
    writers: Mapping[str, Callable[[KnowledgeGraph, Path], dict[str, Any]]] = {
        ".tsv": _write_tsv,
        ".json": _write_json,
        ".graphml": _write_graphml,
    }
    if path.suffix not in writers:
        raise UsageError(f"{path}: graphs are written to files that end in {', '.join(writers)}.")
    _refuse_flaws(graph)
    try:
        return writers[path.suffix](graph, path)
    except OSError as error:
        raise UsageError(f"{error.filename or path}: {error.strerror}.") from None


def _write_json(graph: KnowledgeGraph, path: Path) -> dict[str, Any]:
    with path.open("w", encoding="utf-8") as file:
        json.dump(networkx.node_link_data(graph.to_networkx(), edges="edges"), file)
    return {"name": "json", "file": str(path)}


def _write_graphml(graph: KnowledgeGraph, path: Path) -> dict[str, Any]:
    network = graph.to_networkx()
    # GraphML has neither lists nor objects, and its edge ids must differ.
    for _, values in network.nodes(data=True):
        values["aliases"] = json.dumps(values["aliases"])
        values["attributes"] = json.dumps(values["attributes"])
    for _, _, key, values in network.edges(keys=True, data=True):
        values["relation"] = key
    network.graph["relations"] = json.dumps(network.graph["relations"])
    with path.open("wb") as file:
        networkx.write_graphml_xml(network, file)
    return {"name": "graphml", "file": str(path)}


def _write_tsv(graph: KnowledgeGraph, path: Path) -> dict[str, Any]:
    used = {*graph.heads.tolist(), *graph.tails.tolist()}
    for place, entity in enumerate(graph.entities):
        if place not in used:
            raise UsageError(f"{path}: tables hold no entity without facts, such as {shown(entity.id)}.")
        if entity.modality != "text" or entity.attributes or entity.document:
            raise UsageError(f"{path}: tables hold no attributes, such as those of {shown(entity.id)}.")
    for kind in sorted(set(range(graph.num_relations)) - set(graph.kinds.tolist())):
        raise UsageError(
            f"{path}: tables hold no relation without facts, such as {shown(graph.relations[kind].id)}."
        )
    table = {"name": "tsv", "file": str(path)}
    ids = [entity.id for entity in graph.entities]
    kinds = [relation.id for relation in graph.relations]
    _write_rows(path, ((ids[head], kinds[kind], ids[tail]) for head, kind, tail in graph.facts().tolist()))
    beside: dict[str, list[tuple[str, ...]]] = {
        "labels": [_label(entity) for entity in graph.entities if entity.label or entity.type],
        "aliases": [(entity.id, *entity.aliases) for entity in graph.entities if entity.aliases],
        "relations": [
            (relation.id, relation.phrase, relation.inverse_phrase, relation.head_type, relation.tail_type)
            for relation in graph.relations
            if relation.phrase or relation.inverse_phrase or relation.head_type or relation.tail_type
        ],
    }
    for what, rows in beside.items():
        if rows:
            table[what] = str(path.with_suffix(f".{what}.tsv"))
            _write_rows(Path(table[what]), rows)
    return table


def _label(entity: Entity) -> tuple[str, ...]:
    return (entity.id, entity.label, entity.type) if entity.type else (entity.id, entity.label)


def _write_rows(path: Path, rows: Iterable[tuple[str, ...]]) -> None:
    with path.open("w", encoding="utf-8", newline="\n") as file:
        file.writelines("\t".join(row) + "\n" for row in rows)


def _refuse_flaws(graph: KnowledgeGraph) -> None:
    for entity in graph.entities:
        for name in (entity.id, *filter(None, (entity.label, entity.type, entity.document)), *entity.aliases):
            if wrong := flaw(name):
                raise UsageError(
                    f"entity {shown(entity.id)}: the name {shown(name)} {wrong}, so no file holds it."
                )
    for relation in graph.relations:
        words = (relation.phrase, relation.inverse_phrase, relation.head_type, relation.tail_type)
        for name in (relation.id, *filter(None, words)):
            if wrong := flaw(name):
                raise UsageError(
                    f"relation {shown(relation.id)}: {shown(name)} {wrong}, so no file holds it."
                )
