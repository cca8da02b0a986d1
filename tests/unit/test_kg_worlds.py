"""Generated graphs: permutations, and the synthetic world with its laws."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from rlvr_gym.errors import ConfigError
from rlvr_gym.graphs import KnowledgeGraph, open_corpus
from rlvr_gym.graphs.documents import documents_of
from rlvr_gym.graphs.extraction.patterns import patterns_of
from rlvr_gym.graphs.worlds.laws import LAWS
from rlvr_gym.graphs.worlds.names import Names
from rlvr_gym.graphs.worlds.noise import Noise, noisy


def graph_of(**settings: object) -> KnowledgeGraph:
    return open_corpus({"name": "world", **settings}).graph


def test_every_relation_of_the_permutations_moves_every_entity_to_another_of_its_own() -> None:
    graph = open_corpus({"name": "permutations", "entities": 7, "relations": 3, "seed": 5}).graph
    for kind in range(3):
        ends = [graph.successors(place, kind).tolist() for place in range(7)]
        assert sorted(itertools.chain.from_iterable(ends)) == list(range(7))
        assert all(end != [place] for place, end in enumerate(ends))


def test_two_things_have_one_permutation_without_a_fixed_point() -> None:
    graph = open_corpus({"name": "permutations", "entities": 2, "relations": 1}).graph
    assert graph.facts().tolist() == [[0, 0, 1], [1, 0, 0]]


def test_same_settings_give_the_same_graph_on_every_machine() -> None:
    # Recorded: a change here changes the tasks of everyone who trains on these graphs.
    assert open_corpus("permutations").graph.digest == "f469a7b0b1280bee8c8d"
    assert open_corpus("world").graph.digest == "ce8ad5bf5834f744ab1b"
    assert graph_of(entities=60, seed=1).digest != graph_of(entities=60, seed=2).digest


def test_a_wrong_setting_is_named_with_the_right_one() -> None:
    with pytest.raises(ConfigError, match=r"entites is not a setting. Did you mean 'entities'"):
        open_corpus({"name": "world", "entites": 100})
    with pytest.raises(ConfigError, match="greater than or equal to 30"):
        graph_of(entities=3)


@pytest.mark.parametrize("seed", range(3))
def test_the_facts_keep_the_laws(seed: int) -> None:
    graph = graph_of(seed=seed)
    facts = {tuple(fact) for fact in graph.facts().tolist()}
    assert len(graph.relations) == len(LAWS) == 29
    for kind, law in enumerate(LAWS):
        pairs = [(head, tail) for head, relation, tail in facts if relation == kind]
        assert pairs, law.relation.id
        assert {graph.entities[head].type for head, _ in pairs} == {law.relation.head_type}
        assert {graph.entities[tail].type for _, tail in pairs} == {law.relation.tail_type}
        assert (len({head for head, _ in pairs}) == len(pairs)) == law.functional, law.relation.id
        if law.symmetric:
            assert all((tail, kind, head) in facts and head != tail for head, tail in pairs)
        if law.inverse:
            other = graph.relation_place(law.inverse)
            assert all((tail, other, head) in facts for head, tail in pairs)


def test_capitals_lie_in_their_countries_and_nobody_taught_their_own_teacher() -> None:
    graph = graph_of(seed=4)
    capital, country, teacher = (graph.relation_place(id) for id in ("capital", "located_in", "teacher"))
    for head, kind, tail in graph.facts().tolist():
        if kind == capital:
            assert graph.holds(tail, country, head)
        if kind == teacher:
            seen, at = {head}, [tail]
            while at:
                assert at[0] not in seen
                seen.add(at[0])
                at = graph.successors(at[0], teacher).tolist()


def test_a_label_means_one_thing_and_shared_names_are_other_names() -> None:
    graph = graph_of(entities=400, shared=0.3)
    assert all(
        graph.aliases.readings(entity.label) == (place,) for place, entity in enumerate(graph.entities)
    )
    shared = [name for entity in graph.entities for name in entity.aliases if graph.aliases.ambiguous(name)]
    kinds = [{graph.entities[place].type for place in graph.aliases.readings(name)} for name in shared]
    # Some can be told apart by their class, some cannot.
    assert {len(classes) for classes in kinds} == {1, 2}
    none = graph_of(entities=400, shared=0.0)
    assert not any(none.aliases.ambiguous(name) for entity in none.entities for name in entity.aliases)


def test_hubs_grow_with_their_setting() -> None:
    born = [graph_of(entities=600, hubs=hubs) for hubs in (0.0, 0.5, 1.5)]
    most = [int(np.bincount(graph.tails[graph.kinds == 0]).max()) for graph in born]
    assert most[0] < most[1] < most[2]


def test_charts_and_tables_state_facts_of_the_graph() -> None:
    graph = graph_of(entities=60)
    for place, entity in enumerate(graph.entities):
        if entity.modality == "image":
            values = [
                graph.entities[int(graph.successors(place, graph.relation_place(id))[0])].attributes["value"]
                for id in entity.attributes["relations"]
            ]
            assert values == entity.attributes["values"]
        elif entity.modality == "table":
            (country,) = graph.successors(place, graph.reverse(graph.relation_place("city_table"))).tolist()
            for city, population in entity.attributes["rows"][1:]:
                ((head,), (tail,)) = graph.aliases.readings(city), graph.aliases.readings(population)
                assert graph.holds(head, graph.relation_place("population"), tail)
                assert graph.holds(head, graph.relation_place("located_in"), country)


def test_no_phrase_is_part_of_one_of_another_relation_so_that_a_question_says_which_relation_it_means() -> (
    None
):
    for first, second in itertools.permutations((law.relation for law in LAWS), 2):
        for one, other in itertools.product(
            *((each.phrase, each.inverse_phrase) for each in (first, second))
        ):
            assert f" {one} " not in f" {other} ", (one, other)


def test_no_slip_of_one_letter_turns_a_sentence_into_one_of_another_relation() -> None:
    said = {}
    for place, law in enumerate(LAWS):
        for pattern in patterns_of(place, law.relation):
            said[pattern.say("H", ["T"])] = place
    for (one, first), (other, second) in itertools.combinations(said.items(), 2):
        if first != second and abs(len(one) - len(other)) < 2:
            assert not one_slip(one, other), (one, other)


def test_no_slip_of_one_letter_turns_a_name_into_another() -> None:
    graph = graph_of(entities=60)
    words = {
        word
        for entity in graph.entities
        if entity.modality == "text"
        for word in (entity.label, *entity.aliases)
    }
    for one, other in itertools.combinations(sorted(words), 2):
        assert not one_slip(one.lower(), other.lower()), (one, other)


def one_slip(one: str, other: str) -> bool:
    """Return whether a letter changed, left out, added or swapped with its neighbour leads from one to the other."""
    if len(one) > len(other):
        one, other = other, one
    if len(one) == len(other):
        at = [place for place in range(len(one)) if one[place] != other[place]]
        swapped = (
            len(at) == 2 and at[1] == at[0] + 1 and one[at[0]] == other[at[1]] and one[at[1]] == other[at[0]]
        )
        return len(at) == 1 or swapped
    return len(other) == len(one) + 1 and any(other[:at] + other[at + 1 :] == one for at in range(len(other)))


def test_names_near_a_taken_one_are_refused() -> None:
    names = Names(np.random.default_rng(0), avoid=["Capital"])
    assert names.take("Belmar")
    # Changed, left out, added and swapped letters; capitals make no difference. Two letters apart is far enough.
    assert [names.take(word) for word in ("belmor", "elmar", "belmart", "eblmar", "BELMAR")] == [False] * 5
    assert not names.take("capitol")
    assert names.take("belmir") is False
    assert names.take("dolmir")


def test_names_never_run_out() -> None:
    names = Names(np.random.default_rng(0))
    # There are fewer than 200 names of one syllable without an ending.
    assert len({names.word("o", 1) for _ in range(2000)}) == 2000


def test_noise_of_nothing_changes_nothing_and_slips_leave_numbers_alone() -> None:
    corpus = open_corpus({"name": "world", "entities": 40})
    documents = documents_of(corpus)
    rng = np.random.default_rng(0)
    none = Noise(distractors=0, unknown=0, namesakes=0, misspellings=0)
    assert noisy(documents, corpus.graph, none, rng) == documents
    slips = noisy(
        documents, corpus.graph, Noise(distractors=0, unknown=0, namesakes=0, misspellings=0.5), rng
    )
    assert slips != documents

    def digits(text: str) -> str:
        return "".join(letter for letter in text if letter.isdigit())

    assert [digits(each.text) for each in slips] == [digits(each.text) for each in documents]


@pytest.mark.slow
def test_a_world_can_have_a_hundred_thousand_things() -> None:
    graph = graph_of(entities=100_000)
    assert graph.num_entities > 140_000
    assert graph.num_facts > 380_000
