"""GraphML, read as a stream with bounds: elements are taken one by one, and no entity or other file is followed."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any
from xml.parsers import expat

from rlvr_gym.errors import DataError
from rlvr_gym.graphs.collecting import (
    RELATION_NAMES,
    Collector,
    NetworkChecks,
    RelationNames,
    entity_of,
    from_json,
    relations_of,
)
from rlvr_gym.graphs.corpus import Corpus
from rlvr_gym.graphs.reading import MAX_LINE_BYTES, opened, shown
from rlvr_gym.graphs.sources.base import SOURCES

_BLOCK_BYTES = 1 << 16
_MAX_DEPTH = 100
_OURS = ("aliases", "attributes")
"""Attributes that hold JSON, since GraphML has neither lists nor objects."""


class GraphML(NetworkChecks):
    """Settings of a graph in GraphML."""

    file: Path
    """The graph."""


def graphml(config: GraphML) -> Corpus:
    """GraphML, as networkx and many other programs write it."""
    reader = _Reader(config)
    reader.read()
    return reader.collector.corpus(config)


class _Reader:
    """What the parser calls; attributes of the element that is open are kept until it closes."""

    def __init__(self, config: GraphML) -> None:
        self._config = config
        self._path = config.file
        self._lines: list[int] = []
        self.collector = Collector(self._path, lambda number: f"{self._path}:{self._lines[number]}")
        self._names = RelationNames(config.relation, RELATION_NAMES)
        self._keys: dict[str, tuple[str, str, str]] = {}
        """Domain, name and type by the id of the key."""
        self._defaults: dict[str, dict[str, Any]] = {"node": {}, "edge": {}, "graph": {}}
        self._open: list[str] = []
        self._given: dict[str, str] = {}
        self._found: dict[str, Any] = {}
        self._line = 0
        self._text: list[str] | None = None
        self._length = 0
        self._key = ""
        self._directed = True
        self._num_graphs = 0
        self._of_graph: dict[str, Any] = {}

    def read(self) -> None:
        """Read the file.

        Raises:
            DataError: it is no GraphML, or no graph of facts.
        """
        parser = expat.ParserCreate(namespace_separator=" ")
        parser.buffer_text = True
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._characters
        # Everything that could make a small file large, or lead to another one, is declared there.
        parser.StartDoctypeDeclHandler = self._doctype
        self._parser = parser
        taken = 0
        try:
            with opened(self._path) as file:
                while block := file.read(_BLOCK_BYTES):
                    parser.Parse(block, False)
                    taken += len(block)
                    if taken - parser.CurrentByteIndex > MAX_LINE_BYTES:
                        raise self._error("a tag is longer than 1 MiB")
                parser.Parse(b"", True)
        except expat.ExpatError as error:
            if not taken and error.code == expat.errors.codes[expat.errors.XML_ERROR_NO_ELEMENTS]:
                raise DataError(f"{self._path}: the file is empty.") from None
            reason = expat.errors.messages[error.code]
            raise DataError(
                f"{self._path}:{error.lineno}: not XML at column {error.offset + 1}: {reason}."
            ) from None
        except (LookupError, UnicodeError) as error:
            raise self._error(f"the encoding cannot be read: {error}") from None
        if not self._num_graphs:
            raise DataError(f"{self._path}: no element 'graph'.")
        self._describe()

    def _start(self, tag: str, given: dict[str, str]) -> None:
        name = tag.rpartition(" ")[2]
        if len(self._open) >= _MAX_DEPTH:
            raise self._error(f"elements are nested deeper than {_MAX_DEPTH}")
        if not self._open and name != "graphml":
            raise self._error(f"the file is not GraphML: its outermost element is {shown(name)}")
        parent = self._open[-1] if self._open else ""
        self._open.append(name)
        if name == "graph":
            self._num_graphs += 1
            if self._num_graphs > 1:
                raise self._error("a second graph")
            self._directed = self._require(given, name, "edgedefault") == "directed"
        elif name in ("hyperedge", "locator"):
            raise self._error(f"an element {shown(name)}: only nodes and edges between two are read")
        elif name == "key":
            self._key = self._require(given, name, "id")
            self._keys[self._key] = (
                given.get("for", "all"),
                given.get("attr.name", self._key),
                given.get("attr.type", "string"),
            )
        elif name in ("node", "edge") and parent == "graph":
            self._given, self._found, self._line = given, {}, self._parser.CurrentLineNumber
        elif (name == "data" and parent in ("node", "edge", "graph")) or (
            name == "default" and parent == "key"
        ):
            self._text, self._length = [], 0
            if name == "data":
                self._key = self._require(given, name, "key")
                if self._key not in self._keys:
                    raise self._error(f"no key has the id {shown(self._key)}")

    def _end(self, tag: str) -> None:
        name = self._open.pop()
        parent = self._open[-1] if self._open else ""
        if (
            name in ("data", "default")
            and self._text is not None
            and parent in ("node", "edge", "graph", "key")
        ):
            self._take("".join(self._text), parent)
            self._text = None
        elif name == "node" and parent == "graph":
            where = f"{self._path}:{self._line}"
            id = self._require(self._given, name, "id")
            values = {**self._defaults["node"], **self._found}
            for ours in _OURS:
                if isinstance(values.get(ours), str) and values[ours][:1] in ("[", "{"):
                    values[ours] = from_json(values[ours], f"{where}.{ours}")
            self.collector.entity(entity_of(id, values, self._config, where), where)
        elif name == "edge" and parent == "graph":
            self._edge()

    def _edge(self) -> None:
        where = f"{self._path}:{self._line}"
        directed = {"true": True, "false": False}.get(self._given.get("directed", ""), self._directed)
        if not directed:
            raise DataError(f"{where}: the edge is undirected, but a fact has a head and a tail.")
        values = {**self._defaults["edge"], **self._found}
        if "id" in self._given:
            values.setdefault("id", self._given["id"])
        head, tail = (self._require(self._given, "edge", end) for end in ("source", "target"))
        self._lines.append(self._line)
        self.collector.fact(head, self._names.of(values, where), tail)

    def _take(self, text: str, parent: str) -> None:
        """Keep the value of a key, for what is open or for everything of its domain."""
        domain, name, kind = self._keys[self._key]
        value = self._value(text, kind)
        if parent == "key":
            for other in self._defaults:
                if domain in (other, "all"):
                    self._defaults[other][name] = value
        elif parent == "graph":
            self._of_graph[name] = value
        else:
            self._found[name] = value

    def _characters(self, text: str) -> None:
        # What stands in elements of other programs inside data, such as shapes, is no value.
        if self._text is not None and self._open[-1] in ("data", "default"):
            self._length += len(text)
            if self._length > MAX_LINE_BYTES:
                raise self._error("a text is longer than 1 MiB")
            self._text.append(text)

    def _doctype(self, *_: Any) -> None:
        raise self._error("a document type is declared; GraphML needs none, and none is followed")

    def _value(self, text: str, kind: str) -> Any:
        try:
            if kind in ("int", "long"):
                return int(text)
            if kind in ("float", "double"):
                number = float(text)
                return number if math.isfinite(number) else text
        except ValueError:
            raise self._error(f"{shown(text)} is no {kind}") from None
        return text.strip() in ("true", "1") if kind == "boolean" else text

    def _describe(self) -> None:
        """Hand on what the graph says of its relations, where `rlvr_gym.graphs.writing` wrote it."""
        described = self._of_graph.get("relations")
        if isinstance(described, str) and described.startswith("{"):
            where = f"{self._path}: relations"
            for relation in relations_of(from_json(described, where), where):
                self.collector.relation(relation, where)

    def _require(self, given: dict[str, str], element: str, name: str) -> str:
        if name not in given:
            raise self._error(f"an element '{element}' has no {shown(name)}")
        return given[name]

    def _error(self, reason: str) -> DataError:
        return DataError(f"{self._path}:{self._parser.CurrentLineNumber}: {reason}.")


SOURCES.add("graphml", graphml, config=GraphML, suffixes=(".graphml",))
