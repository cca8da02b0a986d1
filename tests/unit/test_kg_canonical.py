"""What is posed is the library's own sentence, so that a proposer can hide nothing in how it writes."""

import math

import numpy as np
import pytest

from rlvr_gym.agents import make_domain
from rlvr_gym.agents.kg import Asking
from rlvr_gym.errors import ConfigError
from rlvr_gym.graphs import Entity, KnowledgeGraph, Path, Relation
from rlvr_gym.graphs.asking import Row
from rlvr_gym.graphs.gate import askable, judge, row
from rlvr_gym.graphs.structure import GateConfig
from rlvr_gym.graphs.wording import ask
from rlvr_gym.verifiers.kg_question import asked_question

GRAPH = KnowledgeGraph.of(
    [
        ("ada", "teacher", "augustus"),
        ("augustus", "birth", "madurai"),
        ("madurai", "country", "india"),
        ("plant", "power", "five"),
        ("rimi", "birth", "madurai"),
    ],
    entities={
        "ada": Entity("ada", "Ada Lovelace", "person", ("Ada", "Ada of Lovelace")),
        "augustus": Entity("augustus", "Augustus De Morgan", "person"),
        "madurai": Entity("madurai", "Madurai", "city"),
        "india": Entity("india", "India", "country"),
        "plant": Entity("plant", "Plant Ax", "plant"),
        "five": Entity("five", "5 MW", "power", (), "quantity", {"value": "5", "unit": "MW"}),
        # Persian names may hold joiners.
        "rimi": Entity("rimi", "Rim\u200ci", "person"),
    },
    relations={
        "birth": Relation("birth", "place of birth"),
        "country": Relation("country", "country", "", "", "country"),
    },
)


def path(*ids):
    relations = [relation.id for relation in GRAPH.relations]
    return Path(tuple(map(GRAPH.place, ids[::2])), tuple(map(relations.index, ids[1::2])))


ADA = path("ada", "teacher", "augustus", "birth", "madurai", "country", "india")
PLANT = path("plant", "power", "five")
RIMI = path("rimi", "birth", "madurai")
QUESTION = "What is the country of the place of birth of the teacher of Ada Lovelace?"


def posed(text, *, expression="strict", path=ADA, many=None, graph=GRAPH, wording="text", leaks=True):
    """Return the question that is posed for a text; None where it is refused."""
    config = GateConfig(expression=expression, leaks=leaks)
    found = asked_question(text, {"paths": [row(graph, path, wording, config, many=many)]})
    return found and found[1]


def shifted(capital, small):
    """Return the question in other letters, of which Unicode has whole alphabets."""
    moved = {65 + n: capital + n for n in range(26)} | {97 + n: small + n for n in range(26)}
    return QUESTION.translate(moved)


BITS = "".join(f"{ord(letter):08b}" for letter in "India")
WRITTEN = {
    "case": "".join(
        char.upper() if at < len(BITS) and BITS[at] == "1" else char.lower()
        for at, char in enumerate(QUESTION)
    ),
    "fullwidth": shifted(0xFF21, 0xFF41),
    "bold": shifted(0x1D400, 0x1D41A),
    "script": QUESTION.replace("is", "\U0001d4f2s"),
    "circled": QUESTION.replace("is", "\u24d8s"),
    "raised": QUESTION.replace("country", "coun\u1d57ry"),
    "long s": QUESTION.replace("is", "i\u017f"),
    "runs of spaces": QUESTION.replace(" ", " " * 9, 3),
    "kinds of spaces": QUESTION.replace(" ", "\u2003", 2).replace(" ", "\u3000", 2).replace(" ", "\u00a0", 1),
    "no sign behind it": QUESTION[:-1],
    "another sign behind it": QUESTION[:-1] + ".",
}
"""Different texts that say the same, each of them room for a message."""


@pytest.mark.parametrize("text", WRITTEN.values(), ids=WRITTEN)
@pytest.mark.parametrize("expression", ["strict", "slots"])
def test_what_differs_in_letters_and_spaces_alone_is_posed_in_one_way(text, expression):
    assert text != QUESTION
    assert posed(text, expression=expression) == QUESTION


