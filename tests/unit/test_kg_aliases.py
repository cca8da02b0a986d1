"""Names: their normal forms, what they may stand for, and where they stand in a text."""

import time

import pytest

from rlvr_gym.graphs import Entity, KnowledgeGraph
from rlvr_gym.graphs.aliases import AliasIndex, accepted, loose, normal

PEOPLE = (
    Entity("q0", "Paris", aliases=("City of Light", "Paris, France")),
    Entity("q1", "Björn"),
    Entity("q2", "Bjorn"),
    Entity("q3", "The Beatles"),
    Entity("q4", "Washington, D.C."),
    Entity("q5", "New York City"),
    Entity("q6", "City Hall"),
    Entity("q7", "東京"),
    Entity("q8", "C++"),
    Entity("q9", "Springfield", aliases=("Springfield, Ohio",)),
    Entity("q10", "springfield!"),
    Entity("q11", "", aliases=("", " ", "\u200b")),
)


@pytest.fixture(scope="module")
def index():
    return AliasIndex(PEOPLE)


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("  Paris\n", "paris"),
        ("**Paris**.", "paris"),
        ("“Paris”", "paris"),
        ("Ｐａｒｉｓ", "paris"),
        ("Pa\u200bris\ufeff", "paris"),
        ("\u202eParis\u202c", "paris"),
        ("Saint‑Étienne", "saint-étienne"),
        ("Saint\u2013E\u0301tienne", "saint-étienne"),
        ("O’Brien", "o'brien"),
        ("STRASSE", "strasse"),
        ("Straße", "strasse"),
        ("(Paris)", "paris"),
        ("([Paris.])", "paris"),
        ("Paris (Texas)", "paris (texas)"),
        ("Washington,\n  D.C.", "washington, d.c"),
        ("CO₂", "co2"),
        ("!!!", "!!!"),
        ("\u200b \ufeff", ""),
    ],
)
def test_what_makes_no_difference_to_a_name(text, form):
    assert normal(text) == form


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Pаris", "Paris"),  # a Cyrillic letter
        ("!Paris", "Paris"),
        ("~Paris", "Paris"),
        ("~~Paris~~", "Paris"),
        ("-5", "5"),
        (".5", "5"),
        ("1²", "12"),  # NFKC alone would take them for each other
        ("1②", "12"),
        ("¹2", "12"),
        ("C#", "C"),
        ("C++", "C"),
        ("New York", "NewYork"),
        ("x²", "x2"),
        ("CO²", "CO2"),
        ("A-ha", "ha"),
        ("A minor", "minor"),
        ("A-flat major", "flat major"),
        ("Theist", "a-theist"),
        ("The-ory", "ory"),
        ("The The", "The"),
        ("Parıs", "Paris"),
        ("P.a.r.i.s", "Paris"),
    ],
)
def test_what_makes_another_name(one, other):
    assert normal(one) != normal(other)
    assert loose(normal(one)) != loose(normal(other))


def test_a_stroke_through_letters_is_no_diacritic():
    assert loose(normal("Párìs")) == "paris"
    assert loose(normal("P\u0336a\u0336r\u0336i\u0336s\u0336")) != "paris"


def test_marks_of_other_scripts_are_letters_of_their_own():
    # In Japanese a mark makes ga of ka; in Cyrillic it makes the seventh letter of the alphabet of the sixth.
    assert loose(normal("が")) != loose(normal("か"))
    assert loose(normal("ё")) != loose(normal("е"))


def test_the_article_goes_only_where_a_name_is_left():
    assert loose("the hague") == "hague"
    assert loose("the") == "the"
    assert loose("the the") == "the the"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("J. R. R. Tolkien", "J.R.R. Tolkien"),
        ("J. R. R. Tolkien", "JRR Tolkien"),
        ("U.S.A.", "USA"),
        ("Washington, D.C.", "Washington, DC"),
        ("Simon & Garfunkel", "Simon and Garfunkel"),
        ("The Lion, the Witch and the Wardrobe", "Lion, the Witch, and the Wardrobe"),
        ("St. Louis", "St Louis"),
    ],
)
def test_loose_forms_of_the_same_name(one, other):
    assert loose(normal(one)) == loose(normal(other))
    # Where both are names of somebody, each is its own, and what lies between them is neither's alone.
    index = AliasIndex([Entity("a", one), Entity("b", other)])
    assert (index.readings(one), index.readings(other)) == ((0,), (1,))
    assert index.loose_readings(loose(normal(one))) == (0, 1)


