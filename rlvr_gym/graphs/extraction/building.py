"""The builder: from documents to a graph with evidence, in three stages."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from rlvr_gym.errors import UsageError
from rlvr_gym.graphs.corpus import Corpus, Document, Evidence, Fact
from rlvr_gym.graphs.extraction.audit import audit
from rlvr_gym.graphs.extraction.entities import gather
from rlvr_gym.graphs.extraction.figures import chart_facts, table_facts
from rlvr_gym.graphs.extraction.free_text import Passage, Reader
from rlvr_gym.graphs.extraction.nodes import with_structure
from rlvr_gym.graphs.extraction.patterns import Patterns
from rlvr_gym.graphs.extraction.referring import Reference, refer
from rlvr_gym.graphs.extraction.report import Report
from rlvr_gym.graphs.extraction.resolving import Context, Resolver
from rlvr_gym.graphs.extraction.saying import Listener
from rlvr_gym.graphs.extraction.settings import ExtractionConfig, Known
from rlvr_gym.graphs.extraction.structural import Outline, Part, outline
from rlvr_gym.graphs.graph import KnowledgeGraph
from rlvr_gym.policies.base import Policy

STRUCTURAL, SEMANTIC, RESULT = "structural", "semantic", "result"


@dataclass(frozen=True, slots=True)
class Extraction:
    """What was built from documents."""

    corpus: Corpus
    """The graph with the documents, and the evidence of each fact."""
    parts: tuple[Part, ...]
    """Documents, sections, tables and figures."""
    references: tuple[Reference, ...]
    """From documents to what they are about, refer to and mention."""
    report: Report


def build_graph(
    documents: Sequence[Document],
    *,
    known: Known | KnowledgeGraph,
    config: ExtractionConfig | None = None,
    policy: Policy | None = None,
) -> Extraction:
    """Return the graph that documents state, with evidence for each fact and a report of what was left out.

    The structural stage takes documents apart, the reference stage finds whom they are about and mention, and the
    semantic stage hears facts in sentences, tables and charts. A fact is taken only from a sentence whose form is known
    from end to end and both of whose names mean one entity each, so facts cross documents through resolved entities only.

    Args:
        documents: What to read, such as those of `documents_of`.
        known: The relations, and the entities that are known beforehand; of a graph only these are used.
        config: Settings; the defaults when left out.
        policy: Reads the sentences that have no known form; see `Reader`. Without one they state nothing.

    Raises:
        UsageError: two documents with one id.
    """
    config = config or ExtractionConfig()
    known = Known.of(known) if isinstance(known, KnowledgeGraph) else known
    if len({document.id for document in documents}) < len(documents):
        raise UsageError("extraction: two documents have the same id.")
    return _Builder(documents, known, config, policy).build()


class _Builder:
    def __init__(
        self, documents: Sequence[Document], known: Known, config: ExtractionConfig, policy: Policy | None
    ) -> None:
        self._documents, self._config, self._policy = tuple(documents), config, policy
        self._relations = tuple(known.relations)
        self._known = known
        self._report = Report()
        self._evidence: list[Evidence] = []

    def build(self) -> Extraction:
        pages = [outline(document) for document in self._documents]
        for page in pages:
            for part in page.parts:
                self._report.count(STRUCTURAL, f"{part.kind}s")
        discover = self._config.discover or not self._known.entities
        entities, subjects = gather(pages, self._known.entities, discover, self._report)
        resolver = Resolver(
            entities,
            spelling=self._config.spelling,
            by_type=self._config.by_type,
            by_context=self._config.by_context,
            mint=discover,
        )
        patterns = Patterns(self._relations)
        listener = Listener(self._relations, patterns, resolver)
        references: list[Reference] = []
        unread: list[tuple[Passage, Context]] = []
        for page, about in zip(pages, subjects, strict=True):
            found, context = refer(page, about, resolver, self._report)
            references += found
            unread += ((passage, context) for passage in self._listen(page, listener, context))
            self._look(page, patterns, resolver)
        if self._policy is not None:
            reader = Reader(self._policy, self._relations, resolver, self._config)
            self._evidence += reader.read(unread, self._report)
        corpus = self._corpus(resolver)
        parts = tuple(part for page in pages for part in page.parts)
        if self._config.structure:
            corpus = replace(corpus, graph=with_structure(corpus.graph, pages, references))
        return Extraction(corpus, parts, tuple(references), self._report)

    def _listen(self, page: Outline, listener: Listener, context: Context) -> Iterator[Passage]:
        """Take the facts of the sentences, and yield the sentences that state none."""
        document = page.document
        for start, end in page.lines:
            for said in listener.hear(document.text, start, end, context):
                self._report.count(SEMANTIC, "sentences")
                if said.facts:
                    self._take(document, said.facts, said.start, said.end, said.confidence, "sentences")
                else:
                    self._report.drop(SEMANTIC, f"sentence: {said.reason}")
                    yield Passage(document.id, document.text[said.start : said.end], said.start)

    def _look(self, page: Outline, patterns: Patterns, resolver: Resolver) -> None:
        """Take the facts of tables and charts."""
        for part in page.parts:
            if part.kind == "table":
                for cell in table_facts(part.rows, self._relations, patterns, resolver):
                    if isinstance(cell, str):
                        self._report.drop(SEMANTIC, f"cell: {cell}")
                    else:
                        number, fact, confidence = cell
                        self._take(page.document, (fact,), *part.row_spans[number], confidence, "tables")
            elif part.kind == "figure" and (place := resolver.with_id(part.id)) is not None:
                for bar in chart_facts(place, resolver.entities[place], self._relations, resolver):
                    if isinstance(bar, str):
                        self._report.drop(SEMANTIC, f"chart: {bar}")
                    else:
                        self._take(page.document, (bar,), part.start, part.end, 1.0, "charts")

    def _take(
        self, document: Document, facts: Sequence[Fact], start: int, end: int, confidence: float, where: str
    ) -> None:
        self._report.count(SEMANTIC, f"facts in {where}", len(facts))
        self._evidence += [Evidence(fact, document.id, start, end, confidence) for fact in facts]

    def _corpus(self, resolver: Resolver) -> Corpus:
        """Return the facts that are sure enough, less those that the audit takes out."""
        sure = [each for each in self._evidence if each.confidence >= self._config.theta]
        facts = {each.fact for each in sure}
        unsure = {each.fact for each in self._evidence} - facts
        if unsure:
            self._report.drop(RESULT, "fact below theta", len(unsure))
        graph = self._graph(resolver, facts)
        audited, contradictions = audit(graph, share=self._config.functional_share)
        self._report.contradictions = [
            f"{graph.entities[each.head].name}: {graph.relations[each.relation].words} is "
            + " or ".join(graph.entities[tail].name for tail in each.tails)
            for each in contradictions
        ]
        if self._config.contradictions == "drop" and contradictions:
            gone = {fact for each in contradictions for fact in each.facts}
            self._report.drop(RESULT, "fact that another contradicts", len(gone))
            graph = self._graph(resolver, facts - gone)
            sure = [each for each in sure if each.fact not in gone]
        self._report.audited = audited
        order = {document.id: place for place, document in enumerate(self._documents)}
        sure.sort(key=lambda each: (order[each.document], each.start, each.end, each.fact))
        self._report.count(RESULT, "entities", graph.num_entities)
        self._report.count(RESULT, "facts", graph.num_facts)
        return Corpus(graph, self._documents, tuple(sure))

    def _graph(self, resolver: Resolver, facts: set[Fact]) -> KnowledgeGraph:
        rows = np.array(sorted(facts), np.int64).reshape(-1, 3)
        return KnowledgeGraph(resolver.entities, self._relations, rows)
