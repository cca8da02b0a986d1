"""Questions about paths: one crafted case per reason to refuse, each beside a sound twin."""

import json

import numpy as np
import pytest

from rlvr_gym.errors import TaskError
from rlvr_gym.graphs import Entity, KnowledgeGraph, Path, Relation
from rlvr_gym.graphs.gate import askable, judge, row
from rlvr_gym.graphs.structure import GateConfig, Reject
from rlvr_gym.graphs.wording import ask
from rlvr_gym.types import Status, Task
from rlvr_gym.verifiers import verify
from rlvr_gym.verifiers.kg_question import asked_path, asked_question

ENTITIES = [
    Entity("Q1", "Ada Lovelace", "person", ("Ada", "Countess", "Paris Hilton")),
    Entity("Q2", "France", "country", ("République française",)),
    Entity("Q3", "Paris", "city", ("City of Light",)),
    Entity("Q4", "Bob", "person"),
    Entity("Q5", "Chad", "country"),
    Entity("Q6", "N'Djamena", "city"),
    # Another countess: "Countess" alone is not clear.
    Entity("Q7", "Countess", "title"),
]
RELATIONS = [
    Relation("birth", "country of birth", "native whose homeland is", "person", "country"),
    Relation("capital", "capital", "country whose capital is", "country", "city"),
    Relation("child", "child", "parent whose child is", "person", "person"),
]
#  Ada -birth-> France -capital-> Paris; Bob -birth-> Chad -capital-> N'Djamena; Ada -child-> Bob
FACTS = np.array([[0, 0, 1], [1, 1, 2], [3, 0, 4], [4, 1, 5], [0, 2, 3]])
GRAPH = KnowledgeGraph(ENTITIES, RELATIONS, FACTS)
ADA = Path((0, 1, 2), (0, 1))
BOB = Path((3, 4, 5), (0, 1))
SON = Path((0, 3, 4), (2, 0))
STRICT = GateConfig()
SLOTS = GateConfig(expression="slots")
SOUND = "What is the capital of the country of birth of Ada?"


def refused(question, *, path=ADA, graph=GRAPH, config=STRICT, wording="text", many=None):
    """Return the code of a refusal; None for a question that passes."""
    found = judge(graph, path, question, wording, config, many=many)
    return found and str(found[0])


