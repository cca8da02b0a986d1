"""The document-to-graph builder: three stages, refusals, the audit, noise, and free text read by a policy."""

from __future__ import annotations

import io

import numpy as np
import pytest
from rich.console import Console

from rlvr_gym.errors import UsageError
from rlvr_gym.graphs import Document, Entity, KnowledgeGraph, Relation, open_corpus
from rlvr_gym.graphs.documents import Rendering, documents_of, render
from rlvr_gym.graphs.extraction import (
    Extraction,
    ExtractionConfig,
    Known,
    Passage,
    Reader,
    Report,
    audit,
    build_graph,
)
from rlvr_gym.graphs.extraction.resolving import Context, Resolver
from rlvr_gym.graphs.worlds.noise import Noise, noisy
from rlvr_gym.policies.scripted import ScriptedPolicy
from rlvr_gym.types import SampleRequest

ENTITIES = (
    Entity("p1", "Ada Belm", "person", ("Belm",)),
    Entity("p2", "Bo Belm", "person", ("Belm",)),
    Entity("c1", "Dorn", "city", ("Nolvo",)),
    Entity("f1", "Kell Works", "company", ("Nolvo",)),
    Entity("n1", "Orland", "country"),
    Entity("a1", "5,120 km²", "area", (), "quantity", {"value": "5120", "unit": "km²"}),
)
RELATIONS = (
    Relation("born_in", "birthplace", "person born in", "person", "city"),
    Relation("founder", "founder", "", "company", "person"),
    Relation("capital", "capital", "country whose capital is", "country", "city"),
    Relation("area", "area", "", "country", "area"),
    Relation("friend", "friend", "", "person", "person"),
)
KNOWN = Known(RELATIONS, ENTITIES)
ADA, BO, DORN, KELL, ORLAND, AREA = range(6)
BORN, FOUNDER, CAPITAL, SIZE, FRIEND = range(5)


def read(*lines: str, title: str = "", known: Known = KNOWN, **settings: object) -> Extraction:
    text = f"# {title}\n\n" + "\n".join(lines)
    return build_graph([Document("d", title, text)], known=known, config=ExtractionConfig(**settings))  # type: ignore[arg-type]


def facts_of(graph: KnowledgeGraph) -> list[tuple[int, ...]]:
    return [tuple(fact) for fact in graph.facts().tolist()]


def facts(extraction: Extraction) -> list[tuple[int, ...]]:
    return facts_of(extraction.corpus.graph)


def pairs(graph: KnowledgeGraph) -> set[tuple[str, str, str]]:
    """Return the facts in words, quantities by their values."""
    words = [str(entity.attributes.get("value", entity.name)) for entity in graph.entities]
    return {
        (words[head], graph.relations[kind].id, words[tail]) for head, kind, tail in graph.facts().tolist()
    }


@pytest.mark.parametrize("seed", range(4))
def test_a_world_is_read_back_from_its_documents_without_a_fact_more_or_less(seed: int) -> None:
    graph = open_corpus({"name": "world", "entities": 120, "seed": seed, "shared": 0.3}).graph
    documents, evidence = render(graph, Rendering(seed=seed, aliases=0.4))
    extraction = build_graph(documents, known=graph)
    assert extraction.corpus.graph.digest == graph.digest
    found = [(each.fact, each.document, each.start, each.end) for each in extraction.corpus.evidence]
    assert sorted(found) == sorted((each.fact, each.document, each.start, each.end) for each in evidence)
    assert not extraction.report.dropped["semantic"]


@pytest.mark.parametrize("seed", range(3))
def test_entities_are_discovered_where_none_is_known_and_only_pictures_stay_unread(seed: int) -> None:
    graph = open_corpus({"name": "world", "entities": 120, "seed": seed}).graph
    extraction = build_graph(render(graph, Rendering(seed=seed))[0], known=Known(graph.relations))
    wanted = {fact for fact in pairs(graph) if not fact[1].startswith("quarter_")}
    assert pairs(extraction.corpus.graph) == wanted
    assert extraction.report.dropped["semantic"] == {"chart: picture without numbers": 14}
    types = {entity.id: entity.type for entity in graph.entities if entity.modality == "text"}
    assert types == {
        entity.id: entity.type for entity in extraction.corpus.graph.entities if entity.modality == "text"
    }


