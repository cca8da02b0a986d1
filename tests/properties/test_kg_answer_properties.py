"""Claims about names and answers that hold for any graph and any text."""

import string

import numpy as np
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from rlvr_gym import verify
from rlvr_gym.graphs import Entity, KnowledgeGraph
from rlvr_gym.graphs.aliases import AliasIndex, accepted, loose, normal
from rlvr_gym.graphs.quantities import Quantity, difference, read_quantity
from rlvr_gym.types import Verdict
from rlvr_gym.verifiers.answers.words import listed
from tests.data.kg_exploits import REFERENCES

WORDS = st.text(string.ascii_letters + "éüß", min_size=2, max_size=8)
NAMES = st.builds(
    lambda words, joint: joint.join(words),
    st.lists(WORDS, min_size=1, max_size=3),
    st.sampled_from([" ", ", ", " and ", "-", "; "]),
)
RESERVED = listed(
    """
    not never no none neither nor except without or either and answer answers the an maybe perhaps possibly unless versus
    vs xor lor vee else otherwise alternatively
    """
)
"""Words that a name of its own may hold, but that would turn a list into something else."""


@st.composite
def graphs(draw):
    """Return a graph of up to eight entities with plain names, which may share them."""
    names = draw(st.lists(NAMES, min_size=2, max_size=8))
    names = [name for name in names if RESERVED.isdisjoint(normal(name).replace(",", " ").split())] or ["Foo"]
    entities = {
        f"id{at}": Entity(f"id{at}", name, "", tuple(draw(st.lists(st.sampled_from(names), max_size=2))))
        for at, name in enumerate(names)
    }
    return KnowledgeGraph.of([], entities=entities)


@st.composite
def questions(draw):
    """Return a graph, the places of some answers, and a name for each that stands for it alone."""
    graph = draw(graphs())
    places = draw(st.permutations(range(graph.num_entities)))
    chosen = places[: draw(st.integers(1, min(3, len(places))))]
    rows = accepted(graph, chosen)
    alone = [[f for f in row["forms"] if len(graph.aliases.readings(f)) == 1] for row in rows]
    return graph, chosen, rows, [draw(st.sampled_from(forms)) for forms in alone]


FORMATS = (
    "{}",
    "{}.",
    "Answer: {}",
    "**Answer:** {}",
    "The answer is {}.",
    "<answer>{}</answer>",
    "\\boxed{{{}}}",
    "Some words come first.\n\nAnswer: {}\n",
    "<think>It may be something else, or not.</think>\nAnswer: {}",
)


@given(st.text(max_size=300), st.sampled_from(sorted(REFERENCES)))
def test_any_text_gets_a_decided_verdict(text, name):
    verdict = verify("kg", text, reference=REFERENCES[name])
    assert isinstance(verdict, Verdict)
    assert verdict.decided
    assert Verdict.from_dict(verdict.to_dict()) == verdict


PIECES = st.sampled_from([
    "Paris", "London", "France", "Answer:", "The answer is ", "\\boxed{", "}", "<answer>", "</answer>", "<think>", "</think>",
    " or ", " not ", " and ", ", ", "; ", "\n", "(", ")", "?", ".", "**", "####", "wait, ", "12 km", "12", "- ", "1. ",
])  # fmt: skip


@given(st.lists(PIECES, max_size=14))
@settings(max_examples=300)
def test_what_passes_names_the_answer_last_and_no_other_city(pieces):
    text = "".join(pieces)
    if verify("kg", text, reference=REFERENCES["paris"]).passed:
        last = text.rpartition("</think>")[2]
        assert last.rfind("Paris") > last.rfind("London")
        tail = last[last.rfind("Paris") :]
        assert " or " not in tail
        assert " not " not in tail
        assert "?" not in tail


