"""Sampled walks: where they start, what they prefer, that they arrive, and that the same numbers draw the same."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from rlvr_gym.errors import UsageError
from rlvr_gym.graphs import Entity, KnowledgeGraph, Path, Relation
from rlvr_gym.graphs.sampling import Sampler
from rlvr_gym.graphs.structure import GateConfig, Reject, structure

DRAWN = 20_000


def rng(seed: int = 0) -> np.random.Generator:
    return np.random.default_rng(seed)


def random_graph(facts: int = 300) -> KnowledgeGraph:
    rows = rng(1).integers((60, 4, 60), size=(facts, 3))
    return KnowledgeGraph([Entity(f"e{n}") for n in range(60)], [Relation(f"r{n}") for n in range(4)], rows)


def shares(graph: KnowledgeGraph, start: str, **settings: object) -> dict[str, float]:
    """Return how often one-hop walks from ``start`` end where."""
    nodes, _ = Sampler(graph, **settings).sample(rng(), DRAWN, 1)  # type: ignore[arg-type]
    ends = Counter(graph.entities[end].id for at, end in nodes.tolist() if graph.entities[at].id == start)
    return {end: count / ends.total() for end, count in ends.items()}


# From a, r leads to three ends and s to one; hub is in 4 facts, all the other ends are in one. That a is itself an end
# must not matter to walks that only go forward.
FORK = [("a", "r", "x"), ("a", "r", "y"), ("a", "r", "hub"), ("a", "s", "z")]
FORK += [(f"p{n}", "s", "hub") for n in range(3)] + [("p0", "r", "a")]


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        # Half for each step; in r the weights are 1, 1 and 1/4 of 9/4 in all.
        ({}, {"x": 2 / 9, "y": 2 / 9, "hub": 1 / 18, "z": 1 / 2}),
        ({"hubs": 0.0}, {"x": 1 / 6, "y": 1 / 6, "hub": 1 / 6, "z": 1 / 2}),
        # Weights 1, 1, 1/16 of 33/16.
        ({"hubs": 2.0}, {"x": 8 / 33, "y": 8 / 33, "hub": 1 / 66, "z": 1 / 2}),
        ({"balance": "fact", "hubs": 0.0}, {"x": 1 / 4, "y": 1 / 4, "hub": 1 / 4, "z": 1 / 4}),
        # Weights 1, 1, 1 and 1/4 of 13/4.
        ({"balance": "fact"}, {"x": 4 / 13, "y": 4 / 13, "z": 4 / 13, "hub": 1 / 13}),
    ],
)
def test_ends_come_as_often_as_their_weights_say(
    settings: dict[str, object], expected: dict[str, float]
) -> None:
    found = shares(KnowledgeGraph.of(FORK), "a", **settings)
    assert found.keys() == expected.keys()
    # a is one of four starts, so that about 5000 walks are of it: four standard errors are below 0.03.
    assert all(abs(found[end] - expected[end]) < 0.03 for end in expected)


def test_all_starts_from_which_the_walk_is_possible_are_alike() -> None:
    # Two hops are possible from a and p only; one hop from b and q too.
    graph = KnowledgeGraph.of([("a", "r", "b"), ("b", "r", "c"), ("p", "r", "q"), ("q", "r", "c")])
    sampler = Sampler(graph)
    assert [graph.entities[place].id for place in sampler.starts(2)] == ["a", "p"]
    assert len(sampler.starts(1)) == 4
    nodes, _ = sampler.sample(rng(), DRAWN, 2)
    assert abs(float(np.mean(nodes[:, 0] == graph.place("a"))) - 0.5) < 0.02


def test_no_walk_steps_into_a_dead_end() -> None:
    # From a, nine of ten ends lead nowhere: all walks of two hops take the tenth, whose step has the same chance.
    graph = KnowledgeGraph.of([("a", "r", f"d{n}") for n in range(9)] + [("a", "r", "b"), ("b", "s", "c")])
    nodes, steps = Sampler(graph).sample(rng(), 100, 2)
    assert len(nodes) == 100
    assert {tuple(row) for row in nodes.tolist()} == {tuple(map(graph.place, "abc"))}
    assert {tuple(row) for row in steps.tolist()} == {(0, 1)}


def test_there_are_no_walks_longer_than_the_graph_has() -> None:
    graph = KnowledgeGraph.of([("a", "r", "b"), ("b", "r", "c")])
    nodes, steps = Sampler(graph).sample(rng(), 10, 3)
    assert (nodes.shape, steps.shape) == ((0, 4), (0, 3))
    assert Sampler(graph).sound(rng(), 1, 3, GateConfig()) == []
    # Both ways one can go to and fro.
    assert len(Sampler(graph, inverse=True).sample(rng(), 10, 3)[0]) == 10


def test_walks_take_inverse_steps_only_when_asked_to() -> None:
    graph = random_graph()
    assert Sampler(graph).sample(rng(), 1000, 3)[1].max() < 4
    assert set(Sampler(graph, inverse=True).sample(rng(), 1000, 3)[1].ravel().tolist()) == set(range(8))


def test_the_same_numbers_draw_the_same_walks_however_many_at_once() -> None:
    sampler = Sampler(random_graph())
    nodes, steps = sampler.sample(rng(), 100, 3)
    again = rng()
    parts = [sampler.sample(again, number, 3) for number in (1, 60, 39)]
    assert np.array_equal(np.concatenate([part[0] for part in parts]), nodes)
    assert np.array_equal(np.concatenate([part[1] for part in parts]), steps)
    assert not np.array_equal(sampler.sample(rng(1), 100, 3)[0], nodes)


def test_walks_do_not_depend_on_the_lengths_asked_for_before() -> None:
    used = Sampler(random_graph(80))
    used.sample(rng(), 5, 4)
    assert np.array_equal(used.sample(rng(), 50, 2)[0], Sampler(random_graph(80)).sample(rng(), 50, 2)[0])


def test_sound_paths_are_sound_and_the_refused_are_counted() -> None:
    graph, config = random_graph(150), GateConfig()
    sampler = Sampler(graph)
    paths = sampler.sound(rng(), 200, 2, config)
    assert len(paths) == 200
    assert all(structure(graph, path, config) is None for path in paths)
    assert sampler.rejected[Reject.NOT_UNIQUE] > 0
    assert sampler.rejected.keys() <= {
        Reject.NOT_UNIQUE,
        Reject.REPEATED,
        Reject.UNNECESSARY,
        Reject.SHORTCUT,
    }


def test_sound_paths_do_not_depend_on_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    graph, config = random_graph(150), GateConfig()
    first, second = Sampler(graph), Sampler(graph)
    paths = first.sound(rng(), 50, 2, config)
    monkeypatch.setattr("rlvr_gym.graphs.sampling._SMALLEST_BATCH", 3)
    monkeypatch.setattr("rlvr_gym.graphs.sampling._LARGEST_BATCH", 7)
    assert second.sound(rng(), 50, 2, config) == paths
    assert second.rejected == first.rejected
    # Fewer are the first of more, and the caller's stream moves on by one number either way.
    one, other = rng(), rng()
    assert first.sound(one, 9, 2, config) == paths[:9]
    second.sound(other, 50, 2, config)
    assert one.random() == other.random()


def test_where_nothing_is_sound_the_search_ends() -> None:
    # a and b have two ends each, so that no answer is unique.
    graph = KnowledgeGraph.of([("a", "r", "x"), ("a", "r", "y"), ("b", "r", "x"), ("b", "r", "y")])
    sampler = Sampler(graph)
    assert sampler.sound(rng(), 5, 1, GateConfig(), patience=100) == []
    assert set(sampler.rejected) == {Reject.NOT_UNIQUE}
    assert sampler.rejected.total() >= 100


def test_paths_are_plain_numbers() -> None:
    (path,) = Sampler(random_graph(150)).sound(rng(), 1, 2, GateConfig())
    assert isinstance(path, Path)
    assert {type(number) for number in (*path.nodes, *path.steps)} == {int}


@pytest.mark.parametrize("hubs", [-0.1, 10.1, float("nan")])
def test_hub_weights_beyond_numbers_are_refused(hubs: float) -> None:
    with pytest.raises(UsageError, match="hubs is between 0 and 10"):
        Sampler(random_graph(), hubs=hubs)
