"""Knowledge graphs as arrays, as networkx, and as paths in files."""

from __future__ import annotations

import pickle

import networkx
import numpy as np
import pytest

from rlvr_gym.errors import UsageError
from rlvr_gym.graphs import Entity, KnowledgeGraph, Path, Relation, step_id, step_of

# Places: ada 0, london 1, england 2, bob 3, paris 4; born in 0, part of 1.
FACTS = [
    ("ada", "born in", "london"),
    ("london", "part of", "england"),
    ("bob", "born in", "london"),
    ("bob", "born in", "paris"),
]


@pytest.fixture
def graph() -> KnowledgeGraph:
    return KnowledgeGraph.of(FACTS)


def test_places_follow_first_appearance_and_facts_are_sorted(graph: KnowledgeGraph) -> None:
    assert [entity.id for entity in graph.entities] == ["ada", "london", "england", "bob", "paris"]
    assert [relation.id for relation in graph.relations] == ["born in", "part of"]
    assert graph.facts().tolist() == [[0, 0, 1], [1, 1, 2], [3, 0, 1], [3, 0, 4]]
    assert (graph.num_entities, graph.num_relations, graph.num_facts) == (5, 2, 4)


def test_a_fact_counts_once(graph: KnowledgeGraph) -> None:
    again = KnowledgeGraph.of([*FACTS, *FACTS[::-1]])
    assert again.num_facts == 4
    assert again.digest == graph.digest


def test_steps_lead_both_ways(graph: KnowledgeGraph) -> None:
    # Steps 0 and 1 are the relations, 2 and 3 the same from tail to head.
    assert graph.successors(3, 0).tolist() == [1, 4]
    assert graph.successors(1, 2).tolist() == [0, 3]
    assert graph.successors(2, 3).tolist() == [1]
    assert graph.successors(0, 1).tolist() == []
    assert [graph.reverse(step) for step in range(4)] == [2, 3, 0, 1]
    assert [graph.is_inverse(step) for step in range(4)] == [False, False, True, True]
    assert graph.relation(3).id == "part of"


def test_an_entity_lists_its_own_steps_forward_first(graph: KnowledgeGraph) -> None:
    listed = [(step, ends.tolist()) for step, ends in graph.steps.from_entity(1)]
    assert listed == [(1, [2]), (2, [0, 3])]
    assert [step for step, _ in graph.steps.from_entity(1, inverse=False)] == [1]
    assert list(graph.steps.from_entity(2, inverse=False)) == []


def test_answers_are_the_union_over_all_walks(graph: KnowledgeGraph) -> None:
    assert graph.answers(0, [0, 1]).tolist() == [2]
    # Whoever was born where ada was born: ada herself and bob.
    assert graph.answers(0, [0, 2]).tolist() == [0, 3]
    # paris is part of nothing, so that bob's second birth place adds none.
    assert graph.answers(3, [0, 1]).tolist() == [2]
    assert graph.answers(2, [0, 0, 0]).tolist() == []


def test_holds_and_without_speak_of_one_fact(graph: KnowledgeGraph) -> None:
    assert graph.holds(3, 0, 4)
    assert graph.holds(4, 2, 3)
    assert not graph.holds(4, 0, 3)
    for gone in (graph.without(3, 0, 4), graph.without(4, 2, 3)):
        assert gone.facts().tolist() == [[0, 0, 1], [1, 1, 2], [3, 0, 1]]
    assert graph.num_facts == 4


def test_counts_of_entities_and_relations(graph: KnowledgeGraph) -> None:
    assert graph.in_degrees.tolist() == [0, 2, 1, 0, 1]
    assert graph.relation_sizes.tolist() == [3, 1]


def test_what_the_graph_is_kept_as_cannot_be_written_to(graph: KnowledgeGraph) -> None:
    with pytest.raises(ValueError, match="read-only"):
        graph.successors(3, 0)[0] = 2


def test_a_graph_survives_pickling(graph: KnowledgeGraph) -> None:
    again = pickle.loads(pickle.dumps(graph))
    assert again.digest == graph.digest
    assert again.entities == graph.entities
    assert again.answers(0, [0, 2]).tolist() == [0, 3]


def test_a_graph_may_be_empty_or_have_entities_alone() -> None:
    nothing = KnowledgeGraph([], [], np.zeros((0, 3), np.int64))
    assert (nothing.num_entities, nothing.num_relations, nothing.num_facts) == (0, 0, 0)
    alone = KnowledgeGraph([Entity("a")], [Relation("r")], np.zeros((0, 3), np.int64))
    assert alone.successors(0, 0).tolist() == []
    assert alone.in_degrees.tolist() == [0]
    assert alone.relation_sizes.tolist() == [0]


