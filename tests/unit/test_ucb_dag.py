"""The graph that UCB searches: whose turn it is, who enters, who leaves."""

from __future__ import annotations

import math
from collections import Counter
from typing import Any

import numpy as np
import pytest

from rlvr_gym.agents import make_domain
from rlvr_gym.envs.constraints import pose
from rlvr_gym.selfplay.credit import Credit, Judged
from rlvr_gym.selfplay.curricula import CURRICULA
from rlvr_gym.selfplay.dag import Dag, Node, score
from rlvr_gym.types import Estimate, Proposal, Status, Verdict

DOMAIN = make_domain("constraints-v0")


def curriculum(**settings: Any) -> Any:
    entry, config = CURRICULA.resolve({"name": "ucb_dag", "roots": 4, **settings}, where="curriculum")
    return entry.value(config, DOMAIN)


def judged(
    parent: str, spec: str, solved: int, *, tried: int = 4, valid: bool = True, reward: float | None = 1.0
) -> Judged:
    """Return a proposal with ``solved`` of ``tried`` attempts."""
    task = pose(spec)
    gate = Verdict.of(Status.PASSED if valid else Status.FAILED, "because")
    shelf = "rejected" if not valid else "admitted" if solved else "confirm"
    proposal = Proposal(f"{parent}>{spec}", task, gate, shelf=shelf)  # type: ignore[arg-type]
    return Judged(
        proposal,
        spec,
        DOMAIN.form(task),
        Estimate(task.id, tried, solved),
        reward,
        (),
        parent,
        f"of {parent}",
    )


def step(of: Any, number: int, *proposals: Judged, dropped: dict[str, str] | None = None) -> None:
    credit = Credit(dropped=dropped or {}, proposals=list(proposals))
    for each in proposals:
        if each.estimate is not None:
            credit.note(each.estimate)
    of.fold(number, credit)


def roots(of: Any) -> list[str]:
    return list(of.dag.roots)


def chosen(of: Any, number: int = 1, seed: int = 0) -> list[str]:
    return [task.id for task in of.parents(np.random.default_rng(seed), number, 1)]


def test_of_equal_values_the_one_that_was_never_visited_is_first() -> None:
    assert score(0.4, 0.0, 9.0, 0.5) > score(0.4, 1.0, 9.0, 0.5) > score(0.4, 2.0, 9.0, 0.5)
    # By hand: 0.4 + 0.5 sqrt(ln 10 / 3).
    assert score(0.4, 2.0, 9.0, 0.5) == pytest.approx(0.4 + 0.5 * math.sqrt(math.log(10) / 3))


def test_every_root_has_its_turn_before_any_has_two() -> None:
    graph = curriculum(root_quota=1.0)
    met = []
    for number in range(1, 5):
        (parent,) = chosen(graph)
        met.append(parent)
        step(graph, number, judged(parent, f">{50 + number}", 1))
    assert sorted(met) == sorted(roots(graph))


def test_within_a_step_the_slots_spread_over_equal_roots() -> None:
    graph = curriculum(root_quota=1.0)
    assert Counter(chosen(graph, 8)) == dict.fromkeys(roots(graph), 2)


def test_without_exploration_the_best_is_taken_every_time() -> None:
    graph = curriculum(root_quota=1.0, exploration=0.0, solved_only=True)
    a, b, c, d = roots(graph)
    step(
        graph,
        1,
        *(
            judged(id, f">{50 + i}", 0, reward=r)
            for i, (id, r) in enumerate({a: 0.1, b: 0.6, c: 0.2, d: 0.5}.items())
        ),
    )
    assert chosen(graph, 5) == [b] * 5


