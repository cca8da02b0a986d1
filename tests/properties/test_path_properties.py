"""What every sound path has, on any small graph, against walks enumerated over the list of its facts."""

from __future__ import annotations

import itertools

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from rlvr_gym.graphs import Entity, KnowledgeGraph, Path, Relation
from rlvr_gym.graphs.sampling import Sampler
from rlvr_gym.graphs.structure import GateConfig, Reject, structure, structure_many
from rlvr_gym.graphs.walks import reach

Fact = tuple[int, int, int]
REASONS = (None, *Reject)


@st.composite
def graphs(draw: st.DrawFn) -> tuple[KnowledgeGraph, list[Fact]]:
    """A multigraph of few entities, so that walks meet; loops and parallel facts included."""
    entities, relations, size = draw(st.integers(3, 6)), draw(st.integers(1, 3)), draw(st.integers(1, 9))
    fact = st.tuples(
        st.integers(0, entities - 1), st.integers(0, relations - 1), st.integers(0, entities - 1)
    )
    facts = sorted(set(draw(st.lists(fact, min_size=size, max_size=size))))
    graph = KnowledgeGraph(
        [Entity(f"e{place}") for place in range(entities)],
        [Relation(f"r{place}") for place in range(relations)],
        np.array(facts, np.int64).reshape(-1, 3),
    )
    return graph, facts


configs = st.builds(
    GateConfig,
    answers=st.sampled_from(["unique", "set"]),
    max_answers=st.integers(1, 3),
    necessity=st.booleans(),
    shortcut=st.sampled_from(["question", "any", "off"]),
    max_in_degree=st.none() | st.integers(0, 4),
    min_facts=st.integers(0, 3),
)


def walks(facts: list[Fact], relations: int, start: int, steps: tuple[int, ...]) -> list[tuple[int, ...]]:
    """Return every walk, as its entities: the definition of the answers, one fact at a time."""
    if not steps:
        return [(start,)]
    step, *rest = steps
    nexts = [
        (tail if step < relations else head)
        for head, kind, tail in facts
        if kind == step % relations and start == (head if step < relations else tail)
    ]
    return [(start, *walk) for end in nexts for walk in walks(facts, relations, end, tuple(rest))]


def ends(facts: list[Fact], relations: int, start: int, steps: tuple[int, ...]) -> set[int]:
    return {walk[-1] for walk in walks(facts, relations, start, steps)}


def all_paths(facts: list[Fact], entities: int, relations: int, hops: int) -> list[Path]:
    """Return every walk of ``hops`` hops over any steps."""
    both = [(h, k, t) for h, k, t in facts] + [(t, k + relations, h) for h, k, t in facts]
    paths = [((start,), ()) for start in range(entities)]
    for _ in range(hops):
        paths = [
            ((*nodes, tail), (*steps, step))
            for nodes, steps in paths
            for head, step, tail in sorted(both)
            if head == nodes[-1]
        ]
    return [Path(nodes, steps) for nodes, steps in paths]


def deleted(facts: list[Fact], relations: int, path: Path, hop: int) -> list[Fact]:
    head, step, tail = path.nodes[hop], path.steps[hop], path.nodes[hop + 1]
    return [
        fact
        for fact in facts
        if fact != ((head, step, tail) if step < relations else (tail, step - relations, head))
    ]


def defects(facts: list[Fact], relations: int, path: Path, config: GateConfig) -> set[Reject]:
    """Return all that is wrong with a path that the graph holds, by definition and without any haste."""
    found = set()
    answers = ends(facts, relations, path.start, path.steps)
    if len(set(path.nodes)) <= path.hops:
        found.add(Reject.REPEATED)
    if config.answers == "unique" and len(answers) > 1:
        found.add(Reject.NOT_UNIQUE)
    if config.answers == "set" and len(answers) > config.max_answers:
        found.add(Reject.TOO_MANY)
    if config.max_in_degree is not None and any(
        sum(tail == node for _, _, tail in facts) > config.max_in_degree for node in path.nodes[1:]
    ):
        found.add(Reject.HUB)
    if any(sum(kind == step % relations for _, kind, _ in facts) < config.min_facts for step in path.steps):
        found.add(Reject.RARE)
    if config.necessity:
        fewer = [steps for length in range(path.hops) for steps in itertools.combinations(path.steps, length)]
        if any(ends(facts, relations, path.start, steps) == answers for steps in fewer) or any(
            ends(deleted(facts, relations, path, hop), relations, path.start, path.steps) == answers
            for hop in range(path.hops)
        ):
            found.add(Reject.UNNECESSARY)
    if config.shortcut != "off":
        over = set(path.steps) if config.shortcut == "question" else range(2 * relations)
        short = [
            steps for length in range(path.hops) for steps in itertools.product(sorted(over), repeat=length)
        ]
        if any(ends(facts, relations, path.start, steps) & answers for steps in short):
            found.add(Reject.SHORTCUT)
    return found


