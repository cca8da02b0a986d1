"""How paths are written, as English and as codes."""

import numpy as np
import pytest

from rlvr_gym.graphs import Entity, KnowledgeGraph, Path, Relation
from rlvr_gym.graphs.gate import askable, row
from rlvr_gym.graphs.structure import GateConfig
from rlvr_gym.graphs.wording import UnaskableError, answer, ask, clean, mention, plural, show, spell
from rlvr_gym.types import Status
from rlvr_gym.verifiers import verify

ENTITIES = {
    "ada": Entity("ada", "Ada", "person"),
    "uk": Entity("uk", "United Kingdom", "country", ("Britain",)),
    "london": Entity("london", "London", "city"),
    "size": Entity("size", "", "area", modality="quantity", attributes={"value": "1572", "unit": "km2"}),
    "leeds": Entity("leeds", "Leeds", "city"),
}
RELATIONS = {
    "birth": Relation("birth", "country of birth", tail_type="country"),
    "capital": Relation("capital", "capital", "country whose capital is", "country", "city"),
    "area": Relation("area", "area"),
    "has_city": Relation("has_city", head_type="country"),
}
GRAPH = KnowledgeGraph.of(
    [
        ("ada", "birth", "uk"),
        ("uk", "capital", "london"),
        ("london", "area", "size"),
        ("uk", "has_city", "london"),
        ("uk", "has_city", "leeds"),
    ],
    entities=ENTITIES,
    relations=RELATIONS,
)


def path(*row):
    return Path.from_json(list(row), GRAPH)


TWO_HOPS = path("ada", "birth", "uk", "capital", "london")


def texts(asked, many=False):
    """Return all different sentences that `ask` writes for a path."""
    return {ask(GRAPH, asked, "text", many=many, rng=rng) for rng in map(np.random.default_rng, range(40))}


def test_codes_have_the_least_width_that_tells_all_apart():
    # 5 entities and 8 steps: one letter each. Places: ada a, uk b, london c; steps birth A, capital B, area C.
    assert ask(GRAPH, TWO_HOPS, "codes") == "aAB"
    assert show(GRAPH, TWO_HOPS, "codes") == "aAbBc"
    assert answer(GRAPH, TWO_HOPS, [2], "codes", reasoning=True) == "bc"
    assert answer(GRAPH, TWO_HOPS, [2], "codes", reasoning=False) == "c"
    # Backwards is 4 relations further on: capital, place 1, is F.
    assert ask(GRAPH, path("london", "^capital", "uk"), "codes") == "cF"


@pytest.mark.parametrize(("number", "width"), [(26, 1), (27, 2), (676, 2), (677, 3)])
def test_the_width_of_codes_grows_with_the_graph(number, width):
    graph = KnowledgeGraph([Entity(str(n)) for n in range(number)], [], np.zeros((0, 3), int))
    codes = [spell(graph, place, "codes") for place in range(number)]
    assert {len(code) for code in codes} == {width}
    assert len(set(codes)) == number


def test_questions_nest_the_phrases_and_ask_for_the_type_of_the_answer():
    assert ask(GRAPH, TWO_HOPS, "text") == "Which city is the capital of the country of birth of Ada?"


def test_other_sentences_ask_the_same():
    assert texts(TWO_HOPS) == {
        "Which city is the capital of the country of birth of Ada?",
        "What is the capital of the country of birth of Ada?",
        "Name the capital of the country of birth of Ada.",
        "Begin with Ada. Take the country of birth of that, then the capital of that. What does this lead to?",
    }


def test_an_inverse_phrase_is_followed_by_its_entity():
    asked = path("london", "^capital", "uk", "has_city", "leeds")
    assert ask(GRAPH, asked, "text") == "What is the has city of the country whose capital is London?"
    assert "Take the country whose capital is that, then the has city of that." in " ".join(texts(asked))


def test_the_type_is_not_asked_for_where_the_phrase_says_it():
    # "Which country is the country whose capital is London?" would say it twice.
    assert (
        ask(GRAPH, path("london", "^capital", "uk"), "text") == "What is the country whose capital is London?"
    )


def test_quantities_are_asked_for_in_their_unit():
    asked = path("london", "area", "size")
    assert ask(GRAPH, asked, "text") == "What is the area of London, in km2?"
    assert all("in km2" in text for text in texts(asked))
    assert answer(GRAPH, asked, [3], "text", reasoning=False) == "Answer: 1572 km2"


