"""Documents that say a graph's facts, their evidence, and pictures."""

from __future__ import annotations

import io
import sys

import pytest

from rlvr_gym.errors import MissingExtraError, UsageError
from rlvr_gym.graphs import Corpus, Document, Entity, KnowledgeGraph, Relation, open_corpus
from rlvr_gym.graphs.documents import Rendering, documented, documents_of, render
from rlvr_gym.graphs.pictures import described, draw

WORLD = open_corpus({"name": "world", "entities": 60, "seed": 3})


def triples(graph: KnowledgeGraph) -> list[tuple[int, int, int]]:
    return [(head, kind, tail) for head, kind, tail in graph.facts().tolist()]


def test_a_graph_of_bare_triples_is_said_in_plain_sentences() -> None:
    graph = KnowledgeGraph.of([("ada", "born_in", "london"), ("ada", "knows", "bo"), ("ada", "knows", "cy")])
    documents, evidence = render(graph, Rendering(seed=0))
    assert [document.id for document in documents] == ["doc-ada", "doc-london", "doc-bo", "doc-cy"]
    text = documents[0].text
    said = {each.fact: text[each.start : each.end] for each in evidence}
    # Relation 0 from 0 to 1; two tails of one relation share a sentence.
    assert said[0, 0, 1] in ("The born in of ada is london.", "london is the born in of ada.")
    assert said[0, 1, 2] == said[0, 1, 3] == "ada has more than one knows: bo and cy."
    assert text.startswith("# ada\n\n## Facts\n")
    assert text.endswith("## References\nSee also: london; bo; cy\n")
    assert documents[1].text == "# london\n\n## References\nSee also: ada\n"


@pytest.mark.parametrize("seed", range(3))
def test_every_fact_of_the_world_is_said_once_with_both_its_names(seed: int) -> None:
    graph = WORLD.graph
    documents, evidence = render(graph, Rendering(seed=seed, aliases=0.5))
    by_id = {document.id: document for document in documents}
    assert sorted(each.fact for each in evidence) == triples(graph)
    for each in evidence:
        head, tail = graph.entities[each.fact[0]], graph.entities[each.fact[2]]
        words = by_id[each.document].text[each.start : each.end]
        assert any(name in words for name in (head.label, *head.aliases))
        if head.modality != "image":
            assert any(name in words for name in (tail.label, *tail.aliases))


def test_a_chain_of_facts_goes_from_document_to_document() -> None:
    graph = WORLD.graph
    _, evidence = render(graph, Rendering())
    for each in evidence:
        head = graph.entities[each.fact[0]]
        if head.modality == "text" and graph.relations[each.fact[1]].id != "population":
            assert each.document == f"doc-{head.id}"


def test_what_a_table_or_chart_states_is_said_nowhere_else() -> None:
    graph = WORLD.graph
    corpus = documented(WORLD)
    population = graph.relation_place("population")
    rows = [each for each in corpus.evidence if each.fact[1] == population]
    assert rows
    for each in rows:
        line = corpus.by_id[each.document].text[each.start : each.end]
        assert line == f"| {graph.entities[each.fact[0]].label} | {graph.entities[each.fact[2]].label} |"
    bars = [each for each in corpus.evidence if graph.relations[each.fact[1]].id.startswith("quarter_")]
    assert bars
    for each in bars:
        value = graph.entities[each.fact[2]].label
        document = corpus.by_id[each.document]
        assert document.figures == (graph.entities[each.fact[0]].id,)
        assert not any(value in f" {text.text}" for text in corpus.documents)


def test_namesakes_are_told_apart_by_their_ids_unless_the_class_tells() -> None:
    entities = {
        "m1": Entity("m1", "Mercury", "planet"),
        "m2": Entity("m2", "Mercury", "metal"),
        "m3": Entity("m3", "Mercury", "metal"),
        "sun": Entity("sun", "Sun"),
    }
    relations = {
        "orbits": Relation("orbits", "star", "", "planet"),
        "dense": Relation("dense", "density", "", "metal"),
    }
    graph = KnowledgeGraph.of(
        [("m1", "orbits", "sun"), ("m2", "dense", "sun")], entities=entities, relations=relations
    )
    documents, evidence = render(graph, Rendering())
    by_id = {document.id: document for document in documents}
    said = {each.fact[1]: by_id[each.document].text[each.start : each.end] for each in evidence}
    assert "Mercury" in said[0]
    assert "(m1)" not in said[0]
    assert "Mercury (m2)" in said[1]
    assert [document.title for document in documents] == ["Mercury", "Sun", "Mercury (m2)", "Mercury (m3)"]


