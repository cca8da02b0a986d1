"""Plans are functions of folded state and seed; copies are not admitted (invariants 14, 15, 23)."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from rlvr_gym.agents import Domain, make_domain
from rlvr_gym.selfplay.credit import Credit, Judged
from rlvr_gym.selfplay.loops import LOOPS, Loop, Plan
from rlvr_gym.types import Estimate, Proposal, Status, Task, Verdict

DOMAIN: Domain = make_domain({"name": "integral-v0", "families": ["table_sum"], "style": "compact"})
PROBLEMS = ("x+x^2", "2x+2x^2", "cos(2x)+x", "e^(3x)+x", "sin(x)+4x^3", "3/x+x")

drafts = st.lists(
    st.tuples(st.sampled_from(PROBLEMS), st.booleans(), st.integers(0, 4), st.integers(0, 2)), max_size=6
)
histories = st.lists(drafts, max_size=5)


def loop(**changes: object) -> Loop:
    entry, config = LOOPS.resolve({"name": "vhg", "parents": 2, "practice": 3, **changes}, where="loop")
    return entry.value(config, DOMAIN)


def credit(rows: list[tuple[str, bool, int, int]], step: int) -> Credit:
    """Return a step's credit as if these problems had been proposed, valid or not, and attempted."""
    out = Credit()
    for i, (problem, valid, solved, masked) in enumerate(rows):
        task = replace(DOMAIN.seed(np.random.default_rng(0)), id=f"integral:{problem}", reference=problem)
        gate = Verdict.of(Status.PASSED if valid else Status.FAILED, "because")
        estimate = Estimate(task.id, tried=4, solved=solved, masked=masked) if valid else None
        shelf = "admitted" if valid and solved else "rejected"
        out.proposals.append(
            Judged(Proposal(f"{step}/{i}", task, gate, shelf=shelf), "", DOMAIN.form(task), estimate, 0.0)
        )
        if estimate is not None:
            out.note(estimate)
    return out


def plan(of: Loop, step: int) -> Plan:
    return of.plan(step, np.random.default_rng(step), lambda slot: f"w{slot}")


def fold(into: Loop, history: list, first: int = 1) -> Loop:
    for step, rows in enumerate(history, first):
        into.fold(step, plan(into, step), credit(rows, step))
    return into


@settings(deadline=None)
@given(histories)
def test_invariant_15_a_plan_is_a_function_of_folded_state_and_seed(history: list) -> None:
    one, other = fold(loop(), history), loop()
    other.load(json.loads(json.dumps(one.state())))
    step = len(history) + 1
    assert plan(one, step) == plan(one, step) == plan(other, step)


@settings(deadline=None)
@given(histories, st.integers(0, 5))
def test_invariant_14_folding_a_prefix_gives_the_state_of_then(history: list, at: int) -> None:
    prefix = fold(loop(), history[:at])
    rest = loop()
    rest.load(json.loads(json.dumps(prefix.state())))
    fold(rest, history[at:], first=len(history[:at]) + 1)
    assert rest.state() == fold(loop(), history).state()


@settings(deadline=None)
@given(histories)
def test_invariant_23_what_asks_the_same_is_admitted_once(history: list) -> None:
    kept = fold(loop(), history).state()["curriculum"]["kept"]
    forms = [DOMAIN.form(Task.from_dict(item["task"])) for item in kept.values()]
    assert len(forms) == len(set(forms))


@settings(deadline=None)
@given(histories)
def test_invariant_6_masked_attempts_reach_only_masked_counts_of_the_curriculum(history: list) -> None:
    without = [[(problem, valid, solved, 0) for problem, valid, solved, _ in rows] for rows in history]
    one, other = (fold(loop(), h).state()["curriculum"] for h in (history, without))
    assert one["forms"] == other["forms"]
    for form, item in one["kept"].items():
        assert {**item, "masked": 0} == {**other["kept"][form], "masked": 0}


def test_phases_alternate_as_set() -> None:
    alternating = loop(schedule="alternate", setter_steps=2, solver_steps=1)
    plans = [plan(alternating, step) for step in range(1, 7)]
    assert [p.phase for p in plans] == ["setter", "setter", "solver"] * 2
    assert [p.freeze for p in plans] == [True, True, False] * 2
    assert [sorted(p.train) for p in plans[:3]] == [["proposer"], ["proposer"], ["solver"]]
    assert {s.protocol for p in plans if p.phase == "solver" for s in p.setups} == {"single_turn"}


def test_a_fifth_of_practice_comes_from_seeds_however_full_the_pool_is() -> None:
    rows = [(problem, True, 2, 0) for problem in PROBLEMS]
    full = fold(loop(practice=5), [rows])
    setups = [s for s in plan(full, 2).setups if s.protocol == "single_turn"]
    seeds = [
        s
        for s in setups
        if s.task is not None
        and s.task.provenance.origin == "generated"
        and s.task.id.removeprefix("integral:") not in PROBLEMS
    ]
    assert len(setups) == 5
    assert len(seeds) >= 1