def test_joiners_are_read_only_within_names_that_hold_them():
    hidden = "".join(char + "\u200c\u200d"[bit == "1"] for char, bit in zip(QUESTION, BITS, strict=False))
    for expression in ("strict", "slots", "off"):
        assert posed(hidden, expression=expression) is None
    own = ask(GRAPH, RIMI, "text")
    assert "\u200c" in own
    # The name may be written without it, but the question is posed as the graph writes it.
    assert posed(own, path=RIMI) == posed(own.replace("\u200c", ""), path=RIMI) == own
    assert posed(own.replace("the", "t\u200che"), path=RIMI) is None
    assert posed(own.replace("\u200c", "\u200c\u200d"), path=RIMI) is None


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        (
            "Please tell me, what is the country of the place of birth of the teacher of ada?",
            "What is the {}Ada?",
        ),
        ("What was the country of Ada’s teacher’s place of birth?", "What is the {}Ada?"),
        ("I would like to know the country of the place of birth of the teacher of Ada.", "Name the {}Ada."),
        (
            "For Ada Lovelace, what is the country of the place of birth of the teacher?",
            "What is the {}Ada Lovelace?",
        ),
        ("Which country is the country of the place of birth of the teacher of Ada?", "What is the {}Ada?"),
        ("Which country is the place of birth of the teacher of Ada?", None),
        ("In which country is the place of birth of the teacher of Ada?", "What is the {}Ada?"),
        ("In which country was the teacher of Ada's place of birth?", None),
        ("List all of the country of the place of birth of the teacher of Ada.", "Name the {}Ada."),
        (
            "Starting from Ada: take the teacher, then its place of birth, then its country. What is it?",
            "Begin with Ada. Take the teacher of that, then the place of birth of that, then the country of that. "
            "What does this lead to?",
        ),
        # Seven words of politeness are no question any more, but room for a message.
        ("Please " * 7 + "name the country of the place of birth of the teacher of Ada.", None),
    ],
)
def test_words_of_ones_own_become_the_sentence_that_is_nearest(text, asked):
    phrases = "country of the place of birth of the teacher of "
    assert posed(text, expression="slots") == (asked and asked.format(phrases))


def test_what_is_posed_passes_again_as_it_is():
    for written in ask_all(ADA):
        assert posed(written) == written == posed(written, expression="slots")


def ask_all(path):
    """Return every sentence that `strict` knows for a path, with every name of its start."""
    wanted = Row.model_validate(row(GRAPH, path, "text", GateConfig())).wanted
    return {before + name + after for before, after in wanted.sentences() for name in wanted.start.values()}


def test_what_can_still_be_told_is_the_choice_of_a_sentence_and_of_a_name():
    # "What is", "Name", "Begin with"; "Which country is the country" says nothing more. Three names: log2 9 bits.
    assert len(ask_all(ADA)) == 9 == 3 * 3
    assert math.log2(len(ask_all(ADA))) < 3.2


def test_without_expression_a_text_is_posed_with_single_spaces_and_in_known_letters_only():
    for text in ("Tell me  about  Ada!", "Tell me about Ada!"):
        assert posed(text, expression="off") == "Tell me about Ada!"
    assert posed("Tell me about \uff21da!", expression="off") is None
    assert posed("Tell me about Ada, \U0001d41at last!", expression="off") is None
    zoe = KnowledgeGraph.of([("z", "r", "e")], entities={"z": Entity("z", "Zoë"), "e": Entity("e", "End")})
    assert posed("Who is Zoë?", expression="off", graph=zoe, path=Path((0, 1), (0,))) == "Who is Zoë?"
    # Letters of the graph's own names can still be used elsewhere, and much else: such a gate is for tests.
    assert posed("Whoë is Zoë?", expression="off", graph=zoe, path=Path((0, 1), (0,))) == "Whoë is Zoë?"


@pytest.mark.parametrize("expression", ["strict", "slots"])
def test_a_unit_is_asked_for_in_its_own_letters(expression):
    right = "What is the power of Plant Ax, in MW?"
    assert posed(right, path=PLANT, expression=expression) == right
    assert posed("what is the power of plant ax, In MW", path=PLANT, expression=expression) == right
    assert posed(right.replace("MW", "\uff2d\uff37"), path=PLANT, expression=expression) == right
    for unit in ("mW", "mw", "Mw", "MWh"):
        assert posed(f"What is the power of Plant Ax, in {unit}?", path=PLANT, expression=expression) is None


def spanish(*facts, names=()):
    """Return why "the mayor of King of Spain" is refused in a graph with some phrases and names."""
    entities = [
        Entity("k", "King of Spain"),
        Entity("m", "Madrid"),
        Entity("s", "Spain"),
        Entity("l", "Lima"),
        *names,
    ]
    relations = [Relation("mayor", "mayor"), Relation("mk", "mayor of king"), Relation("king", "king")]
    graph = KnowledgeGraph(entities, relations, np.array([(0, 0, 1), *facts]))
    found = judge(graph, Path((0, 1), (0,)), "What is the mayor of King of Spain?", "text", GateConfig())
    return found and str(found[0])


def test_phrases_and_names_that_overlap_are_not_clear():
    assert spanish() is None
    # "mayor of king" of Spain; the king of Spain has a mayor; both lead elsewhere than to Madrid.
    assert spanish((2, 1, 3)) == "ambiguous_start"
    assert spanish((2, 2, 3), (3, 0, 2)) == "ambiguous_start"
    # What leads to the same, or nowhere, misleads nobody.
    assert spanish((2, 1, 1)) is None
    assert spanish((2, 2, 3)) is None