@pytest.mark.parametrize("config", [STRICT, SLOTS], ids=["strict", "slots"])
@pytest.mark.parametrize(
    ("code", "question"),
    [
        # What gives it away, however it is spelt.
        ("names_answer", "Is Paris the capital of the country of birth of Ada?"),
        ("names_answer", "What is the capital of the country of birth of Ada (P-a-r-i-s)?"),
        ("names_answer", "What is the capital of the country of birth of Ada? P a r i s"),
        ("names_answer", "What is the capital of the country of birth of Ada? PÁRIS"),
        ("names_answer", "What is the capital of the country of birth of Ada? Рагis Pаris"),
        ("names_answer", "What is the capital of the country of birth of Ada? Par\u200dis"),
        ("names_answer", "What is the capital of the country of birth of Ada? Paris's"),
        ("names_answer", "What is the capital of the country of birth of Ada? The city-of-light"),
        ("names_answer", "What is the capital of the country of birth of Ada? Q3"),
        ("names_answer", "What is the capital of the country of birth of Paris Hilton?"),
        ("names_middle", "What is the capital of France, the country of birth of Ada?"),
        ("names_middle", "What is the capital of the country of birth of Ada (République francaise)?"),
        # The start.
        ("no_start", "What is the capital of the country of birth of her?"),
        ("no_start", "What is the capital of the country of birth of Adam?"),
        ("no_start", "What is the capital of the country of birth of Bob?"),
        ("no_start", "What is the capital of the country of birth of Q1?"),
        ("ambiguous_start", "What is the capital of the country of birth of Countess?"),
        # The relations.
        ("missing_relation", "What is the capital of Ada?"),
        ("missing_relation", "What is the country of birth of Ada?"),
        ("missing_relation", "What is the country of birth of the capital of Ada?"),
        ("missing_relation", "For Ada, what is the country of birth of the capital?"),
        ("missing_relation", "What is Ada's capital's country of birth?"),
        ("missing_relation", "What is the capital and the country of birth of Ada?"),
        ("missing_relation", "Ada, capital, country of birth?"),
        ("missing_relation", "What is the native whose homeland is Ada?"),
        # The type.
        ("wrong_type", "Which country is the capital of the country of birth of Ada?"),
        ("wrong_type", "Who is the capital of the country of birth of Ada?"),
        ("wrong_type", "Where is the capital of the country of birth of Ada?"),
        # More than the question.
        ("says_more", "What is not the capital of the country of birth of Ada?"),
        ("says_more", "What is the capital of the country of birth of Ada or of Bob?"),
        ("says_more", "What is the capital of the country of birth of Ada, except today?"),
        ("says_more", "What is the capital of the country of birth of Ada? What is it?"),
        ("says_more", "What is the capital of the country of birth of Ada? Answer in 5 letters."),
        ("says_more", "What is the capital of the country of birth of Ada? Reply with any word."),
        ("says_more", "What is the capital of the country of birth of Ada? It rhymes with ferris."),
        ("says_more", "What is the capital of the country of birth of Ada? siraP backwards"),
        ("says_more", "What is the capital of the country of birth of Ada? An anagram of pairs."),
        ("says_more", "What is the capital of the country of birth of Ada? パリ"),
        ("says_more", 'What is the "capital" of the country of birth of Ada?'),
        ("says_more", "What is next to the capital of the country of birth of Ada?"),
        ("says_more", "What is in the capital of the country of birth of Ada?"),
        ("says_more", "What leads to the capital of the country of birth of Ada?"),
        ("says_more", "What is the capital of the country of birth of Ada of Ada?"),
        ("says_more", "What is the capital of the capital of the country of birth of Ada?"),
        ("says_more", "What is the former capital of the country of birth of Ada?"),
        # What is no question at all.
        ("unreadable", ""),
        ("unreadable", " \n "),
        ("unreadable", "What is the capital of\nthe country of birth of Ada?"),
        ("unreadable", "What is the capital of the country of birth of Ada\x00?"),
        ("unreadable", "What is the capital of the country of birth of \u202eadA?"),
        ("unreadable", "What is the capital of the country of birth of A\u200bda?"),
        ("unreadable", "What is the capital of the country of birth of Ada\ud800?"),
        ("unreadable", SOUND + " " * 2000 + "?"),
    ],
)
def test_a_question_is_refused_for_what_is_wrong_with_it(code, question, config):
    assert refused(question, config=config) == code
    assert refused(SOUND, config=config) is None


@pytest.mark.parametrize(
    ("strictly", "question"),
    [
        (None, "Which city is the capital of the country of birth of Ada Lovelace?"),
        (None, "  which city is the Capital of the country of birth of ADA."),
        (None, "Name the capital of the country of birth of Ada"),
        (
            None,
            "Begin with Ada. Take the country of birth of that, then the capital of that. What does this lead to?",
        ),
        # There is one answer, and a sentence that asks for several makes another question.
        ("says_more", "What is every capital of the country of birth of Ada? Name all of them."),
        ("says_more", "I would like to know the capital of the country of birth of Ada."),
        ("says_more", "Consider Ada. What is the capital of the country of birth?"),
        ("says_more", "Please tell me, what is the capital of the country of birth of Ada?"),
        ("says_more", "What is the capital of Ada's country of birth?"),
        ("says_more", "What was Ada’s country of birth’s capital?"),
        ("says_more", "Ada's country of birth's capital is what?"),
        ("says_more", "For Ada, which city is the capital of the country of birth?"),
        ("says_more", "Starting from Ada: take the country of birth, then its capital."),
    ],
)
def test_slots_leave_the_wording_free(strictly, question):
    assert refused(question, config=SLOTS) is None
    assert refused(question) == strictly


def test_without_expression_only_leaks_and_the_start_are_looked_at():
    off = GateConfig(expression="off")
    assert refused("Tell me something about Ada!", config=off) is None
    assert refused("Tell me something about Bob!", config=off) == "no_start"
    assert refused("Tell me something about the Countess!", config=off) == "ambiguous_start"
    assert refused("Tell me something about Ada in Paris!", config=off) == "names_answer"


def test_leaks_can_be_allowed():
    question = "What is the capital of the country of birth of Paris Hilton?"
    assert refused(question) == "names_answer"
    assert refused(question, config=GateConfig(leaks=False)) is None


