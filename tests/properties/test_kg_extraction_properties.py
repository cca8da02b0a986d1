"""Whatever a graph's names are, its documents say its facts, and reading them gives the graph back."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from rlvr_gym.graphs.corpus import Document
from rlvr_gym.graphs.documents import Rendering, render
from rlvr_gym.graphs.extraction import ExtractionConfig, Known, Reader, Report, build_graph
from rlvr_gym.graphs.extraction.figures import chart_facts, rows_of, table_facts
from rlvr_gym.graphs.extraction.free_text import Passage
from rlvr_gym.graphs.extraction.layout import row_cells, row_text
from rlvr_gym.graphs.extraction.patterns import Patterns
from rlvr_gym.graphs.extraction.resolving import Context, Resolver
from rlvr_gym.graphs.graph import Entity, KnowledgeGraph, Relation
from rlvr_gym.policies.scripted import ScriptedPolicy

# Names that look like ids of others, like sentences, like marks of lines, and names that are shared.
AWKWARD = (
    "", "a", "A", "e0", "e1", "r0", "is", "of", "The capital of", "x is y", "a, b", "a and b", "St. Mary", "J. R. R.",
    "# a", "## b", "| x |", "[t: u]", "Record: []", 'Record: ["e0", "r0", "e1"]', "Kind: a", "See also: a", "line\nbreak",
    "a (e1)", "(e1)", "Who?", ".", "12 km", "12", "the a", "ä", "\u202e", "\u2028b", "🙂", "a; b", "has more than one r0: a",
)  # fmt: skip
names = st.sampled_from(AWKWARD) | st.text(max_size=8)
types = st.sampled_from(("", "", "t", "u"))


@st.composite
def graphs(draw: st.DrawFn) -> KnowledgeGraph:
    number, kinds = draw(st.integers(1, 6)), draw(st.integers(1, 4))
    entities = []
    for place in range(number):
        modality = draw(st.sampled_from(("text", "text", "text", "quantity", "table", "image")))
        attributes: dict[str, object] = {}
        if modality == "quantity":
            attributes = {
                "value": draw(st.sampled_from(("12", "0.5", "x"))),
                "unit": draw(st.sampled_from(("", "km"))),
            }
        elif modality == "table":
            attributes = {
                "title": draw(names),
                "rows": draw(st.lists(st.lists(names, max_size=3), max_size=3)),
            }
        elif modality == "image":
            relations = draw(st.lists(st.sampled_from(("r0", "r1", "zz")), max_size=2))
            attributes = {"relations": relations, "values": ["12"] * len(relations), "unit": "km"}
        aliases = tuple(draw(st.lists(names, max_size=2)))
        document = draw(st.sampled_from(("", "doc-e0", "doc-e1", "elsewhere")))
        entities.append(
            Entity(f"e{place}", draw(names), draw(types), aliases, modality, attributes, document)
        )
    relations_ = [
        Relation(f"r{place}", draw(names), draw(names), draw(types), draw(types)) for place in range(kinds)
    ]
    place = st.integers(0, number - 1)
    facts = draw(st.lists(st.tuples(place, st.integers(0, kinds - 1), place), max_size=12))
    return KnowledgeGraph(entities, relations_, np.array(facts, np.int64).reshape(-1, 3))


def shown(graph: KnowledgeGraph) -> set[tuple[int, int, int]]:
    """Return the facts that the tables and charts of a graph state."""
    patterns, resolver = Patterns(graph.relations), Resolver(graph.entities)
    stated: set[tuple[int, int, int]] = set()
    for place, entity in enumerate(graph.entities):
        if entity.modality == "image":
            bars = chart_facts(place, entity, graph.relations, resolver)
            stated |= {bar for bar in bars if not isinstance(bar, str)}
        elif entity.modality == "table":
            cells = table_facts(rows_of(entity), graph.relations, patterns, resolver)
            stated |= {cell[1] for cell in cells if not isinstance(cell, str)}
    return stated


@given(graphs(), st.integers(0, 3), st.sampled_from((0.0, 0.5, 1.0)))
@settings(max_examples=150, deadline=None)
def test_reading_the_documents_of_a_graph_gives_its_facts_and_no_other(
    graph: KnowledgeGraph, seed: int, aliases: float
) -> None:
    documents, evidence = render(graph, Rendering(seed=seed, aliases=aliases))
    assert sorted(each.fact for each in evidence) == [tuple(fact) for fact in graph.facts().tolist()]
    extraction = build_graph(documents, known=graph)
    # A table or chart of a careless graph may state more than its facts, and is then believed.
    facts = {tuple(fact) for fact in graph.facts().tolist()}
    extra = shown(graph) - facts
    assert {tuple(fact) for fact in extraction.corpus.graph.facts().tolist()} == facts | extra
    where = {(each.fact, each.document, each.start, each.end) for each in evidence}
    assert where == {
        (each.fact, each.document, each.start, each.end)
        for each in extraction.corpus.evidence
        if each.fact not in extra
    }


@given(graphs(), st.integers(0, 3))
@settings(max_examples=60, deadline=None)
def test_a_fact_is_said_where_its_evidence_points_and_by_those_words_alone(
    graph: KnowledgeGraph, seed: int
) -> None:
    documents, evidence = render(graph, Rendering(seed=seed))
    by_id = {document.id: document for document in documents}
    for each in evidence:
        text = by_id[each.document].text
        assert 0 <= each.start < each.end <= len(text)
        assert "\n" not in text[each.start : each.end]
    assert [by_id[each.document].id for each in evidence] == sorted(
        (each.document for each in evidence), key=[document.id for document in documents].index
    )


@given(st.lists(st.text(max_size=6), min_size=1, max_size=4))
def test_cells_come_back_from_the_line_of_their_row(row: list[str]) -> None:
    line = row_text(row)
    assert "\n" not in line
    # Spaces at the ends of a cell are layout.
    assert row_cells(line) == [cell.strip(" ") for cell in row]


@given(st.text(max_size=200), graphs())
@settings(max_examples=60, deadline=None)
def test_any_text_is_read_without_an_error_and_its_evidence_lies_within_it(
    text: str, graph: KnowledgeGraph
) -> None:
    extraction = build_graph([Document("d", "t", text, ("e0",))], known=graph)
    for each in extraction.corpus.evidence:
        assert each.confidence >= ExtractionConfig().theta
        assert 0 <= each.start < each.end <= len(text)
    assert {each.fact for each in extraction.corpus.evidence} == {
        tuple(fact) for fact in extraction.corpus.graph.facts().tolist()
    }


@given(st.text(alphabet='abAd | "\n.is', max_size=80) | st.text(max_size=80))
@settings(max_examples=100, deadline=None)
def test_whatever_a_policy_writes_a_fact_is_quoted_from_the_passage(answer: str) -> None:
    ada, bo = Entity("ada", "Ad"), Entity("bo", "bA")
    relations = (Relation("is", "is"),)
    text = "Ad is bA."
    reader = Reader(ScriptedPolicy([answer]), relations, Resolver((ada, bo)), ExtractionConfig())
    for each in reader.parse(answer, Passage("d", text, 5), Context(), Report()):
        assert "Ad" in text[each.start - 5 : each.end - 5]
        assert "bA" in text[each.start - 5 : each.end - 5]
        assert each.fact in {(0, 0, 1), (1, 0, 0)}


@given(st.text(max_size=60), st.text(max_size=60))
def test_a_sentence_has_the_reading_that_it_was_made_from(head: str, tail: str) -> None:
    patterns = Patterns((Relation("capital", "capital", "country whose capital is"),))
    for pattern in patterns.of[0]:
        if pattern.many or not head.strip() or not tail.strip() or head.endswith("?") or tail.endswith("?"):
            continue
        found = patterns.readings(pattern.say(head, [tail]))
        assert (head, (tail,)) in {(reading.head, reading.tails) for reading in found} or len(found) >= 16


def test_known_of_a_graph_holds_no_facts() -> None:
    graph = KnowledgeGraph.of([("a", "r", "b")])
    known = Known.of(graph)
    assert (known.entities, known.relations) == (graph.entities, graph.relations)