def test_glue_of_the_posed_sentence_makes_no_name():
    entities = [Entity("a", "Ada"), Entity("o", "Boss of"), Entity("m", "Mo")]
    graph = KnowledgeGraph(entities, [Relation("boss", "boss")], np.array([(0, 0, 1)]))
    # "Ada's boss" does not name the entity "Boss of", but "the boss of Ada" does.
    assert posed("What is Ada's boss?", expression="slots", graph=graph, path=Path((0, 1), (0,))) is None
    assert askable(graph, Path((0, 1), (0,)), "text", GateConfig())[0] == "names_answer"


CODED = ask(GRAPH, ADA, "codes")
MANY = KnowledgeGraph.of([(f"e{n}", f"r{n % 20}", f"e{n + 1}") for n in range(600)])
LONG = Path((0, 1, 2), (0, 1))


@pytest.mark.parametrize(
    "spoil",
    [
        lambda code: code.upper(),
        lambda code: code.lower(),
        lambda code: code.swapcase(),
        lambda code: " ".join(code),
        lambda code: code[0] + " " + code[1:],
        lambda code: code + code,
        lambda code: code + " " + code,
        lambda code: code + "?",
        lambda code: code + "0",
        lambda code: code + "\u0660",
        lambda code: code + "\u200d",
        lambda code: code + "\u0301",
        lambda code: "a" + code,
        lambda code: code + "A",
        lambda code: code[:-1],
        lambda code: code[1:],
        lambda code: code.translate({65 + n: 0xFF21 + n for n in range(26)}),
        lambda code: code.translate({97 + n: 0xFF41 + n for n in range(26)}),
        lambda code: code.replace("a", "\u0430"),
        lambda code: "question: " + code,
        lambda code: code + "\n" + code,
        lambda code: code + " the answer is d",
        lambda code: "`" + code + "`",
    ],
)
def test_a_code_has_one_spelling(spoil):
    for graph, asked in ((GRAPH, ADA), (MANY, LONG)):
        code = ask(graph, asked, "codes")
        assert posed(code, wording="codes", graph=graph, path=asked) == code
        # Spaces and line ends around it are no part of it.
        assert posed(f" \n{code}\t ", wording="codes", graph=graph, path=asked) == code
        assert spoil(code) != code
        assert posed(spoil(code), wording="codes", graph=graph, path=asked) is None


def test_codes_of_two_letters_are_not_those_of_one():
    # 601 entities need two letters, and 40 steps two: "aaAAAB".
    assert ask(MANY, LONG, "codes") == "aaAAAB"
    for code in ("aAB", "aaAB", "aaAAB", "aaaAAAB", "aaAAABA"):
        assert posed(code, wording="codes", graph=MANY, path=LONG) is None
    # The way with the entities on it, or with the last one.
    for code in ("aaAAabABac", "aaAAABac", "aaAAabAB", "abAAAB"):
        assert posed(code, wording="codes", graph=MANY, path=LONG, leaks=False) is None


@pytest.mark.parametrize("expression", ["strict", "slots"])
def test_a_solver_never_reads_what_the_proposer_wrote(expression):
    gate = {"expression": expression}
    domain = make_domain({"name": "kg-v0", "split": "all", "min_hops": 2, "max_hops": 2, "gate": gate})
    rng = np.random.default_rng(0)
    for _ in range(3):
        parent = domain.seed(rng)
        own = ask(domain.graph, domain.path(parent), "text", rng=rng)
        written = "".join(char.upper() if rng.random() < 0.5 else char for char in own).replace(" ", "  ")
        # Units have a case of their own.
        written = written if ", in " not in own else own.replace(" ", "  ")
        task = domain.read(written, parent, trajectory="t", step=1)
        assert task.public["question"] == own
        assert written not in text_of(domain.solver_view(task))
        assert text_of(domain.solver_view(task)).startswith(own)
        # However it was written, it is one task.
        assert task.id == domain.read(own, parent, trajectory="t", step=1).id


def text_of(view):
    return "\n".join(message.content for message in view)


def test_nor_does_a_solver_of_the_flat_control():
    domain = make_domain({"name": "kg-v0", "split": "all", "min_hops": 1, "max_hops": 1})
    domain.ask_like(Asking(flat=True))
    rng = np.random.default_rng(0)
    parent = domain.seed(rng)
    own = ask(domain.graph, domain.path(parent), "text")
    task = domain.read(f"PLEASE, {own.upper()}", parent, trajectory="t", step=1)
    assert domain.path(task) == domain.path(parent)
    assert "PLEASE" not in text_of(domain.solver_view(task)) + task.public["question"]
    assert task.public["question"] in text_of(domain.solver_view(task))


def test_codes_have_no_room_for_several_answers_in_a_loops_gate_either():
    domain = make_domain({"name": "kg-v0", "graph": "permutations", "wording": "codes"})
    with pytest.raises(ConfigError, match=r"needs gate\.answers 'unique'") as caught:
        domain.ask_like(Asking(gate={"answers": "set"}))
    assert "\n" not in str(caught.value)
