"""RDF through rdflib: labels and aliases from RDFS and SKOS, quantities from numbers, and nothing from the network."""

from __future__ import annotations

import re
from collections.abc import Iterable
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any, Literal
from urllib.parse import unquote

from pydantic import PositiveInt

from rlvr_gym.graphs.checking import Checks
from rlvr_gym.graphs.collecting import Collector
from rlvr_gym.graphs.corpus import Corpus
from rlvr_gym.graphs.graph import Entity, Relation
from rlvr_gym.graphs.reading import shown
from rlvr_gym.graphs.sources.base import SOURCES
from rlvr_gym.graphs.triples import FORMATS, read_triples

_RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
_RDFS = "http://www.w3.org/2000/01/rdf-schema#"
_SKOS = "http://www.w3.org/2004/02/skos/core#"
_XSD = "http://www.w3.org/2001/XMLSchema#"
_TYPE, _LABEL = f"{_RDF}type", f"{_RDFS}label"
_NAMES = (_LABEL, f"{_SKOS}prefLabel", f"{_SKOS}altLabel")
_VOCABULARY = (_RDF, _RDFS, "http://www.w3.org/2002/07/owl#")
"""What begins so says how a vocabulary is made; it is no fact about the world."""
_NUMBERS = re.compile(
    re.escape(_XSD)
    + "(integer|decimal|double|float|(unsigned)?(int|long|short|byte)|(non)?(negative|positive)Integer)"
)
_MAX_EXPONENT = 60
"""Numbers that would take more digits than this are texts."""
_WORDS = re.compile("(?<=[a-z0-9])(?=[A-Z])")


class RDF(Checks):
    """Settings of a graph in RDF."""

    file: Path
    """The graph: Turtle, N-Triples, N3, RDF/XML or JSON-LD, as its suffix says."""
    language: str = "en"
    """Texts tagged with this language, or with none, become labels, aliases and entities; other languages do not."""
    literals: Literal["all", "numbers", "none"] = "all"
    """Which facts that end in a literal are kept."""
    max_mib: PositiveInt = 64
    """Largest file that is read; memory takes some twenty times as much."""


def rdf(config: RDF) -> Corpus:
    """RDF in Turtle, N-Triples, N3, RDF/XML or JSON-LD, through rdflib."""
    return _Reader(config, read_triples(config.file, config.max_mib << 20)).corpus()


