"""Figures of a graph against counting by hand."""

import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rlvr_gym.graphs import Entity, KnowledgeGraph, Relation
from rlvr_gym.graphs.sampling import Sampler
from rlvr_gym.graphs.structure import GateConfig, Reject
from rlvr_gym.graphs.summary import (
    HopFigures,
    hop_figures,
    name_figures,
    relation_figures,
    sample_questions,
)


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 2), st.integers(0, 5)), max_size=25))
def test_relations_are_counted_right(facts):
    graph = KnowledgeGraph(
        [Entity(f"e{n}") for n in range(6)],
        [Relation(f"r{n}") for n in range(3)],
        np.array(facts).reshape(-1, 3),
    )
    rows = {row.id: row for row in relation_figures(graph)}
    assert list(rows) == sorted(rows, key=lambda id: (-rows[id].facts, id))
    for kind in range(3):
        ends = {(head, tail) for head, other, tail in facts if other == kind}
        heads, tails = Counter(head for head, _ in ends), Counter(tail for _, tail in ends)
        row = rows[f"r{kind}"]
        assert (row.facts, row.heads, row.tails) == (len(ends), len(heads), len(tails))
        one_tail, one_head = list(heads.values()).count(1), list(tails.values()).count(1)
        assert row.functional == (one_tail / len(heads) if heads else 0)
        assert row.inverse_functional == (one_head / len(tails) if tails else 0)


def test_names_are_counted_once_and_ambiguous_ones_apart():
    entities = {"a": Entity("a", "Rome", aliases=("the city",)), "b": Entity("b", "Rome")}
    # a, b, rome and "the city" are names; Rome means two.
    assert name_figures(KnowledgeGraph.of([("a", "r", "b")], entities=entities)) == (4, 1)


@pytest.mark.parametrize(
    ("figures", "share"),
    [
        (HopFigures(1, drawn=1000, sound=400, tried=200, askable=50, rejects={}), 0.1),
        (HopFigures(1, drawn=1000, sound=0, tried=0, askable=0, rejects={}), 0.0),
        (HopFigures(1, drawn=0, sound=0, tried=0, askable=0, rejects={}), math.nan),
    ],
)
def test_the_share_of_paths_that_make_a_question_is_estimated_from_both_parts(figures, share):
    assert figures.share == pytest.approx(share, nan_ok=True)


def test_a_question_that_gives_its_answer_away_is_counted_as_such():
    # Whoever reads the name of the start has read the answer.
    graph = KnowledgeGraph.of([("Paris Texas", "seat", "Paris")])
    figures = hop_figures(Sampler(graph), 1, GateConfig(), np.random.default_rng(0), number=50)
    assert (figures.drawn, figures.sound, figures.tried, figures.askable) == (50, 50, 50, 0)
    assert figures.rejects == {Reject.NAMES_ANSWER: 50}


def test_sample_questions_are_different_sound_and_of_each_length():
    graph = KnowledgeGraph.of(
        [(f"p{n}", "teacher", f"q{n}") for n in range(4)] + [(f"q{n}", "home", f"c{n}") for n in range(4)]
    )
    found = list(sample_questions(Sampler(graph), 7, 2, GateConfig(), np.random.default_rng(0)))
    assert len({path for path, _, _ in found}) == 7
    assert [path.hops for path, _, _ in found] == [1, 1, 1, 1, 2, 2, 2]
    for path, _, answers in found:
        assert answers == [graph.entities[path.end].name]