def test_an_arm_whose_reward_dropped_loses_its_rank_by_discounting() -> None:
    fading, lasting = (curriculum(root_quota=1.0, exploration=0.0, discount=g) for g in (0.5, 1.0))
    for graph in (fading, lasting):
        a, b, c, d = roots(graph)
        for number in range(1, 5):
            # b earns half of the time, a only at first: over all visits a is ahead, lately b.
            step(
                graph,
                number,
                judged(a, ">51", 0, reward=1.0 if number <= 3 else 0.0),
                judged(b, ">52", 0, reward=float(number in (2, 4))),
                judged(c, ">53", 0, reward=0.0),
                judged(d, ">54", 0, reward=0.0),
            )
    assert chosen(lasting) == [roots(lasting)[0]]
    assert chosen(fading) == [roots(fading)[1]]


@pytest.mark.parametrize("quota", [0.0, 0.3, 1.0])
def test_the_share_of_roots_tends_to_the_quota(quota: float) -> None:
    # Descents never stop at a root here: its child has earned more.
    graph = curriculum(roots=1, root_quota=quota, exploration=0.0)
    (root,) = roots(graph)
    step(graph, 1, judged(root, ">51", 1, reward=0.0))
    (child,) = graph.dag.children(root)
    step(graph, 2, judged(child, ">52", 0, reward=1.0))
    shares = Counter(chosen(graph, 4000))
    assert shares[root] / 4000 == pytest.approx(quota, abs=0.025)


@pytest.mark.parametrize(("solved", "enters"), [(0, False), (1, True), (4, True)])
def test_what_was_never_solved_does_not_enter(solved: int, enters: bool) -> None:
    graph = curriculum()
    step(graph, 1, judged(roots(graph)[0], ">51", solved))
    assert (len(graph.dag.nodes) == 5) is enters


def test_without_the_rule_whatever_is_valid_enters_and_what_is_not_never_does() -> None:
    graph = curriculum(solved_only=False)
    root = roots(graph)[0]
    step(graph, 1, judged(root, ">51", 0), judged(root, ">10", 1, valid=False))
    assert [node.form for node in graph.dag.nodes.values()][4:] == [">51"]


def test_what_was_not_solved_at_first_may_enter_later() -> None:
    graph = curriculum()
    root = roots(graph)[0]
    step(graph, 1, judged(root, ">51", 0))
    assert graph.copies(">51") == 0
    step(graph, 2, judged(root, ">51", 1))
    assert graph.copies(">51") == 1


def test_a_specification_that_two_parents_proposed_has_both() -> None:
    graph = curriculum()
    a, b, *_ = roots(graph)
    step(graph, 1, judged(a, ">51", 1), judged(b, ">51", 1))
    (node,) = [node for node in graph.dag.nodes.values() if not node.root]
    assert node.parents == [a, b]
    assert graph.copies(">51") == 2


def test_an_edge_never_leads_from_the_younger_to_the_older() -> None:
    graph = curriculum()
    root = roots(graph)[0]
    step(graph, 1, judged(root, ">51", 1))
    (child,) = graph.dag.children(root)
    form = graph.dag.nodes[root].form
    step(graph, 2, judged(child, form, 1))
    assert graph.dag.nodes[root].root
    assert graph.dag.children(child) == ()


def test_refused_proposals_make_a_visit_that_earned_nothing() -> None:
    graph = curriculum()
    root = roots(graph)[0]
    refused = judged(root, ">51", 0, valid=False, reward=None)
    step(
        graph,
        1,
        refused,
        judged(root, ">52", 1, reward=1.0),
        dropped={refused.proposal.trajectory: "rejected"},
    )
    node = graph.dag.nodes[root]
    assert (node.visits, node.earned) == (1.0, 0.5)


def test_undecided_and_held_out_proposals_make_no_visit() -> None:
    graph = curriculum()
    root = roots(graph)[0]
    apart = judged(root, ">51", 0, valid=False, reward=None)
    step(
        graph, 1, apart, judged(root, ">52", 0, reward=None), dropped={apart.proposal.trajectory: "held_out"}
    )
    assert graph.dag.nodes[root].visits == 0.0