@pytest.mark.parametrize("seed", range(3))
def test_noise_costs_facts_and_never_adds_a_wrong_one(seed: int) -> None:
    corpus = open_corpus({"name": "world", "entities": 120, "seed": seed, "shared": 0.3})
    true = pairs(corpus.graph)
    noise = Noise(distractors=1.0, unknown=1.0, namesakes=0.5, misspellings=0.05)
    documents = noisy(documents_of(corpus), corpus.graph, noise, np.random.default_rng(seed))
    extraction = build_graph(documents, known=corpus.graph)
    got = pairs(extraction.corpus.graph)
    assert got <= true
    assert 0.5 < len(got) / len(true) < 0.95
    assert all(each.confidence >= 0.75 for each in extraction.corpus.evidence)
    assert extraction.report.dropped["semantic"]["sentence: unknown name"] > 50
    assert extraction.report.dropped["semantic"]["sentence: ambiguous name"] > 5


@pytest.mark.slow
def test_the_figures_of_the_page_on_noise() -> None:
    found, wrong, number = {0.75: 0, 0.6: 0}, {0.75: 0, 0.6: 0}, 0
    for seed in range(20):
        corpus = open_corpus({"name": "world", "seed": seed})
        true = set(facts_of(corpus.graph))
        documents = noisy(documents_of(corpus), corpus.graph, Noise(), np.random.default_rng(seed))
        number += len(true)
        for theta in found:
            config = ExtractionConfig(theta=theta)
            got = set(facts_of(build_graph(documents, known=corpus.graph, config=config).corpus.graph))
            found[theta] += len(got & true)
            wrong[theta] += len(got - true)
    assert number == 15_522
    assert found == {0.75: 11_449, 0.6: 11_453}
    assert wrong == {0.75: 0, 0.6: 7}


@pytest.mark.parametrize(
    "sentence",
    [
        "It is not true that Dorn is the capital of Orland.",
        "Nobody believes that the capital of Orland is Dorn.",
        "The capital of Orland is not Dorn.",
        "The capital of Orland is Dorn, or so they say.",
        "The capital of Orland is Dorn?.",
        "Is Dorn the capital of Orland?",
        "Dorn would be the capital of Orland.",
        "Dorn is the capital of Orland",
        "dorn is the capital of orlan.",
        "The capital of Dorn is Orland.",
        "Ada Belm is the capital of Orland.",
        "The area of Orland is 5,120 km.",
        "The area of Orland is 5,121 km².",
        "Orland has more than one capital: Dorn and Nowhere.",
        "",
    ],
)
def test_a_sentence_that_does_not_state_a_fact_from_end_to_end_states_none(sentence: str) -> None:
    assert facts(read(sentence)) == []


@pytest.mark.parametrize(
    ("sentence", "fact"),
    [
        ("Dorn is the capital of Orland.", (ORLAND, CAPITAL, DORN)),
        ("Orland is a country whose capital is Dorn.", (ORLAND, CAPITAL, DORN)),
        ("The area of Orland is 5,120 km².", (ORLAND, SIZE, AREA)),
        # 1 km² is 100 ha.
        ("The area of Orland is 512,000 ha.", (ORLAND, SIZE, AREA)),
        ("The area of Orland is 5120 square kilometres.", (ORLAND, SIZE, AREA)),
        ("The birthplace of Bo Belm is Dorn.", (BO, BORN, DORN)),
        ('Record: ["n1", "capital", "c1"]', (ORLAND, CAPITAL, DORN)),
    ],
)
def test_units_names_and_forms_of_sentences_lead_to_one_fact(
    sentence: str, fact: tuple[int, int, int]
) -> None:
    extraction = read(sentence)
    assert facts(extraction) == [fact]
    (evidence,) = extraction.corpus.evidence
    assert extraction.corpus.documents[0].text[evidence.start : evidence.end] == sentence
    assert evidence.confidence == 1.0