def test_facts_for_which_no_sentence_is_clear_are_said_by_ids() -> None:
    # The two relations have the same words, so no sentence tells which is meant.
    relations = {"r1": Relation("r1", "friend"), "r2": Relation("r2", "friend")}
    graph = KnowledgeGraph.of([("a", "r1", "b"), ("a", "r2", "c")], relations=relations)
    documents, evidence = render(graph, Rendering())
    text = documents[0].text
    assert [text[each.start : each.end] for each in evidence] == [
        'Record: ["a", "r1", "b"]',
        'Record: ["a", "r2", "c"]',
    ]


def test_seeds_choose_among_sentences_and_names_and_nothing_else_does() -> None:
    one, again, other = (render(WORLD.graph, Rendering(seed=seed))[0] for seed in (1, 1, 2))
    assert one == again
    assert one != other
    plain = render(WORLD.graph, Rendering(aliases=0.0))[0]
    names = [
        name
        for entity in WORLD.graph.entities
        for name in entity.aliases
        if entity.modality == "text" and name not in entity.label
    ]
    facts = [document.text.partition("## Facts")[2] for document in plain]
    assert not any(f" {name}." in text for name in names for text in facts)


def test_a_corpus_keeps_its_own_documents_and_is_rendered_once_without_any() -> None:
    own = Document("d", "t", "text")
    assert documents_of(Corpus(WORLD.graph, (own,))) == (own,)
    assert documents_of(WORLD) is documents_of(Corpus(WORLD.graph))


def test_documents_refer_to_at_most_so_many_others() -> None:
    for document in render(WORLD.graph, Rendering(see_also=2))[0]:
        _, _, line = document.text.partition("See also: ")
        assert len(line.split("; ")) <= 2
    assert not any("See also" in document.text for document in render(WORLD.graph, Rendering(see_also=0))[0])


CHART = Entity(
    "c",
    "Figure 1",
    "chart",
    (),
    "image",
    {"title": "Output", "labels": ["a", "b"], "values": ["2", "1"], "unit": "t"},
)
TABLE = Entity("t", "Table 1", "table", (), "table", {"rows": [["city", "size"], ["Rome", "3"]]})


def test_bars_are_as_high_as_their_values() -> None:
    image = pytest.importorskip("PIL.Image")
    picture = image.open(io.BytesIO(draw(CHART)))
    assert (picture.format, picture.size) == ("PNG", (640, 400))
    blue = (70, 120, 180)
    heights = [
        sum(picture.getpixel((x, y)) == blue for y in range(400))
        # The middles of the two bars: a quarter and three quarters between the margins of 48.
        for x in (48 + 136, 48 + 408)
    ]
    assert abs(heights[0] - 2 * heights[1]) <= 4
    assert draw(CHART) == draw(CHART)
    assert described(CHART) == "Output: a 2 t, b 1 t"


def test_a_table_has_a_picture_too() -> None:
    pytest.importorskip("PIL.Image")
    assert draw(TABLE).startswith(b"\x89PNG")


@pytest.mark.parametrize(
    ("attributes", "reason"),
    [
        ({}, "as many 'labels' as 'values'"),
        ({"labels": ["a"], "values": []}, "as many 'labels' as 'values'"),
        ({"labels": ["a"] * 30, "values": ["1"] * 30}, "at most 24 bars"),
        ({"labels": ["a"], "values": ["many"]}, "a number of 0 or more, got 'many'"),
        ({"labels": ["a"], "values": ["-1"]}, "a number of 0 or more, got '-1'"),
    ],
)
def test_what_cannot_be_drawn_is_refused(attributes: dict[str, object], reason: str) -> None:
    with pytest.raises(UsageError, match=reason):
        draw(Entity("c", "C", "chart", (), "image", attributes))


def test_a_picture_without_pillow_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    # None in the table of modules is how Python itself marks a module as not there.
    monkeypatch.setitem(sys.modules, "PIL", None)
    with pytest.raises(MissingExtraError, match=r"rlvr-gym\[train\]"):
        draw(CHART)