@given(graphs(), configs, st.integers(1, 3))
@settings(max_examples=150, deadline=None)
def test_a_path_is_refused_for_what_is_wrong_with_it_and_sound_when_nothing_is(
    made: tuple[KnowledgeGraph, list[Fact]], config: GateConfig, hops: int
) -> None:
    graph, facts = made
    for path in all_paths(facts, graph.num_entities, graph.num_relations, hops)[:60]:
        wrong = defects(facts, graph.num_relations, path, config)
        outcome = structure(graph, path, config)
        assert (outcome is None) == (not wrong)
        assert outcome is None or outcome[0] in wrong


@given(graphs(), st.sampled_from(["unique", "set"]), st.integers(1, 3))
@settings(max_examples=150, deadline=None)
def test_the_answers_are_all_ends_and_no_hop_can_go(
    made: tuple[KnowledgeGraph, list[Fact]], answers: str, hops: int
) -> None:
    graph, facts = made
    relations = graph.num_relations
    config = GateConfig(answers=answers)
    paths = all_paths(facts, graph.num_entities, relations, hops)[:60]
    for path in paths:
        if structure(graph, path, config) is not None:
            continue
        expected = ends(facts, relations, path.start, path.steps)
        assert graph.answers(path.start, path.steps).tolist() == sorted(expected)
        assert path.end in expected
        assert len(expected) <= (1 if answers == "unique" else config.max_answers)
        for hop in range(hops):
            dropped = path.steps[:hop] + path.steps[hop + 1 :]
            assert ends(facts, relations, path.start, dropped) != expected
            without = graph.without(path.nodes[hop], path.steps[hop], path.nodes[hop + 1])
            assert set(without.answers(path.start, path.steps).tolist()) < expected


@given(graphs(), configs, st.integers(1, 4), st.randoms(use_true_random=False))
@settings(max_examples=150, deadline=None)
def test_many_paths_are_judged_as_each_alone(
    made: tuple[KnowledgeGraph, list[Fact]], config: GateConfig, hops: int, random: object
) -> None:
    graph, facts = made
    paths = all_paths(facts, graph.num_entities, graph.num_relations, hops) if hops < 4 else []
    rng = np.random.default_rng(random.getrandbits(32))  # type: ignore[attr-defined]
    for sampler in (Sampler(graph, inverse=True), Sampler(graph)):
        nodes, steps = sampler.sample(rng, 20, hops)
        paths += [Path(tuple(a), tuple(b)) for a, b in zip(nodes.tolist(), steps.tolist(), strict=True)]
    # And some that need not exist.
    odd = (
        rng.integers(-1, graph.num_entities + 1, (5, hops + 1)),
        rng.integers(-1, 2 * graph.num_relations + 1, (5, hops)),
    )
    paths = [
        *paths[-100:],
        *(Path(tuple(a), tuple(b)) for a, b in zip(*(part.tolist() for part in odd), strict=True)),
    ]
    outcomes = structure_many(
        graph, np.array([path.nodes for path in paths]), np.array([path.steps for path in paths]), config
    )
    for path, code in zip(paths, outcomes.tolist(), strict=True):
        alone = structure(graph, path, config)
        assert REASONS[code] == (None if alone is None else alone[0])


@given(graphs(), st.integers(1, 3))
@settings(max_examples=60, deadline=None)
def test_walks_without_a_fact_are_walks_of_the_graph_without_it(
    made: tuple[KnowledgeGraph, list[Fact]], hops: int
) -> None:
    graph, facts = made
    paths = all_paths(facts, graph.num_entities, graph.num_relations, hops)[-60:]
    nodes = np.array([path.nodes for path in paths]).reshape(-1, hops + 1)
    steps = np.array([path.steps for path in paths]).reshape(-1, hops)
    for hop in range(hops):
        fact = nodes[:, hop], steps[:, hop], nodes[:, hop + 1]
        spots, _ = reach(graph.steps, nodes[:, 0], steps, without=fact)
        found: list[list[int]] = [[] for _ in paths]
        for spot in spots.tolist():
            found[spot // graph.num_entities].append(spot % graph.num_entities)
        assert found == [
            sorted(
                ends(
                    deleted(facts, graph.num_relations, path, hop),
                    graph.num_relations,
                    path.start,
                    path.steps,
                )
            )
            for path in paths
        ]


@given(
    graphs(),
    st.integers(1, 3),
    st.booleans(),
    st.sampled_from(["relation", "fact"]),
    st.sampled_from([0.0, 1.0]),
)
@settings(max_examples=100, deadline=None)
def test_sampled_walks_are_facts_and_none_dies(
    made: tuple[KnowledgeGraph, list[Fact]], hops: int, inverse: bool, balance: str, hubs: float
) -> None:
    graph, facts = made
    nodes, steps = Sampler(graph, balance=balance, hubs=hubs, inverse=inverse).sample(
        np.random.default_rng(0), 50, hops
    )
    known = set(facts)
    for at, over in zip(nodes.tolist(), steps.tolist(), strict=True):
        for head, step, tail in zip(at, over, at[1:], strict=False):
            kind = step % graph.num_relations
            assert ((head, kind, tail) if step < graph.num_relations else (tail, kind, head)) in known
            assert inverse or step == kind
    # All that were asked for arrive, unless the graph has no walk so long.
    possible = any(
        inverse or max(path.steps) < graph.num_relations
        for path in all_paths(facts, graph.num_entities, graph.num_relations, hops)
    )
    assert len(nodes) == (50 if possible else 0)