@pytest.mark.parametrize(
    "line",
    [
        "Record: ",
        "Record: []",
        'Record: ["n1", "capital"]',
        'Record: ["n1", "capital", 3]',
        'Record: ["n1", "capital", "c9"]',
        "Record: " + "[" * 9000,
    ],
)
def test_a_record_that_is_none_states_nothing(line: str) -> None:
    assert facts(read(line)) == []


def test_the_class_tells_namesakes_apart() -> None:
    # Nolvo is a city and a company, and only a city is anyone's birthplace.
    extraction = read("The birthplace of Ada Belm is Nolvo.", "The founder of Nolvo is Bo Belm.")
    assert facts(extraction) == [(ADA, BORN, DORN), (KELL, FOUNDER, BO)]
    assert {each.confidence for each in extraction.corpus.evidence} == {0.95}


def test_a_document_tells_who_is_meant_below_theta_and_without_one_a_namesake_is_refused() -> None:
    sentence = "The birthplace of Belm is Dorn."
    nobody = read(sentence, theta=0.0)
    assert facts(nobody) == []
    assert nobody.report.dropped["semantic"] == {"sentence: ambiguous name": 1}
    about = read(sentence, title="Ada Belm")
    assert facts(about) == []
    assert about.report.dropped["result"] == {"fact below theta": 1}
    sure = read(sentence, title="Ada Belm", theta=0.7)
    assert facts(sure) == [(ADA, BORN, DORN)]
    assert sure.corpus.evidence[0].confidence == 0.7
    both = read(sentence, "The friend of Ada Belm is Bo Belm.", title="Ada Belm", theta=0.0)
    assert facts(both) == [(ADA, FRIEND, BO)]


def test_what_two_documents_say_meets_in_their_entities() -> None:
    documents = [
        Document("one", "Dorn", "# Dorn\nKind: city\nAlso called: Old Dorn\n\nDorn is the capital of Orland.\n"),
        Document("two", "Ada", "# Ada\nKind: person\n\nThe birthplace of Ada is Old Dorn.\nSee also: Old Dorn; Nowhere\n"),
        Document("three", "Orland", "# Orland\nKind: country\n"),
        Document("four", "Dorn", "# Dorn\nKind: city\n"),
    ]  # fmt: skip
    extraction = build_graph(documents, known=Known(RELATIONS))
    graph = extraction.corpus.graph
    # The fourth document is about the same Dorn as the first.
    assert [entity.name for entity in graph.entities] == ["Dorn", "Ada", "Orland"]
    ada = graph.place("two")
    steps = [graph.relation_place("born_in"), graph.reverse(graph.relation_place("capital"))]
    assert [graph.entities[place].name for place in graph.answers(ada, steps)] == ["Orland"]
    refers = [each for each in extraction.references if each.kind == "see also"]
    assert [(each.document, graph.entities[each.entity].name) for each in refers] == [("two", "Dorn")]
    assert documents[1].text[refers[0].start : refers[0].end] == "Old Dorn"
    assert extraction.report.dropped["reference"] == {"see also: unknown name": 1}


def test_parts_of_a_document_become_nodes_where_that_is_asked_for() -> None:
    text = "# Orland\n\n## Facts\nDorn is the capital of Orland.\n\n## Tables\n[Table 1: Sizes]\n| country | area |\n| Orland | 5,120 km² |\n"
    document = Document("d", "Orland", text, ("t1",))
    extraction = build_graph([document], known=KNOWN, config=ExtractionConfig(structure=True))
    assert [(part.kind, part.title) for part in extraction.parts] == [
        ("document", "Orland"), ("section", "Facts"), ("section", "Tables"), ("table", "Table 1: Sizes"),
    ]  # fmt: skip
    facts_section = extraction.parts[1]
    assert text[facts_section.start : facts_section.end] == "## Facts\nDorn is the capital of Orland.\n\n"
    named = pairs(extraction.corpus.graph)
    assert {
        ("Orland", "capital", "Dorn"),
        ("Orland", "area", "5120"),
        ("Orland", "has section", "Facts"),
    } <= named
    assert {
        ("Orland", "mentions", "Dorn"),
        ("Orland", "describes", "Orland"),
        ("Orland", "shows", "Table 1"),
    } <= named
    (table,) = [entity for entity in extraction.corpus.graph.entities if entity.id == "t1"]
    assert table.attributes["rows"] == [["country", "area"], ["Orland", "5,120 km²"]]
    plain = build_graph([document], known=KNOWN)
    assert pairs(plain.corpus.graph) == {("Orland", "capital", "Dorn"), ("Orland", "area", "5120")}