def test_what_a_task_earns_is_credited_by_half_at_each_level_above_it() -> None:
    dag = Dag(slack=0.1)
    for depth, (name, parents) in enumerate({"a": [], "b": ["a"], "c": ["b"]}.items()):
        dag.add(Node(pose_named(name), name, parents, depth=depth, step=depth))
    dag.visit("c", 0.8)
    assert [(n.visits, n.earned) for n in dag.nodes.values()] == [(0.25, 0.2), (0.5, 0.4), (1.0, 0.8)]


def pose_named(name: str) -> Any:
    from rlvr_gym.types import Task

    return Task(name, name)


def test_a_child_starts_below_its_parent_by_its_distance() -> None:
    dag = Dag(slack=0.1)
    dag.add(Node(pose_named("a"), "a", [], depth=0, step=0))
    dag.add(Node(pose_named("b"), "b", ["a"], depth=1, step=1, distance=0.5))
    assert dag.value("a") == 1.0
    assert dag.value("b") == pytest.approx(0.95)
    dag.visit("a", 0.4)
    assert dag.value("b") == pytest.approx(0.35)


def test_a_task_solved_at_three_visits_in_a_row_is_retired_and_comes_back_when_it_is_forgotten() -> None:
    graph = curriculum(roots=1)
    (root,) = roots(graph)
    for number in range(1, 4):
        assert not graph.dag.nodes[root].retired
        graph.fold(number, Credit(estimates={root: Estimate(root, tried=8, solved=8)}))
    assert graph.dag.nodes[root].retired
    graph.fold(4, Credit(estimates={root: Estimate(root, tried=8, solved=0)}))
    assert not graph.dag.nodes[root].retired


def test_a_retired_task_is_passed_on_the_way_down_but_is_no_parent() -> None:
    graph = curriculum(roots=1, root_quota=0.0, exploration=0.0)
    (root,) = roots(graph)
    step(graph, 1, judged(root, ">51", 1, reward=0.0))
    graph.dag.nodes[root].recent = [[8, 8]] * 3
    graph.fold(2, Credit())
    assert graph.dag.nodes[root].retired
    assert chosen(graph) == list(graph.dag.children(root))


def test_past_its_capacity_the_worst_leaf_leaves_and_never_a_root() -> None:
    graph = curriculum(capacity=5)
    a, b, *_ = roots(graph)
    step(graph, 1, judged(a, ">51", 1, reward=0.9), judged(b, ">61", 1, reward=0.1))
    assert graph.dag.forms.keys() >= {">51"}
    assert ">61" not in graph.dag.forms
    assert len(roots(graph)) == 4


def test_practice_comes_from_roots_and_from_what_is_solved_sometimes() -> None:
    graph = curriculum()
    a, *_ = roots(graph)
    step(graph, 1, judged(a, ">51", 2), judged(a, ">52", 4))
    tasks = [task.id for task in graph.practice(np.random.default_rng(0), 4, 2)]
    assert tasks[0] == "constraints:>51"
    assert set(tasks[1:]) <= set(roots(graph))
    assert len(set(tasks)) == 4


def test_the_uniform_control_takes_what_earned_nothing_as_often() -> None:
    graph = curriculum(roots=2, root_quota=1.0, choice="uniform")
    a, b = roots(graph)
    for number in range(1, 4):
        step(graph, number, judged(a, ">51", 0, reward=1.0), judged(b, ">52", 0, reward=0.0))
    assert Counter(chosen(graph, 2000))[a] / 2000 == pytest.approx(0.5, abs=0.04)


def test_figures_tell_size_and_depth() -> None:
    graph = curriculum()
    root = roots(graph)[0]
    step(graph, 1, judged(root, ">51", 1))
    step(graph, 2, judged("constraints:>51", ">51,%2=0", 1))
    figures = graph.figures()
    assert (figures["dag/nodes"], figures["dag/admitted"], figures["dag/solved_depth"]) == (6.0, 2.0, 2.0)
    assert figures["dag/root_share"] == 0.5
