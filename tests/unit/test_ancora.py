"""ANCORA's signature checks: what earns, who is compared with whom, what is imitated, when the projection ends."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rlvr_gym.agents import make_domain
from rlvr_gym.envs.constraints import pose
from rlvr_gym.learner.advantages.base import make_advantage
from rlvr_gym.selfplay import train
from rlvr_gym.selfplay.difficulty import DIFFICULTIES
from rlvr_gym.selfplay.loops import LOOPS
from rlvr_gym.selfplay.pairs import Pair, Pairs
from rlvr_gym.store import RunStore
from rlvr_gym.types import Episode, Estimate, Group, Proposal, Segment, Status, Trajectory, Verdict

DOMAIN = make_domain("constraints-v0")
POLICY = {"name": "tiny", "alphabet": "0123456789%=<>d,psc;emhi", "markers": [], "layers": 1, "width": 32, "heads": 2, "context": 320, "device": "cpu"}  # fmt: skip
RECIPE: dict[str, Any] = {
    "loop": {"name": "ancora", "parents": 3, "siblings": 4, "attempts": 4, "curriculum": {"name": "ucb_dag", "roots": 6}},
    "environment": "constraints-v0",
    "policies": {"main": POLICY},
    "steps": 4,
    "threads": 1,
    "sampling": {"max_new_tokens": 3},
    "sampling_of": {"proposer": {"max_new_tokens": 20}},
    "warm_start": {"examples": 2000, "steps": 150, "batch_size": 32, "lr": 1e-2, "mistakes": {"solver": 0.0, "proposer": 0.0}},
    "evaluation": {"tasks": 4, "proposals": 4},
}  # fmt: skip


def loop(**changes: Any) -> Any:
    table = {
        "name": "ancora",
        "parents": 1,
        "siblings": 4,
        "attempts": 4,
        "curriculum": {"name": "ucb_dag", "roots": 3},
    }
    entry, config = LOOPS.resolve({**table, **changes}, where="loop")
    return entry.value(config, DOMAIN)


def planned(of: Any, step: int = 1) -> Any:
    return of.plan(step, np.random.default_rng(step), lambda slot: f"w{step}/{slot}")


def trajectory(id: str, role: str, task: str, text: str) -> Trajectory:
    ids = np.array([1, 2], np.int32)
    sampled = Segment("sampled", ids, np.zeros(2, np.float32), np.ones(2, np.float32), "main:0")
    return Trajectory(id, role, task, (Segment("prompt", ids), sampled), "stop", text=text)


Draft = tuple[str, bool, int]
"""Specification, whether the gate passes it, how many of four attempts solve it."""


def episode(setup: Any, drafts: list[Draft], near: dict[str, str] | None = None) -> Episode:
    """Return a played setup with these proposals."""
    trajectories, parents, verdicts, proposals = [], {}, {}, []
    for j, (spec, valid, solved) in enumerate(drafts):
        draft = trajectory(f"{setup.work}/d{j}", "proposer", setup.parents[0].id, spec)
        gate = Verdict.of(Status.PASSED if valid else Status.FAILED, "because")
        copies = (near or {}).get(spec)
        trajectories.append(draft)
        parents[draft.id] = None
        verdicts[draft.id] = gate
        proposals.append(Proposal(draft.id, pose(spec), gate, near=copies))
        for k in range(4 if valid and copies is None else 0):
            text = f"{k:02d}"
            attempt = trajectory(f"{draft.id}/a{k}", "solver", pose(spec).id, text)
            trajectories.append(attempt)
            parents[attempt.id] = draft.id
            verdicts[attempt.id] = Verdict.of(Status.PASSED if k < solved else Status.FAILED, "because")
    return Episode(setup.work, setup, tuple(trajectories), parents, tuple(proposals), verdicts)


def proposer_group(of: Any, drafts: list[Draft], near: dict[str, str] | None = None) -> Group:
    plan = planned(of)
    credit = of.credit(plan, [episode(plan.setups[0], drafts, near)])
    (group,) = [g for g in credit.groups if g.key.role == "proposer"]
    return group


def advantages(group: Group) -> dict[str, float]:
    (values,) = make_advantage("grpo").credit([group])
    return {t.text: float(v) for t, v in zip(group.members, values, strict=True)}


VALID: list[Draft] = [(">51", True, 1), (">61", True, 0), (">71", True, 4), (">81", True, 1)]


def test_the_band_pays_one_solve_and_nothing_else() -> None:
    group = proposer_group(loop(), VALID)
    assert group.rewards == (1.0, 0.0, 0.0, 1.0)


def test_the_expectation_of_the_band_peaks_at_one_in_k() -> None:
    from math import comb

    rule = DIFFICULTIES["band"].value
    for tried in (4, 8, 16):
        grid = np.linspace(0.0, 1.0, 1601)
        expected = sum(
            rule(m, tried) * comb(tried, m) * grid**m * (1 - grid) ** (tried - m) for m in range(tried + 1)
        )
        assert grid[int(np.argmax(expected))] == pytest.approx(1 / tried, abs=1e-3)
        # K p (1 - p)^(K - 1) at p = 1/K; for K = 8 that is (7/8)^7 = 0.393.
        assert expected.max() == pytest.approx((1 - 1 / tried) ** (tried - 1), abs=1e-6)


@settings(deadline=None, max_examples=40)
@given(
    st.lists(st.tuples(st.booleans(), st.integers(0, 4)), min_size=2, max_size=6),
    st.sampled_from(["band", "learnability", "maximum_likelihood"]),
)
def test_advantages_of_what_the_gate_passed_sum_to_zero_and_the_others_have_none(
    rows: list[tuple[bool, int]], rule: str
) -> None:
    drafts = [(f">{50 + i}", valid, solved) for i, (valid, solved) in enumerate(rows)]
    of = loop(difficulty=rule)
    plan = planned(of)
    credit = of.credit(plan, [episode(plan.setups[0], drafts)])
    groups = [g for g in credit.groups if g.key.role == "proposer"]
    valid = [spec for spec, passes, _ in drafts if passes]
    assert [t.text for g in groups for t in g.members] == valid
    for group in groups:
        assert sum(advantages(group).values()) == pytest.approx(0.0, abs=1e-5)


@pytest.mark.parametrize("refused", [(">10", False, 0), (">91", True, 0)], ids=["invalid", "near-duplicate"])
def test_a_refused_candidate_leaves_the_advantages_of_the_others_as_they_were(refused: Draft) -> None:
    near = {">91": ">90"}
    alone = advantages(proposer_group(loop(), VALID, near))
    beside = advantages(proposer_group(loop(), [*VALID, refused], near))
    assert beside == alone
    scored = advantages(proposer_group(loop(rejected="zero"), [*VALID, refused], near))
    assert scored.keys() == {*alone, refused[0]}
    assert scored[">51"] > alone[">51"]


def test_both_levels_share_the_attempts() -> None:
    of = loop()
    plan = planned(of)
    credit = of.credit(plan, [episode(plan.setups[0], VALID)])
    solver = [g for g in credit.groups if g.key.role == "solver"]
    assert [g.rewards.count(1.0) for g in solver] == [1, 0, 4, 1]
    assert [g.informative for g in solver] == [True, False, False, True]


def test_near_duplicates_of_the_graph_and_of_the_step_are_told_before_they_are_attempted() -> None:
    of = loop()
    planned(of)
    root = next(iter(of.curriculum.dag.nodes.values())).task
    assert of._near(root) == DOMAIN.form(root)
    assert of._near(pose(">51,%2=0")) is None
    # The same in another order; it is part of the step's batch by now.
    assert of._near(pose("%2=0,>51")) == "%2=0,>51"
    planned(of)
    assert of._near(pose(">51,%2=0")) is None


@pytest.mark.parametrize(
    ("changes", "trained"),
    [
        ({}, {"proposer", "solver"}),
        ({"freeze_proposer": True}, {"solver"}),
        ({"freeze_solver": True}, {"proposer"}),
    ],
)
def test_a_frozen_role_is_not_trained(changes: dict[str, bool], trained: set[str]) -> None:
    assert planned(loop(projection={"rounds": 0}, **changes)).train == trained
    assert planned(loop(**changes)).train == set()


def play_projection(of: Any, step: int, drafts: list[Draft]) -> Any:
    plan = planned(of, step)
    of.fold(step, plan, of.credit(plan, [episode(plan.setups[0], drafts)]))
    return plan


def test_the_projection_imitates_once_there_are_pairs_and_ends_at_its_thresholds() -> None:
    of = loop(projection={"least": 2, "rounds": 9})
    bad: list[Draft] = [(">51", True, 1), (">10", False, 0), (">11", False, 0), (">12", False, 0)]
    first = play_projection(of, 1, bad)
    assert (first.phase, first.lesson, first.train) == ("projection", None, frozenset())
    second = play_projection(of, 2, [(">61", True, 2), *bad[1:]])
    assert second.lesson is None
    # Two pairs, each a solution and a specification.
    third = play_projection(of, 3, [(">71", True, 1), (">72", True, 1), (">10", False, 0), (">11", False, 0)])
    assert [d.completion for d in third.lesson.demonstrations] == ["00", ">51", "00", ">61"]
    # Half of the last step was valid and new, all of its groups informative: the next step follows rewards.
    fourth = planned(of, 4)
    assert (fourth.phase, fourth.lesson) == ("joint", None)
    assert fourth.train == {"proposer", "solver"}


def test_copies_do_not_end_the_projection() -> None:
    of = loop(projection={"least": 9, "rounds": 9})
    near = {f">{n}": ">50" for n in range(51, 55)}
    plan = planned(of)
    of.fold(1, plan, of.credit(plan, [episode(plan.setups[0], [(spec, True, 0) for spec in near], near)]))
    assert planned(of, 2).phase == "projection"


def test_the_projection_ends_after_its_rounds_whatever_came_of_it() -> None:
    of = loop(projection={"rounds": 2})
    for step in (1, 2):
        assert play_projection(of, step, [(">10", False, 0)] * 1).phase == "projection"
    assert planned(of, 3).phase == "joint"


def test_refreshes_come_at_their_steps() -> None:
    of = loop(projection={"rounds": 1, "refresh": 3, "least": 1})
    play_projection(of, 1, [(">51", True, 1)])
    assert [planned(of, step).lesson is not None for step in range(2, 9)] == [False, False, True] * 2 + [
        False
    ]


def test_one_pair_is_kept_for_each_specification_and_an_answer_only_so_often() -> None:
    pairs = Pairs(capacity=4, per_answer=2)
    for spec, answer in ((">51", "60"), (">52", "60"), (">53", "60"), (">51", "70"), (">54", "61")):
        pairs.add(spec, Pair(pose(spec), answer))
    # The third 60 pushed the first out; >51 came back with another answer.
    assert [(form, pair.solution) for form, pair in pairs.kept.items()] == [
        (">52", "60"), (">53", "60"), (">51", "70"), (">54", "61"),
    ]  # fmt: skip
    pairs.add(">55", Pair(pose(">55"), "99"))
    assert list(pairs.kept) == [">53", ">51", ">54", ">55"]


def test_what_every_attempt_solved_is_not_imitated() -> None:
    of = loop()
    play_projection(of, 1, VALID)
    assert list(of.pairs.kept) == [">51", ">81"]


def test_what_was_solved_in_practice_is_imitated_without_a_parent() -> None:
    of = loop(practice=1, practice_attempts=2)
    plan = planned(of)
    posed = plan.setups[1].task
    tries = [trajectory(f"p{k}", "solver", posed.id, f"{k}0") for k in range(2)]
    verdicts = {"p0": Verdict.of(Status.FAILED, "no"), "p1": Verdict.of(Status.PASSED, "yes")}
    practised = Episode(
        plan.setups[1].work, plan.setups[1], tuple(tries), dict.fromkeys(verdicts), (), verdicts
    )
    of.fold(1, plan, of.credit(plan, [practised]))
    (pair,) = of.pairs.kept.values()
    assert (pair.solution, pair.parent) == ("10", None)
    assert [d.role for d in of.pairs.demonstrations(DOMAIN)] == ["solver"]


def test_a_state_written_and_read_plans_the_same() -> None:
    of = loop(projection={"least": 1, "rounds": 5})
    for step, spec in enumerate((">51", ">61", ">71"), 1):
        play_projection(of, step, [(spec, True, 1), (">10", False, 0)])
    other = loop(projection={"least": 1, "rounds": 5})
    other.load(json.loads(json.dumps(of.state())))
    assert planned(other, 4) == planned(of, 4)
    assert other.state() == of.state()


def test_figures_tell_of_narrowing() -> None:
    of = loop()
    plan = planned(of)
    drafts = [(">51", True, 0), (">61", True, 4), (">71", True, 1), (">81", True, 0)]
    figures = of.health(plan, of.credit(plan, [episode(plan.setups[0], drafts, {">81": ">80"})]))
    assert figures["proposer/near_duplicate_share"] == 0.25
    assert figures["proposer/never_solved_share"] == pytest.approx(1 / 3)
    assert figures["proposer/always_solved_share"] == pytest.approx(1 / 3)
    assert figures["solver/solves_per_check"] == pytest.approx(5 / 12)
    assert figures["proposer/spec_length"] == 3.0


def test_a_run_projects_plays_and_records_what_it_imitated(tmp_path: Path) -> None:
    changes = ["loop.projection.rounds=3", "loop.projection.least=1", "loop.projection.valid=1.0"]
    report = train(RECIPE, folder=tmp_path / "run", overrides=changes)
    assert report.steps == 4
    with RunStore.open(tmp_path / "run", readonly=True) as store:
        assert store.problems() == []
        phases = [event.payload["phase"] for event in store.events("plan")]
        lessons = [event.step for event in store.events("sft_done") if event.step]
        checkpoint = store.last_checkpoint()
    assert phases == ["projection"] * 3 + ["joint"]
    assert lessons
    assert set(lessons) <= {2, 3}
    assert checkpoint is not None
    assert len(checkpoint.state["curriculum"]["nodes"]) >= 6


def test_any_curriculum_can_give_the_parents(tmp_path: Path) -> None:
    report = train(RECIPE, folder=tmp_path / "run", overrides=["loop.curriculum=uniform", "steps=1"])
    assert report.steps == 1


def test_an_estimate_of_nothing_is_no_pair() -> None:
    assert not Pairs()._wanted(None)
    assert Pairs()._wanted(Estimate("t", tried=1, solved=1))
    assert not Pairs()._wanted(Estimate("t", tried=2, solved=2))
    assert Pairs(informative=False)._wanted(Estimate("t", tried=2, solved=2))