def test_the_audit_tells_functional_relations_and_their_contradictions() -> None:
    # Of ten heads of r, nine have one tail and one has two: a share of 0.9. Half of the heads of s have two.
    triples = [(f"h{at}", "r", f"t{at}") for at in range(10)] + [("h0", "r", "t9")]
    triples += [(f"h{at}", "s", f"t{at % 3}") for at in range(6)] + [(f"h{at}", "s", "t4") for at in range(3)]
    graph = KnowledgeGraph.of(triples)
    (first, second), (contradiction,) = audit(graph)
    assert (first.relation, first.facts, first.heads, first.single, first.most) == ("r", 11, 10, 0.9, 2)
    assert first.functional
    assert (second.single, second.functional) == (0.5, False)
    assert graph.entities[contradiction.head].id == "h0"
    assert {graph.entities[tail].id for tail in contradiction.tails} == {"t0", "t9"}
    assert audit(graph, share=0.95)[1] == []
    assert audit(graph, least=11)[1] == []


def test_contradictions_are_listed_and_taken_out_where_that_is_asked_for() -> None:
    graph = open_corpus({"name": "world", "entities": 120}).graph
    documents = list(render(graph, Rendering())[0])
    head, _, tail = graph.facts()[graph.kinds == graph.relation_place("mayor")][0].tolist()
    other = next(
        place for place, entity in enumerate(graph.entities) if entity.type == "person" and place != tail
    )
    lie = f"The mayor of {graph.entities[head].name} is {graph.entities[other].name}."
    documents.append(Document("rumour", "Rumour", lie))
    kept = build_graph(documents, known=graph)
    words = f"{graph.entities[head].name}: mayor is "
    assert [line.startswith(words) for line in kept.report.contradictions] == [True]
    assert kept.corpus.graph.num_facts == graph.num_facts + 1
    dropped = build_graph(documents, known=graph, config=ExtractionConfig(contradictions="drop"))
    assert pairs(dropped.corpus.graph) == {
        fact for fact in pairs(graph) if fact[:2] != (graph.entities[head].name, "mayor")
    }
    assert dropped.report.dropped["result"] == {"fact that another contradicts": 2}


def test_two_documents_of_one_id_are_refused() -> None:
    with pytest.raises(UsageError, match="two documents have the same id"):
        build_graph([Document("d", "a", ""), Document("d", "b", "")], known=KNOWN)


def test_the_report_prints_as_tables() -> None:
    console = Console(width=120, file=io.StringIO())
    console.print(read("Dorn is the capital of Orland.", "Belm is the friend of Belm.").report)
    text = console.file.getvalue()  # type: ignore[attr-defined]
    assert "facts in sentences" in text
    assert "dropped: sentence: ambiguous name" in text
    assert "capital" in text


PASSAGE = Passage(
    "d", "Ada Belm saw the light of day in Dorn, and Kell Works was set up by her cousin Bo Belm.", 100
)


def parsed(answer: str, passage: Passage = PASSAGE) -> tuple[list[tuple[int, int, int]], dict[str, int]]:
    report = Report()
    reader = Reader(ScriptedPolicy([""]), RELATIONS, Resolver(ENTITIES), ExtractionConfig(max_triples=3))
    return [each.fact for each in reader.parse(answer, passage, Context(), report)], dict(
        report.dropped["free text"]
    )