def test_questions_with_several_answers_ask_for_all():
    graph = KnowledgeGraph(
        GRAPH.entities,
        [Relation("city", "major city", tail_type="city"), Relation("child", "only child", tail_type="city")],
        np.array([[1, 0, 2], [1, 0, 4]]),
    )
    asked = Path((1, 2), (0,))
    # "city" stands in the phrase, so that the type is not asked for; it is where the phrase is another.
    assert (
        ask(graph, asked, "text", many=True)
        == "What is every major city of United Kingdom? Name all of them."
    )
    other = Path((1, 2), (1,))
    assert (
        ask(graph, other, "text", many=True)
        == "Which cities are each an only child of United Kingdom? Name all of them."
    )
    assert answer(graph, asked, [2, 4], "text", reasoning=False) == "Answer: London; Leeds"


def test_a_relation_without_inverse_words_cannot_be_asked_backwards_in_english():
    asked = path("uk", "^birth", "ada")
    with pytest.raises(UnaskableError, match="relation 'birth' has no inverse phrase"):
        ask(GRAPH, asked, "text")
    assert show(GRAPH, asked, "text") == "United Kingdom | country of birth (backwards) | Ada"
    # 4 relations on from A.
    assert ask(GRAPH, asked, "codes") == "bE"


def test_a_right_response_states_the_chain_before_its_answer():
    assert answer(GRAPH, TWO_HOPS, [2], "text", reasoning=True).splitlines() == [
        "The country of birth of Ada is United Kingdom.",
        "The capital of United Kingdom is London.",
        "Answer: London",
    ]
    back = path("london", "^capital", "uk")
    assert answer(GRAPH, back, [1], "text", reasoning=True).startswith(
        "The country whose capital is London is United Kingdom."
    )


def test_an_ambiguous_label_gives_way_to_a_clear_alias():
    graph = KnowledgeGraph(
        [Entity("p1", "Paris", aliases=("Paris, Texas",)), Entity("p2", "Paris")],
        [Relation("mayor")],
        np.array([[0, 0, 1]]),
    )
    assert mention(graph, 0) == "Paris, Texas"
    # The other has no clear name: its label is the best there is, and the gate refuses it.
    assert mention(graph, 1) == "Paris"


def test_words_before_a_name_must_not_make_another_name_of_it():
    graph = KnowledgeGraph(
        [Entity("f", "France", aliases=("la France",)), Entity("r", "Bank of France"), Entity("x", "Xavier")],
        [Relation("bank", "bank")],
        np.array([[0, 0, 2]]),
    )
    # "the bank of France" could be the entity Bank of France.
    assert ask(graph, Path((0, 2), (0,)), "text") == "What is the bank of la France?"


ODD = [
    'The "Old" Inn',
    "Capital of Nowhere (disputed)",
    "l’Île d’Or",
    "what is the [REDACTED]?",
    "A. B.",
    "Smith & Sons, Ltd.",
    "{braces} %s $x$",
    "東京",
    "Zoë 🦊",
    "   two\n lines\t",
    "C++",
    "نص",
    "???",
    "No. 5",
]


@pytest.mark.parametrize("label", ODD)
@pytest.mark.parametrize("wording", ["text", "codes"])
def test_odd_labels_make_questions_that_pass(label, wording):
    graph = KnowledgeGraph(
        [Entity("s", label), Entity("m", "Middleham"), Entity("e", "Endwell")],
        [Relation("owner", 'so-called "owner"'), Relation("part_of")],
        np.array([[0, 0, 1], [1, 1, 2]]),
    )
    asked = Path((0, 1, 2), (0, 1))
    assert askable(graph, asked, wording, GateConfig()) is None
    reference = {"paths": [row(graph, asked, wording, GateConfig())]}
    for seed in range(12):
        question = ask(graph, asked, wording, rng=np.random.default_rng(seed))
        assert verify("kg_question", question, reference=reference).status is Status.PASSED, question


def test_names_are_cleaned_of_what_nobody_sees():
    assert clean("Par\u200bis\u202e\x00") == "Paris"
    # Persian and emoji need their joiners.
    assert clean("می\u200cخواهم") == "می\u200cخواهم"


@pytest.mark.parametrize(
    ("noun", "expected"),
    [("city", "cities"), ("day", "days"), ("box", "boxes"), ("church", "churches"), ("", "s")],
)
def test_regular_plurals(noun, expected):
    assert plural(noun) == expected
