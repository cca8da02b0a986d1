"""Crafted graphs, one for each reason why a path makes no sound question, each beside a sound twin."""

from __future__ import annotations

import numpy as np
import pytest

from rlvr_gym.graphs import KnowledgeGraph, Path
from rlvr_gym.graphs.structure import GateConfig, Reject, structure, structure_many

Triple = tuple[str, str, str]

UNIQUE = GateConfig()
SET = GateConfig(answers="set")
CHAIN: list[Triple] = [("ada", "born in", "london"), ("london", "part of", "england")]
LONG: list[Triple] = [("a", "r", "b"), ("b", "s", "c"), ("c", "t", "d")]


def read(graph: KnowledgeGraph, *row: str) -> Path:
    return Path.from_json(list(row), graph)


def outcome(triples: list[Triple], row: tuple[str, ...], config: GateConfig) -> Reject | None:
    """Return the reason, on which both ways of judging agree."""
    graph = KnowledgeGraph.of(triples)
    path = read(graph, *row)
    found = structure(graph, path, config)
    (code,) = structure_many(graph, np.array([path.nodes]), np.array([path.steps]), config).tolist()
    assert code == (0 if found is None else 1 + list(Reject).index(found[0]))
    return None if found is None else found[0]


ADA = ("ada", "born in", "london", "part of", "england")
ABC = ("a", "r", "b", "s", "c")
ABCD = ("a", "r", "b", "s", "c", "t", "d")
CASES: dict[str, tuple[Reject, list[Triple], list[Triple], tuple[str, ...], GateConfig]] = {
    # Facts of the refused graph, of its sound twin, the path, and what is asked of it.
    "a hop that is no fact": (
        Reject.NO_PATH,
        [("ada", "born in", "london"), ("england", "part of", "london")],
        CHAIN,
        ADA,
        UNIQUE,
    ),
    "two birth places": (Reject.NOT_UNIQUE, [*CHAIN, ("london", "part of", "europe")], CHAIN, ADA, UNIQUE),
    # Two are born to ada's steps by the other place that she was born in.
    "two answers by another middle": (
        Reject.NOT_UNIQUE,
        [*CHAIN, ("ada", "born in", "paris"), ("paris", "part of", "france")],
        [*CHAIN, ("ada", "born in", "paris")],
        ADA,
        UNIQUE,
    ),
    "four answers of at most three": (
        Reject.TOO_MANY,
        [*CHAIN, *(("london", "part of", place) for place in ("europe", "earth", "britain"))],
        [*CHAIN, *(("london", "part of", place) for place in ("europe", "earth"))],
        ADA,
        SET,
    ),
    # Whoever walks only the second step arrives too.
    "a step that can be dropped": (
        Reject.UNNECESSARY,
        [("a", "r", "b"), ("b", "s", "c"), ("a", "s", "c")],
        [("a", "r", "b"), ("b", "s", "c"), ("a", "s", "d")],
        ABC,
        UNIQUE,
    ),
    "two steps that can be dropped": (
        Reject.UNNECESSARY,
        [*LONG, ("a", "t", "d")],
        [*LONG, ("a", "t", "e")],
        ABCD,
        UNIQUE,
    ),
    # By b or by x: no fact of the first two hops is needed.
    "two ways to the answer": (
        Reject.UNNECESSARY,
        [("a", "r", "b"), ("b", "s", "c"), ("a", "r", "x"), ("x", "s", "c")],
        [("a", "r", "b"), ("b", "s", "c"), ("a", "r", "x"), ("x", "t", "c")],
        ABC,
        UNIQUE,
    ),
    # Not a sub-sequence of r, s, t, but the same words in another order.
    "the steps in another order": (
        Reject.SHORTCUT,
        [*LONG, ("a", "t", "x"), ("x", "r", "d")],
        [*LONG, ("a", "t", "x"), ("x", "r", "e")],
        ABCD,
        UNIQUE,
    ),
    "one step twice": (
        Reject.SHORTCUT,
        [*LONG, ("a", "s", "x"), ("x", "s", "d")],
        [*LONG, ("a", "s", "x"), ("x", "s", "e")],
        ABCD,
        UNIQUE,
    ),
    # The second step alone leads to one of both answers, so that nothing need be known of b to guess it.
    "a short walk to one of the answers": (
        Reject.SHORTCUT,
        [("a", "r", "b"), ("b", "s", "c"), ("b", "s", "d"), ("a", "s", "d")],
        [("a", "r", "b"), ("b", "s", "c"), ("b", "s", "d"), ("a", "s", "e")],
        ABC,
        SET,
    ),
    "a start that is an answer": (
        Reject.SHORTCUT,
        [("a", "r", "b"), ("b", "s", "c"), ("b", "s", "a")],
        [("a", "r", "b"), ("b", "s", "c"), ("b", "s", "d")],
        ABC,
        SET,
    ),
    "a fact between start and answer": (
        Reject.SHORTCUT,
        [("a", "r", "b"), ("b", "s", "c"), ("c", "q", "a")],
        [("a", "r", "b"), ("b", "s", "c"), ("c", "q", "d")],
        ABC,
        GateConfig(shortcut="any"),
    ),
    "a hub in the middle": (
        Reject.HUB,
        [("a", "r", "b"), ("b", "s", "c"), ("x", "r", "b"), ("y", "q", "b")],
        [("a", "r", "b"), ("b", "s", "c"), ("x", "r", "b"), ("b", "q", "y")],
        ABC,
        GateConfig(max_in_degree=2),
    ),
    "a hub at the end": (
        Reject.HUB,
        [("a", "r", "b"), ("b", "s", "c"), ("x", "r", "c"), ("y", "q", "c")],
        [("a", "r", "b"), ("b", "s", "c"), ("x", "r", "c"), ("y", "q", "a")],
        ABC,
        GateConfig(max_in_degree=2),
    ),
    "a rare relation": (
        Reject.RARE,
        [*CHAIN, ("paris", "born in", "x")],
        [*CHAIN, ("bob", "born in", "paris"), ("paris", "part of", "france")],
        ADA,
        GateConfig(min_facts=2),
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_refuses_what_its_sound_twin_does_not_have(name: str) -> None:
    reason, refused, sound, row, config = CASES[name]
    assert outcome(refused, row, config) == reason
    assert outcome(sound, row, config) is None


def test_refuses_a_path_through_one_entity_twice() -> None:
    # ada's mother's daughter is ada: the question would ask for its own start.
    triples = [("ada", "mother", "anne"), ("anne", "daughter", "ada")]
    assert outcome(triples, ("ada", "mother", "anne", "daughter", "ada"), UNIQUE) == Reject.REPEATED
    other = [("ada", "mother", "anne"), ("anne", "daughter", "eve")]
    assert outcome(other, ("ada", "mother", "anne", "daughter", "eve"), UNIQUE) is None


def test_every_structural_reason_has_a_case() -> None:
    structural = set(list(Reject)[: list(Reject).index(Reject.NAMES_ANSWER)])
    assert {reason for reason, *_ in CASES.values()} | {Reject.REPEATED} == structural


def test_an_inverse_step_walks_from_tail_to_head() -> None:
    # Who was born where london is: ada alone; with bob there are two.
    row = ("england", "^part of", "london", "^born in", "ada")
    assert outcome(CHAIN, row, UNIQUE) is None
    assert outcome([*CHAIN, ("bob", "born in", "london")], row, UNIQUE) == Reject.NOT_UNIQUE


def test_the_fact_that_is_deleted_is_gone_both_ways() -> None:
    # b is the only one that r leads to, and back from b there is only a; the way by ^r needs the same fact as r.
    triples = [("a", "r", "b"), ("c", "r", "b"), ("c", "s", "d")]
    assert outcome(triples, ("a", "r", "b", "^r", "c", "s", "d"), UNIQUE) is None


@pytest.mark.parametrize(
    ("name", "off"),
    [
        ("a step that can be dropped", {"necessity": False, "shortcut": "off"}),
        ("two ways to the answer", {"necessity": False}),
        ("the steps in another order", {"shortcut": "off"}),
        ("a start that is an answer", {"shortcut": "off"}),
        ("a fact between start and answer", {"shortcut": "question"}),
        ("two birth places", {"answers": "set"}),
        ("four answers of at most three", {"max_answers": 4}),
        ("a hub at the end", {"max_in_degree": 3}),
        ("a rare relation", {"min_facts": 1}),
    ],
)
def test_a_check_that_is_off_refuses_nothing(name: str, off: dict[str, object]) -> None:
    _, refused, _, row, config = CASES[name]
    assert outcome(refused, row, config.model_copy(update=off)) is None


def test_a_hop_that_can_be_dropped_is_said_before_the_shortcut_that_it_is() -> None:
    _, refused, _, row, config = CASES["a step that can be dropped"]
    assert outcome(refused, row, config) == Reject.UNNECESSARY
    assert outcome(refused, row, config.model_copy(update={"shortcut": "off"})) == Reject.UNNECESSARY
    assert outcome(refused, row, config.model_copy(update={"necessity": False})) == Reject.SHORTCUT


def test_reasons_come_with_a_clause_for_people() -> None:
    graph = KnowledgeGraph.of([*CHAIN, ("london", "part of", "europe")])
    assert structure(graph, read(graph, *ADA), UNIQUE) == (
        Reject.NOT_UNIQUE,
        "the steps lead to 2 entities",
    )
    broken = Path((0, 2, 1), (0, 1))
    assert structure(graph, broken, UNIQUE) == (Reject.NO_PATH, "hop 1 is no fact of the graph")
    hubs = UNIQUE.model_copy(update={"max_in_degree": 0})
    assert structure(graph, read(graph, *ADA), hubs) == (Reject.HUB, "london is the tail of 1 facts")


@pytest.mark.parametrize(
    "row", [((0, 1), (9,)), ((0, 9), (0,)), ((-1, 1), (0,)), ((0, 1), (-1,)), ((0, -1), (0,))]
)
def test_places_that_do_not_exist_are_no_path(row: tuple[tuple[int, ...], tuple[int, ...]]) -> None:
    graph = KnowledgeGraph.of(CHAIN)
    assert structure(graph, Path(*row), UNIQUE) == (Reject.NO_PATH, "hop 1 is no fact of the graph")
    assert structure_many(graph, np.array([row[0]]), np.array([row[1]]), UNIQUE).tolist() == [1]


def test_no_paths_have_no_outcomes() -> None:
    graph = KnowledgeGraph.of(CHAIN)
    none = structure_many(graph, np.zeros((0, 3), np.int32), np.zeros((0, 2), np.int32), UNIQUE)
    assert none.shape == (0,)
    assert none.dtype == np.int8


def test_large_batches_are_judged_in_parts_with_the_same_outcome(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(5)
    n, relations = 20, 3
    ids = [(f"e{a}", f"r{k}", f"e{b}") for a, k, b in rng.integers((n, relations, n), size=(60, 3)).tolist()]
    graph = KnowledgeGraph.of(ids)
    nodes, steps = every_walk(graph, 3)
    config = GateConfig(answers="set", shortcut="any")
    whole = structure_many(graph, nodes, steps, config)
    assert set(whole.tolist()) > {0, 1 + list(Reject).index(Reject.SHORTCUT)}
    monkeypatch.setattr("rlvr_gym.graphs.walks._MOST", 10)
    assert structure_many(graph, nodes, steps, config).tolist() == whole.tolist()


def every_walk(graph: KnowledgeGraph, hops: int) -> tuple[np.ndarray, np.ndarray]:
    walks: list[tuple[list[int], list[int]]] = [([start], []) for start in range(graph.num_entities)]
    for _ in range(hops):
        walks = [
            ([*nodes, end], [*steps, step])
            for nodes, steps in walks
            for step, ends in graph.steps.from_entity(nodes[-1], inverse=False)
            for end in ends.tolist()
        ]
    return np.array([nodes for nodes, _ in walks]), np.array([steps for _, steps in walks])