@pytest.mark.parametrize(
    ("code", "path", "config"),
    [
        ("no_path", Path((0, 4, 5), (0, 1)), STRICT),
        ("repeated_entity", Path((0, 1, 0, 3), (0, 3, 2)), STRICT),
        ("hub", ADA, GateConfig(max_in_degree=0)),
        ("rare_relation", ADA, GateConfig(min_facts=3)),
    ],
)
def test_an_unsound_path_is_refused_for_its_own_reason(code, path, config):
    for wording in ("text", "codes"):
        question = ask(GRAPH, path, wording)
        assert refused(question, path=path, config=config, wording=wording) == code
        assert askable(GRAPH, path, wording, config)[0] == code
    assert refused(ask(GRAPH, BOB, "text"), path=BOB) is None


def siblings(config):
    """Return what becomes of a question with two answers: Ada's country of birth has two capitals."""
    graph = KnowledgeGraph(ENTITIES, RELATIONS, np.array([[0, 0, 1], [1, 1, 2], [1, 1, 5]]))
    return {
        many: refused(ask(graph, ADA, "text", many=many), path=ADA, graph=graph, config=config)
        for many in (False, True)
    }


def test_several_answers_are_asked_for_as_several_or_not_at_all():
    assert siblings(STRICT) == {False: "not_unique", True: "not_unique"}
    assert siblings(GateConfig(answers="set", max_answers=1)) == {
        False: "too_many_answers",
        True: "too_many_answers",
    }
    for expression in ("strict", "slots"):
        assert siblings(GateConfig(answers="set", expression=expression)) == {False: "wrong_type", True: None}


def test_every_answer_and_every_way_between_is_a_leak():
    # Both capitals answer, though the path ends in one.
    graph = KnowledgeGraph(
        ENTITIES, RELATIONS, np.array([[0, 0, 1], [1, 1, 2], [1, 1, 5], [0, 0, 4], [4, 1, 5]])
    )
    config = GateConfig(answers="set", necessity=False, expression="off")
    assert refused("Ada and N'Djamena", graph=graph, config=config) == "names_answer"
    assert refused("Ada and Chad", graph=graph, config=config) == "names_middle"


def test_a_relation_that_cannot_be_said_backwards_is_missing():
    graph = KnowledgeGraph(ENTITIES, [Relation("birth", "country of birth")], np.array([[0, 0, 1]]))
    back = Path((1, 0), (1,))
    assert askable(graph, back, "text", STRICT)[0] is Reject.MISSING
    assert askable(graph, back, "codes", STRICT) is None


def twins(*facts):
    """Return why a path over one of two relations of the same name cannot be asked; 0 and 1 are the relations."""
    relations = [Relation("capital_now", "capital"), Relation("capital_then", "capital")]
    graph = KnowledgeGraph(ENTITIES, relations, np.array(facts))
    return askable(graph, Path((1, 2), (0,)), "text", STRICT)


def test_a_phrase_that_also_says_another_relation_expresses_none():
    assert twins((1, 0, 2), (1, 1, 5))[0] is Reject.MISSING
    # The other leads nowhere from here, or to the same: nobody can go wrong.
    assert twins((1, 0, 2), (4, 1, 5)) is None
    assert twins((1, 0, 2), (1, 1, 2)) is None


def test_phrases_that_together_say_another_one_express_nothing():
    relations = [Relation("a", "capital of the country"), Relation("b", "country"), Relation("c", "capital")]
    # 0 -b-> 1 -c-> 2, but 0 -a-> 5: "the capital of the country of Ada" is Paris or N'Djamena.
    graph = KnowledgeGraph(ENTITIES, relations, np.array([[0, 1, 1], [1, 2, 2], [0, 0, 5]]))
    assert askable(graph, Path((0, 1, 2), (1, 2)), "text", STRICT)[0] is Reject.MISSING
    assert askable(graph, Path((0, 5), (0,)), "text", STRICT)[0] is Reject.MISSING
    assert askable(graph, Path((0, 1), (1,)), "text", STRICT) is None


@pytest.mark.parametrize(("ruler", "code"), [(6, "ambiguous_start"), (3, None)])
def test_a_name_that_also_reads_as_a_step_from_elsewhere_is_not_clear(ruler, code):
    # "The homeland of the king of Chad": of the entity King of Chad, or of whoever is king of Chad.
    king = Entity("k", "King of Chad")
    relations = [Relation("homeland", "homeland"), Relation("king", "king")]
    # Countess (6) rules Chad (4) and comes from Chad; Bob (3) comes from nowhere, and so nobody can go wrong.
    graph = KnowledgeGraph([*ENTITIES, king], relations, np.array([[7, 0, 1], [4, 1, ruler], [6, 0, 4]]))
    assert askable(graph, Path((7, 1), (0,)), "codes", STRICT) is None
    found = askable(graph, Path((7, 1), (0,)), "text", STRICT)
    assert (found and str(found[0])) == code