@given(questions(), st.sampled_from(FORMATS), st.sampled_from(["; ", ", ", " and ", "\n"]), st.randoms())
@settings(max_examples=200)
def test_names_in_any_format_and_order_pass(question, form, joint, random):
    graph, chosen, rows, names = question
    parts = {loose(form) for place in chosen for form in graph.aliases.forms(place)}
    # Where an entity is called "A and B", nobody can tell it from a list of A and B.
    assume(set(graph.aliases.larger(parts)) <= {form for row in rows for form in row["forms"]})
    random.shuffle(names)
    response = form.format(joint.join(names))
    verdict = verify("kg", response, reference={"answers": rows, "many": len(rows) > 1})
    assert verdict.passed, (response, verdict.reason)


@given(questions(), st.sampled_from(FORMATS), st.data())
@settings(max_examples=200)
def test_any_other_entity_beside_the_answers_makes_them_fail(question, form, data):
    graph, chosen, rows, names = question
    others = [place for place in range(graph.num_entities) if place not in chosen]
    if not others:
        return
    # An id is nobody else's name here.
    names.insert(data.draw(st.integers(0, len(names))), f"id{data.draw(st.sampled_from(others))}")
    joint = data.draw(st.sampled_from(["; ", ", ", " and ", " or ", "\n", "/", " "]))
    response = form.format(joint.join(names))
    for many in (True, False):
        if many or len(rows) == 1:
            assert not verify("kg", response, reference={"answers": rows, "many": many}).passed, response


@given(questions(), st.data())
@settings(max_examples=200)
def test_leaving_an_answer_out_or_saying_it_twice_fails(question, data):
    _, _, rows, names = question
    at = data.draw(st.integers(0, len(names) - 1))
    reference = {"answers": rows, "many": True}
    twice = "; ".join([*names, names[at]])
    assert not verify("kg", twice, reference=reference).passed
    if len(names) > 1:
        fewer = "; ".join(names[:at] + names[at + 1 :])
        assert not verify("kg", fewer, reference=reference).passed


@given(questions(), st.integers(0, 2**32 - 1))
def test_the_order_of_the_entities_changes_no_verdict(question, seed):
    graph, chosen, rows, names = question
    order = np.random.default_rng(seed).permutation(graph.num_entities)
    moved = KnowledgeGraph.of(
        [], entities={graph.entities[at].id: graph.entities[at] for at in order.tolist()}
    )
    again = accepted(moved, [moved.place(graph.entities[place].id) for place in chosen])
    texts = ["; ".join(names), names[0], "id0", graph.entities[0].label]
    for text in texts:
        one, other = (
            verify("kg", text, reference={"answers": answers, "many": True}) for answers in (rows, again)
        )
        assert (one.status, one.reason) == (other.status, other.reason)


@given(graphs())
def test_accepted_names_stand_for_answers_alone(graph):
    for place in range(graph.num_entities):
        (row,) = accepted(graph, [place])
        assert all(graph.aliases.readings(form) == (place,) for form in row["forms"])
        assert all(graph.aliases.loose_readings(key) == (place,) for key in row["loose"])
        assert all(graph.aliases.ambiguous(form) for form in row["ambiguous"])


@given(st.text(max_size=60))
def test_the_normal_form_of_a_normal_form_is_itself(text):
    form = normal(text)
    assert normal(form) == form
    assert normal(f" {text} ") == form


@given(graphs(), st.text(" ,.\n", max_size=3))
def test_every_name_is_found_where_it_stands(graph, gap):
    index = AliasIndex(graph.entities)
    for entity in graph.entities:
        text = f"so {gap} {entity.label} {gap} so"
        start = text.index(entity.label)
        spans = [(m.start, m.end) for m in index.mentions(text)]
        assert any(a <= start and start + len(entity.label.rstrip(" ,;")) <= b for a, b in spans)


@given(
    st.decimals(min_value=-(10**6), max_value=10**6, places=3, allow_nan=False),
    st.sampled_from(["km", "kg", "%", "", "m²", "h"]),
)
def test_a_quantity_is_itself_and_nothing_beside(value, unit):
    read = read_quantity(f"{value} {unit}")
    assert isinstance(read, Quantity)
    assert difference(read, read) == ""
    more = read_quantity(f"{value + 1} {unit}")
    assert difference(read, more) == "another value"