def test_a_policy_reads_what_has_no_known_form() -> None:
    quote = "Ada Belm saw the light of day in Dorn"

    def script(message: str, request: SampleRequest) -> str:
        # Only the sentence that the forms leave unread is asked about.
        assert message.endswith(f"\n\n{quote}.")
        assert "birthplace" in message
        assert request.temperature == 0
        return f"Ada Belm | birthplace | Dorn | {quote}"

    text = f"Dorn is the capital of Orland. {quote}."
    extraction = build_graph([Document("d", "t", text)], known=KNOWN, policy=ScriptedPolicy(script))
    assert facts(extraction) == [(ADA, BORN, DORN), (ORLAND, CAPITAL, DORN)]
    sentence, free = extraction.corpus.evidence
    assert text[free.start : free.end] == quote
    assert (sentence.confidence, free.confidence) == (1.0, 0.8)
    strict = build_graph(
        [Document("d", "t", text)],
        known=KNOWN,
        policy=ScriptedPolicy(script),
        config=ExtractionConfig(theta=0.9),
    )
    assert facts(strict) == [(ORLAND, CAPITAL, DORN)]


def test_every_passage_is_asked_about_once_whatever_the_batch() -> None:
    asked: list[str] = []

    def script(message: str, request: SampleRequest) -> str:
        asked.append(message.rpartition("\n\n")[2])
        return ""

    text = "One. Two. Three. Dorn is the capital of Orland. Four."
    config = ExtractionConfig(batch_size=2)
    build_graph([Document("d", "t", text)], known=KNOWN, policy=ScriptedPolicy(script), config=config)
    assert asked == ["One.", "Two.", "Three.", "Four."]


def test_a_line_that_the_passage_bears_out_is_taken_once() -> None:
    line = "Kell Works | founder | Bo Belm | Kell Works was set up by her cousin Bo Belm"
    assert parsed(f"\n{line}\n{line}\n") == ([(KELL, FOUNDER, BO)], {})


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("I found nothing.", "line without four fields"),
        ("Ada Belm | birthplace | Dorn", "line without four fields"),
        ("Ada Belm | birthplace | Dorn | ", "line without four fields"),
        ("Ada Belm | birthplace | Dorn | Ada Belm was born in Dorn", "quote that the text does not have"),
        ("Ada Belm | birthplace | Dorn | Ada Belm saw the light", "quote without both names"),
        # Names count as whole words only: "Bel" and "orn" stand in the quote as parts of others.
        ("Bel | birthplace | Dorn | Ada Belm saw the light of day in Dorn", "quote without both names"),
        ("Ada Belm | born in | Dorn | Ada Belm saw the light of day in Dorn", "relation that is not asked for"),
        ("Belm | birthplace | Dorn | Ada Belm saw the light of day in Dorn", "names that do not mean one entity each"),
        ("Dorn | birthplace | Ada Belm | Ada Belm saw the light of day in Dorn", "names that do not mean one entity each"),
        ("Bo Belm | friend | Bo Belm | her cousin Bo Belm", "fact of one entity with itself"),
    ],
)  # fmt: skip
def test_a_line_that_does_not_hold_is_dropped_with_its_reason(line: str, reason: str) -> None:
    assert parsed(line) == ([], {reason: 1})


@pytest.mark.parametrize("word", ["not", "never", "perhaps", "didn't", "if"])
def test_a_passage_that_denies_or_doubts_gives_nothing(word: str) -> None:
    quote = "Ada Belm saw the light of day in Dorn"
    passage = Passage("d", f"It is {word} so that {quote}.", 0)
    assert parsed(f"Ada Belm | birthplace | Dorn | {quote}", passage) == (
        [],
        {"text that denies or doubts": 1},
    )


def test_lines_beyond_the_limit_are_not_read() -> None:
    good = "Kell Works | founder | Bo Belm | Kell Works was set up by her cousin Bo Belm"
    assert parsed("x\ny\nz\n" + good) == ([], {"line without four fields": 3, "line beyond the limit": 1})