def test_glue_that_is_a_relation_elsewhere_is_no_glue():
    relations = [Relation("capital", "capital"), Relation("name", "name")]
    plain = KnowledgeGraph(ENTITIES, relations[:1], np.array([[1, 0, 2]]))
    named = KnowledgeGraph(ENTITIES, relations, np.array([[1, 0, 2], [2, 1, 6]]))
    question = "Please name the capital of France."
    path = Path((1, 2), (0,))
    assert refused(question, graph=plain, path=path, config=SLOTS) is None
    assert refused(question, graph=named, path=path, config=SLOTS) == "says_more"


def test_a_start_without_a_clear_name_cannot_be_asked_about():
    graph = KnowledgeGraph([*ENTITIES, Entity("Q8", "Bob")], RELATIONS, FACTS)
    assert askable(graph, BOB, "text", STRICT)[0] is Reject.AMBIGUOUS_START
    assert askable(graph, BOB, "codes", STRICT) is None
    assert askable(GRAPH, BOB, "text", STRICT) is None


def test_a_name_that_means_something_else_behind_an_article_is_not_clear():
    beatles = [
        Entity("b1", "Beatles", aliases=("VW Beatles",)),
        Entity("b2", "The Beatles"),
        Entity("e", "Endwell"),
    ]
    graph = KnowledgeGraph(beatles, RELATIONS, np.array([[0, 1, 2]]))
    path = Path((0, 2), (1,))
    assert ask(graph, path, "text").endswith("of VW Beatles?")
    assert (
        refused("What is the capital of the Beatles?", graph=graph, path=path, config=SLOTS)
        == "ambiguous_start"
    )


def test_a_pronoun_is_no_clear_name_but_an_acronym_is():
    who = KnowledgeGraph([Entity("w", "WHO"), Entity("e", "Endwell")], RELATIONS, np.array([[0, 1, 1]]))
    assert askable(who, Path((0, 1), (1,)), "text", STRICT) is None
    graph = KnowledgeGraph(
        [Entity("n", "It", aliases=("It (novel)",)), Entity("e", "Endwell")], RELATIONS, np.array([[0, 1, 1]])
    )
    path = Path((0, 1), (1,))
    assert refused("What is the capital of it?", graph=graph, path=path) == "ambiguous_start"
    assert refused(ask(graph, path, "text"), graph=graph, path=path) is None


def test_names_longer_than_a_question_may_be_are_refused_with_the_path():
    graph = KnowledgeGraph([Entity("x", "y" * 5000), *ENTITIES[1:]], RELATIONS, FACTS)
    assert askable(graph, ADA, "text", STRICT)[0] is Reject.UNREADABLE


def test_where_a_graph_has_no_types_none_can_be_asked_for():
    graph = KnowledgeGraph([Entity("x"), Entity("y")], [Relation("owner")], np.array([[0, 0, 1]]))
    for config in (STRICT, SLOTS):
        assert (
            refused("Which person is the owner of x?", graph=graph, path=Path((0, 1), (0,)), config=config)
            == "says_more"
        )
        assert refused("What is the owner of x?", graph=graph, path=Path((0, 1), (0,)), config=config) is None


def test_quantities_are_asked_for_in_their_unit():
    size = Entity("size", "", "area", modality="quantity", attributes={"value": "105", "unit": "km"})
    graph = KnowledgeGraph([*ENTITIES[:3], size], [Relation("area")], np.array([[2, 0, 3]]))
    path = Path((2, 3), (0,))
    for config in (STRICT, SLOTS):
        assert refused("What is the area of Paris, in km?", graph=graph, path=path, config=config) is None
        for wrong in ("What is the area of Paris?", "Who is the area of Paris, in km?"):
            assert refused(wrong, graph=graph, path=path, config=config) == "wrong_type"
        assert (
            refused("What is the area of Paris, in miles?", graph=graph, path=path, config=config)
            == "wrong_type"
        )
        assert (
            refused("Is the area of Paris 105 km?", graph=graph, path=path, config=config) == "names_answer"
        )