class _Reader:
    """What the triples say, kind by kind: names and types first, then facts."""

    def __init__(self, config: RDF, triples: Iterable[tuple[Any, Any, Any]]) -> None:
        from rdflib import Literal as Text

        self._config = config
        self._text = Text
        self._ids: dict[Any, str] = {}
        self._names: dict[str, list[str]] = {}
        self._types: dict[str, list[Any]] = {}
        self._ends: dict[tuple[str, str], Any] = {}
        self._facts: list[tuple[Any, Any, Any]] = []
        self._left = {"vocabulary": 0, "literals": 0}
        for triple in triples:
            self._sort(*triple)

    def corpus(self) -> Corpus:
        """Return the graph of the facts.

        Raises:
            DataError: there are none, or a name that no graph can hold.
        """
        path = f"{self._config.file}"
        facts = [(self._id(head), f"{relation}", self._id(tail)) for head, relation, tail in self._facts]
        collector = Collector(self._config.file, lambda number: f"{path}: {' '.join(facts[number])}")
        for id in dict.fromkeys(relation for _, relation, _ in facts):
            collector.relation(self._relation(id), path)
        things = dict.fromkeys(end for fact in self._facts for end in (fact[0], fact[2]))
        # Literals that differ by spaces alone are one entity.
        for entity in {entity.id: entity for entity in map(self._entity, things)}.values():
            collector.entity(entity, f"{path}: {shown(entity.id)}")
        for fact in facts:
            collector.fact(*fact)
        what = {"vocabulary": "statements about the vocabulary", "literals": "facts that end in a literal"}
        return collector.corpus(
            self._config,
            *(f"{what[name]} left out: {number}" for name, number in self._left.items() if number),
        )

    def _sort(self, head: Any, relation: Any, tail: Any) -> None:
        is_text = isinstance(tail, self._text)
        about = f"{relation}"
        if about in _NAMES and is_text:
            if self._speaks(tail) and (name := " ".join(tail.split())):
                self._names.setdefault(f"{head}", []).append(
                    f"{_NAMES.index(about)}{not tail.language:d}{name}"
                )
        elif about == _TYPE:
            self._types.setdefault(f"{head}", []).append(tail)
        elif about in (f"{_RDFS}domain", f"{_RDFS}range"):
            self._ends[f"{head}", about] = tail
        elif about.startswith(_VOCABULARY):
            self._left["vocabulary"] += 1
        elif is_text and not self._keeps(tail):
            self._left["literals"] += 1
        else:
            self._facts.append((head, relation, tail))

    def _speaks(self, text: Any) -> bool:
        return not text.language or text.language.lower().partition("-")[0] == self._config.language.lower()

    def _keeps(self, text: Any) -> bool:
        kinds = self._config.literals
        wanted = kinds == "all" or (kinds == "numbers" and bool(_number(text)))
        return wanted and self._speaks(text) and bool(text.strip())

    def _id(self, thing: Any) -> str:
        """Return the id of an entity: its URI or its literal, equal numbers being one; nameless nodes are numbered."""
        from rdflib import BNode

        if isinstance(thing, self._text):
            if number := _number(thing):
                return number
            kind = f"^^{_local(thing.datatype)}" if thing.datatype else ""
            kind = f"@{thing.language}" if thing.language else kind
            return f'"{" ".join(thing.split())}"{kind}'
        if isinstance(thing, BNode):
            return self._ids.setdefault(thing, f"_:{len(self._ids)}")
        return f"{thing}"

    def _entity(self, thing: Any) -> Entity:
        id = self._id(thing)
        if isinstance(thing, self._text):
            if number := _number(thing):
                return Entity(id, modality="quantity", attributes={"value": number, "unit": ""})
            return Entity(id, " ".join(thing.split()))
        # Labels come before aliases and texts with a language before those without, each in alphabetical order.
        names = [name[2:] for name in sorted(self._names.get(f"{thing}", ()))]
        label, *aliases = dict.fromkeys(names) or [self._spoken(thing) if id == f"{thing}" else ""]
        types = sorted(self._spoken(kind) for kind in self._types.get(f"{thing}", ()))
        return Entity(id, "" if label == id else label, next(iter(types), ""), tuple(aliases))

    def _relation(self, id: str) -> Relation:
        names = [name[2:] for name in sorted(self._names.get(id, ()))]
        phrase = (
            names[0] if names else " ".join(_WORDS.sub(" ", _local(id)).replace("_", " ").split()).lower()
        )
        ends = [self._ends.get((id, f"{_RDFS}{end}")) for end in ("domain", "range")]
        return Relation(id, phrase, "", *("" if end is None else self._spoken(end) for end in ends))

    def _spoken(self, thing: Any) -> str:
        """Return what a class or an entity is called: its first label, or the last part of its URI."""
        names = sorted(self._names.get(f"{thing}", ()))
        return names[0][2:] if names else " ".join(_local(thing).replace("_", " ").split())


def _local(uri: Any) -> str:
    return unquote(re.split("[/#:]", f"{uri}".rstrip("/#"))[-1])


def _number(text: Any) -> str:
    """Return a numeric literal as a plain decimal number; empty where it is none."""
    if not _NUMBERS.fullmatch(f"{text.datatype or ''}"):
        return ""
    try:
        number = Decimal(f"{text}".strip())
    except InvalidOperation:
        return ""
    if not number.is_finite() or abs(number.adjusted()) > _MAX_EXPONENT or len(f"{text}") > _MAX_EXPONENT:
        return ""
    plain = f"{number:f}"
    plain = plain.rstrip("0").rstrip(".") if "." in plain else plain
    return "0" if plain in ("-0", "") else plain


SOURCES.add("rdf", rdf, config=RDF, suffixes=tuple(FORMATS))
