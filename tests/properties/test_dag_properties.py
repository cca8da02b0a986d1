"""Invariants of ANCORA's graph, whatever was proposed (invariants 14, 18, 20)."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from rlvr_gym.agents import make_domain
from rlvr_gym.envs.constraints import pose
from rlvr_gym.selfplay.credit import Credit, Judged
from rlvr_gym.selfplay.curricula import CURRICULA
from rlvr_gym.types import Estimate, Proposal, Status, Verdict

DOMAIN = make_domain("constraints-v0")
SPECS = (">51", ">61", ">71", ">51,%2=0", "%2=0,>51", ">61,d=09", "d=09", "%7=3", "%7=3,>20", "<30")

# A proposal: which of the tasks known so far it comes from, what it says, whether it is valid, how often it was solved.
drafts = st.lists(
    st.tuples(st.integers(0, 30), st.sampled_from(SPECS), st.booleans(), st.integers(0, 4)), max_size=5
)
histories = st.lists(drafts, max_size=6)


def curriculum(**config: Any) -> Any:
    entry, values = CURRICULA.resolve({"name": "ucb_dag", "roots": 3, **config}, where="curriculum")
    return entry.value(values, DOMAIN)


def fold(into: Any, history: list, first: int = 1) -> Any:
    for number, rows in enumerate(history, first):
        known = list(into.dag.nodes)
        credit = Credit()
        for i, (place, spec, valid, solved) in enumerate(rows):
            task, parent = pose(spec), known[place % len(known)]
            gate = Verdict.of(Status.PASSED if valid else Status.FAILED, "because")
            new = valid and not into.copies(DOMAIN.form(task))
            proposal = Proposal(
                f"{number}/{i}",
                task,
                gate,
                shelf=("admitted" if solved else "confirm") if new else "rejected",
            )
            estimate = Estimate(task.id, tried=4, solved=solved) if valid else None
            reward = float(solved == 1) if valid else None
            credit.proposals.append(
                Judged(proposal, spec, DOMAIN.form(task), estimate, reward, (), parent, f"e{number}/{i}")
            )
            if estimate is not None:
                credit.note(estimate)
            else:
                credit.dropped[proposal.trajectory] = "rejected"
        into.fold(number, credit)
    return into


@settings(deadline=None)
@given(histories)
def test_invariant_18_the_graph_has_no_cycles_and_all_that_grew_was_solved(history: list) -> None:
    dag = fold(curriculum(), history).dag
    order = {id: i for i, id in enumerate(dag.nodes)}
    for id, node in dag.nodes.items():
        assert all(order[parent] < order[id] for parent in node.parents)
        assert all(dag.nodes[parent].step < node.step for parent in node.parents)
        assert node.root or (node.solved >= 1 and node.depth >= 1)
        assert node.root == (node.step == 0)


@settings(deadline=None)
@given(histories)
def test_a_form_is_in_the_graph_once(history: list) -> None:
    forms = [node.form for node in fold(curriculum(), history).dag.nodes.values()]
    assert len(forms) == len(set(forms))


@settings(deadline=None)
@given(histories, st.integers(0, 6), st.sampled_from(["ucb", "uniform"]))
def test_invariant_14_a_state_written_and_read_goes_on_the_same(history: list, at: int, choice: str) -> None:
    straight = fold(curriculum(choice=choice, capacity=6), history)
    resumed = curriculum(choice=choice, capacity=6)
    resumed.load(json.loads(json.dumps(fold(curriculum(choice=choice, capacity=6), history[:at]).state())))
    fold(resumed, history[at:], first=len(history[:at]) + 1)
    assert resumed.state() == straight.state()
    plans = [of.parents(np.random.default_rng(1), 6, 9) for of in (straight, resumed)]
    assert plans[0] == plans[1]
    assert [of.practice(np.random.default_rng(1), 3, 9) for of in (straight, resumed)].count(
        straight.practice(np.random.default_rng(1), 3, 9)
    ) == 2


@settings(deadline=None)
@given(histories)
def test_a_state_does_not_change_with_the_run_that_goes_on(history: list) -> None:
    of = fold(curriculum(), history)
    state = of.state()
    before = json.dumps(state)
    fold(of, [[(0, ">51", True, 1), (1, "d=09", True, 2)]], first=len(history) + 1)
    assert json.dumps(state) == before


@settings(deadline=None)
@given(histories, st.integers(1, 6))
def test_values_lie_between_what_can_be_earned_less_the_slack_of_the_way(history: list, number: int) -> None:
    of = fold(curriculum(), history)
    for id, node in of.dag.nodes.items():
        assert -0.1 * node.depth <= of.dag.value(id) <= 1.0
    assert all(task.id in of.dag.nodes for task in of.parents(np.random.default_rng(number), number, 9))


@settings(deadline=None)
@given(histories, histories)
def test_self_composition_what_is_reached_stays_reached(history: list, more: list) -> None:
    # Each step can only add: the tasks within so many steps are among those within more steps.
    early = {n.form for n in fold(curriculum(), history).dag.nodes.values()}
    late = {n.form for n in fold(curriculum(), history + more).dag.nodes.values()}
    assert early <= late