@pytest.mark.parametrize(
    ("code", "question"),
    [
        (None, "aAB"),
        (None, " aAB\n"),
        ("names_middle", "aAbB"),
        ("names_middle", "bB"),
        ("names_answer", "aABc"),
        ("names_answer", "aAbBc"),
        ("no_path", "aA"),
        ("no_path", "aBA"),
        ("no_path", "aABA"),
        ("no_start", "dAB"),
        # Six steps (A to F) and seven entities (a to g) have codes.
        ("unreadable", "aAG"),
        ("unreadable", "hAB"),
        ("unreadable", "aABe"),
        ("unreadable", "a AB"),
        ("unreadable", "aAB aAB"),
        ("unreadable", "aAB?"),
        ("unreadable", "AB"),
        ("unreadable", "a"),
        ("unreadable", "aab"),
        ("unreadable", ""),
        ("unreadable", "\uff41\uff21\uff22"),
        ("unreadable", "aАВ"),
        ("unreadable", "aAB" * 1000),
        ("unreadable", "What is the capital of the country of birth of Ada?"),
    ],
)
def test_codes_are_read_in_one_way(code, question):
    assert refused(question, wording="codes") == code


def reference(*paths, wording="text", config=STRICT):
    return {"paths": [row(GRAPH, path, wording, config) for path in paths]}


@pytest.mark.parametrize("wording", ["text", "codes"])
def test_the_verdict_says_which_of_the_shown_paths_is_asked(wording):
    shown = json.loads(json.dumps(reference(ADA, BOB, SON, wording=wording)))
    for place, path in enumerate((ADA, BOB, SON)):
        question = ask(GRAPH, path, wording)
        verdict = verify("kg_question", question, reference=shown)
        assert (verdict.status, verdict.reason) == (Status.PASSED, f"path {place + 1}")
        assert asked_path(question, shown) == place
        assert asked_question(question, shown) == (place, question)
    # Sound, but not shown.
    other = ask(GRAPH, Path((0, 3, 4, 5), (2, 0, 1)), wording)
    assert verify("kg_question", other, reference=shown).reason.startswith(
        ("missing_relation: ", "no_path: ")
    )
    assert asked_path(other, shown) is None
    assert asked_question(other, shown) is None


def test_an_unsound_path_among_the_shown_is_refused_and_the_others_pass():
    shown = reference(Path((0, 4, 5), (0, 1)), BOB)
    assert verify("kg_question", SOUND, reference=shown).reason.startswith("no_path: ")
    assert verify("kg_question", ask(GRAPH, BOB, "text"), reference=shown).reason == "path 2"


def test_a_refusal_speaks_of_the_path_that_the_question_comes_nearest_to():
    shown = reference(ADA, BOB)
    # Of Ada's path this would be without its start; of Bob's it lacks a step.
    verdict = verify("kg_question", "What is the capital of Bob?", reference=shown)
    assert verdict.reason.startswith("missing_relation: ")
    verdict = verify(
        "kg_question", "What is the capital of the country of birth of Bob, Chad?", reference=shown
    )
    assert verdict.reason.startswith("names_middle: ")


def test_what_cannot_be_read_is_malformed_and_all_else_failed():
    assert verify("kg_question", "\x00", reference=reference(ADA)).status is Status.MALFORMED
    assert verify("kg_question", "What?", reference=reference(ADA)).status is Status.FAILED


GOOD = reference(ADA)["paths"][0]
CODED = reference(ADA, wording="codes")["paths"][0]


@pytest.mark.parametrize(
    "wrong",
    [
        None,
        "aAB",
        [GOOD],
        {},
        {"paths": []},
        {"paths": [GOOD] * 65},
        {"paths": [GOOD], "more": 1},
        {"paths": [GOOD, CODED]},
        {"paths": [{**GOOD, "steps": []}]},
        # Silence would ask it.
        {"paths": [{**CODED, "question": ""}]},
        {"paths": [{**GOOD, "outcome": "bad"}]},
        {"paths": [{**GOOD, "start": None}]},
        {"paths": [{key: value for key, value in GOOD.items() if key != "answers"}]},
    ],
)
def test_a_reference_that_row_did_not_write_is_an_error_of_the_task(wrong):
    with pytest.raises(
        TaskError, match=r"^task 'verify': the reference is not made of question rows: .*$"
    ) as error:
        verify("kg_question", "", reference=wrong)
    assert "\n" not in str(error.value)


def test_the_row_says_no_more_than_json():
    assert json.loads(json.dumps(GOOD)) == GOOD
    assert Task("x", "", {"paths": [GOOD]}).to_dict()["reference"] == {"paths": [GOOD]}