@pytest.mark.parametrize(
    ("text", "places"),
    [
        ("paris", (0,)),
        ("Q0", (0,)),
        ("the City of Light", (0,)),
        ("Björn", (1,)),
        ("bjorn", (2,)),
        ("the Björn", (1, 2)),  # read loosely, so it may be either
        ("Beatles", (3,)),
        ("Springfield", (9, 10)),
        ("springfield, ohio", (9,)),
        ("York", ()),
        ("", ()),
        ("\u200b", ()),
    ],
)
def test_readings(index, text, places):
    assert index.readings(text) == places
    assert index.ambiguous(text) == (len(places) > 1)


def test_the_empty_name_is_no_form(index):
    assert index.forms(11) == ("q11",)
    assert index.forms(0) == ("q0", "paris", "city of light", "paris, france")


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("I saw Paris.", [("Paris", (0,))]),
        ("a _Paris_ and a **paris**", [("Paris", (0,)), ("paris", (0,))]),
        ("Parisian parishes in Comparis", []),
        ("Paris, France is Paris", [("Paris, France", (0,)), ("Paris", (0,))]),
        ("the Beatles, Beatles", [("the Beatles", (3,)), ("Beatles", (3,))]),
        ("in Washington D.C. and Washington", [("Washington D.C", (4,))]),
        ("New York City Hall", [("New York City", (5,)), ("City Hall", (6,))]),
        ("東京へ行く", [("東京", (7,))]),
        ("C++, not C", [("C++", (8,))]),
        ("Pa\u200bris", [("Pa\u200bris", (0,))]),
        ("P\u0336a\u0336r\u0336i\u0336s\u0336", [("P\u0336a\u0336r\u0336i\u0336s\u0336", (0,))]),
        ("Springfield or Springfield, Ohio", [("Springfield", (9, 10)), ("Springfield, Ohio", (9,))]),
        ("Björn, Bjorn", [("Björn", (1,)), ("Bjorn", (2,))]),
        ("", []),
    ],
)
def test_mentions(index, text, found):
    mentions = index.mentions(text)
    assert [m.readings for m in mentions] == [places for _, places in found]
    assert [normal(text[m.start : m.end]) for m in mentions] == [normal(name) for name, _ in found]
    assert all(m.form == normal(text[m.start : m.end]) for m in mentions)


def test_a_longer_name_hides_the_one_within_it():
    index = AliasIndex([Entity("a", "York"), Entity("b", "New York"), Entity("c", "New York Times")])
    assert [m.readings for m in index.mentions("New York Times in York, New York")] == [(2,), (0,), (1,)]


def test_a_very_long_name_is_found_by_its_first_words():
    name = " ".join(f"w{n}" for n in range(100))
    index = AliasIndex([Entity("a", name)])
    assert index.readings(name) == (0,)
    assert [m.readings for m in index.mentions(f"see {name}")] == [(0,)]


def test_accepted_forms_stand_for_the_answers_alone():
    graph = KnowledgeGraph.of([], entities={entity.id: entity for entity in PEOPLE})
    (paris,) = accepted(graph, [0])
    assert paris == {
        "id": "q0",
        "label": "Paris",
        "type": "",
        "code": "a",
        "forms": ["q0", "paris", "city of light", "paris, france"],
        "loose": ["q0", "paris", "city of light", "paris, france"],
        "ambiguous": [],
    }
    (ohio,) = accepted(graph, [9])
    assert ohio["forms"] == ["q9", "springfield, ohio"]
    assert ohio["ambiguous"] == ["springfield"]
    # Where both are answers, the name that they share is right.
    assert [row["ambiguous"] for row in accepted(graph, [9, 10])] == [[], []]
    # Björn has a name of his own, but without the dots it is that of somebody else.
    (bjorn,) = accepted(graph, [1])
    assert (bjorn["forms"], bjorn["loose"]) == (["q1", "björn"], ["q1"])


def test_accepted_rows_of_quantities_have_value_and_unit():
    length = Entity("l", "12 km", modality="quantity", attributes={"value": "12", "unit": "km"})
    (row,) = accepted(KnowledgeGraph.of([], entities={"l": length}), [0])
    assert (row["value"], row["unit"]) == ("12", "km")


def test_time_grows_with_the_text_and_names_shared_by_all_cost_nothing():
    entities = [Entity(f"e{n}", f"name {n % 97} of {n}", aliases=("nothing",)) for n in range(20_000)]
    start = time.process_time()
    index = AliasIndex(entities)
    # The worst text for names that begin alike: every word could be the beginning of one.
    found = index.mentions("name 1 of " * 20_000)
    assert found == []
    assert len(index.readings("nothing")) == 20_000
    assert time.process_time() - start < 5.0