@pytest.mark.parametrize("fact", [(0, 0, 2), (2, 0, 0), (0, 1, 0), (-1, 0, 0)])
def test_a_fact_of_places_that_do_not_exist_is_refused(fact: tuple[int, int, int]) -> None:
    with pytest.raises(UsageError, match="of 2 entities and 1 relations"):
        KnowledgeGraph([Entity("a"), Entity("b")], [Relation("r")], np.array([fact]))


def test_an_id_that_comes_twice_is_refused() -> None:
    none = np.zeros((0, 3), np.int64)
    with pytest.raises(UsageError, match="two entity descriptions have the id 'a'"):
        KnowledgeGraph([Entity("a"), Entity("b"), Entity("a", "other")], [], none)
    with pytest.raises(UsageError, match="two relation descriptions have the id 'r'"):
        KnowledgeGraph([], [Relation("r"), Relation("r")], none)


def test_an_unknown_id_names_the_nearest(graph: KnowledgeGraph) -> None:
    assert graph.place("bob") == 3
    assert "bob" in graph
    assert "rob" not in graph
    with pytest.raises(UsageError, match=r"no entity has the id 'londn'\. Did you mean 'london'"):
        graph.place("londn")
    with pytest.raises(UsageError, match=r"no relation has the id 'born'\. Did you mean 'born in'"):
        graph.relation_place("born")


def test_descriptions_are_kept_and_those_without_facts_come_last() -> None:
    ada = Entity("ada", "Ada Lovelace", "person", ("the countess",))
    graph = KnowledgeGraph.of(
        FACTS[:1],
        entities={"rome": Entity("rome", "Rome"), "ada": ada},
        relations={"near": Relation("near", "neighbour")},
    )
    assert graph.entities == (ada, Entity("london"), Entity("rome", "Rome"))
    assert graph.entities[1:] == (Entity("london"), Entity("rome", "Rome"))
    assert graph.entities[1].name == "london"
    assert graph.entities[-1].name == "Rome"
    assert graph.relations == (Relation("born in"), Relation("near", "neighbour"))


def test_a_relation_says_its_id_in_words_unless_it_has_a_phrase() -> None:
    assert Relation("/film/directed_by").words == "film directed by"
    assert Relation("/film/directed_by", "director").words == "director"


def test_the_digest_knows_facts_and_names_apart(graph: KnowledgeGraph) -> None:
    others = [
        KnowledgeGraph.of([*FACTS[:-1], ("bob", "part of", "paris")]),
        KnowledgeGraph.of(FACTS, entities={"ada": Entity("ada", "Ada")}),
        KnowledgeGraph.of(FACTS, relations={"part of": Relation("part of", "whole")}),
    ]
    assert len({graph.digest, *(other.digest for other in others)}) == 4


def test_networkx_sees_the_same_graph() -> None:
    graph = KnowledgeGraph.of(
        [*FACTS, ("ada", "part of", "london")],
        entities={"ada": Entity("ada", "Ada", "person", ("A.",))},
        relations={"born in": Relation("born in", "place of birth", tail_type="city")},
    )
    seen = graph.to_networkx()
    assert isinstance(seen, networkx.MultiDiGraph)
    assert set(seen.edges(keys=True)) == {
        ("ada", "london", "born in"),
        ("ada", "london", "part of"),
        ("london", "england", "part of"),
        ("bob", "london", "born in"),
        ("bob", "paris", "born in"),
    }
    assert seen.nodes["ada"]["label"] == "Ada"
    assert seen.nodes["ada"]["aliases"] == ["A."]
    assert seen.graph["relations"]["born in"]["tail_type"] == "city"


def test_more_relations_than_small_numbers_hold_keep_their_steps() -> None:
    relations = 20_000
    rows = np.array([[0, relations - 1, 1], [0, 3, 1]])
    graph = KnowledgeGraph([Entity("a"), Entity("b")], [Relation(f"r{n}") for n in range(relations)], rows)
    assert [step for step, _ in graph.steps.from_entity(1)] == [relations + 3, 2 * relations - 1]
    assert graph.facts().tolist() == [[0, 3, 1], [0, relations - 1, 1]]


def test_a_path_is_written_by_ids_and_read_again(graph: KnowledgeGraph) -> None:
    path = Path((4, 3, 1), (2, 0))
    row = path.to_json(graph)
    assert row == ["paris", "^born in", "bob", "born in", "london"]
    assert Path.from_json(row, graph) == path
    assert (path.hops, path.start, path.middle, path.end) == (2, 4, (3,), 1)
    assert step_of(graph, step_id(graph, 3)) == 3
    with pytest.raises(UsageError, match="no relation has the id 'born on'"):
        step_of(graph, "^born on")


def test_a_path_has_one_entity_more_than_steps() -> None:
    with pytest.raises(ValueError, match="a path of 1 steps has 3 entities"):
        Path((0, 1, 2), (0,))
    with pytest.raises(ValueError, match="a path of 0 steps has 1 entities"):
        Path((0,), ())
