"""SPARK's signature checks: what earns, who is compared with whom, how hops are drawn, what the controls change."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rlvr_gym.agents import make_domain
from rlvr_gym.agents.kg import KGDomain, hops_of
from rlvr_gym.errors import ConfigError
from rlvr_gym.learner.advantages.base import make_advantage
from rlvr_gym.selfplay import train
from rlvr_gym.selfplay.curricula.hops import HopsCurriculum
from rlvr_gym.selfplay.difficulty import DIFFICULTIES
from rlvr_gym.selfplay.edges import EdgeStats, hop_weights
from rlvr_gym.selfplay.loops import LOOPS
from rlvr_gym.selfplay.loops.spark import SparkLoop
from rlvr_gym.selfplay.protocols import MORE
from rlvr_gym.store import RunStore
from rlvr_gym.types import Episode, Group, Proposal, Segment, Setup, Status, Task, Trajectory, Verdict

PERMUTATIONS = {"name": "permutations", "entities": 12, "relations": 3}
ENV: dict[str, Any] = {"name": "kg-v0", "graph": PERMUTATIONS, "wording": "codes", "max_hops": 3}
LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789|:"
POLICY = {"name": "tiny", "alphabet": LETTERS, "markers": [], "layers": 1, "width": 32, "heads": 2, "context": 96, "device": "cpu"}  # fmt: skip
RECIPE: dict[str, Any] = {
    "loop": {"name": "spark", "parents": 3, "siblings": 4, "attempts": 4, "choices": 2},
    "environment": ENV,
    "policies": {"main": POLICY},
    "steps": 2,
    "threads": 1,
    "sampling": {"max_new_tokens": 6},
    "warm_start": {"examples": 300, "steps": 60, "batch_size": 32, "lr": 1e-2, "mistakes": {"solver": 0.2, "proposer": 0.1}},
    "evaluation": {"tasks": 6, "proposals": 6},
}  # fmt: skip


def domain(**changes: Any) -> KGDomain:
    made = make_domain({**ENV, **changes})
    assert isinstance(made, KGDomain)
    return made


def loop(env: dict[str, Any] | None = None, **changes: Any) -> SparkLoop:
    table = {"name": "spark", "parents": 1, "siblings": 4, "attempts": 4, "choices": 3}
    entry, config = LOOPS.resolve({**table, **changes}, where="loop")
    made = entry.value(config, domain(**(env or {})))
    assert isinstance(made, SparkLoop)
    return made


def planned(of: SparkLoop, step: int = 1) -> Any:
    return of.plan(step, np.random.default_rng(step), lambda slot: f"w{step}/{slot}")


def trajectory(id: str, role: str, task: str, text: str) -> Trajectory:
    ids = np.array([1, 2], np.int32)
    sampled = Segment("sampled", ids, np.zeros(2, np.float32), np.ones(2, np.float32), "main:0")
    return Trajectory(id, role, task, (Segment("prompt", ids), sampled), "stop", text=text)


def verdict(passed: bool, path: float | None = None) -> Verdict:
    parts = ()
    if path is not None:
        parts = (Verdict(Status.FAILED, path, "share of the path", verifier="kg_path@1"),)
    return Verdict.of(Status.PASSED if passed else Status.FAILED, "because", parts=parts)


Draft = tuple[Task | None, int]
"""What a proposal asks, None for one that the gate refuses, and how many of four attempts solve it."""


def episode(setup: Setup, drafts: list[Draft], closed: dict[int, int] | None = None) -> Episode:
    """Return a played setup; ``closed`` says of some drafts how many of four closed-book attempts pass."""
    trajectories, parents, verdicts, proposals = [], {}, {}, []
    for j, (task, solved) in enumerate(drafts):
        draft = trajectory(f"{setup.work}/d{j}", "proposer", setup.parents[0].id, "text")
        gate = Verdict.of(
            Status.PASSED if task else Status.FAILED, "path 1" if task else "shortcut: there is a shorter way"
        )
        trajectories.append(draft)
        parents[draft.id] = None
        verdicts[draft.id] = gate
        proposals.append(Proposal(draft.id, task, gate))
        if task is None:
            continue
        tries = [(f"a{k}", task.id, k < solved) for k in range(4)]
        if closed is not None:
            tries += [(f"c{k}", MORE + task.id, k < closed[j]) for k in range(4)]
        for name, asked, passed in tries:
            attempt = trajectory(f"{draft.id}/{name}", "solver", asked, name)
            trajectories.append(attempt)
            parents[attempt.id] = draft.id
            verdicts[attempt.id] = verdict(passed, path=0.5)
    return Episode(setup.work, setup, tuple(trajectories), parents, tuple(proposals), verdicts)


def questions(of: SparkLoop, hops: int, number: int) -> list[Task]:
    """Return different questions of so many hops."""
    rng = np.random.default_rng(7)
    found = dict.fromkeys(of.domain.walks(rng, hops, 60))
    return [of.domain.parent(rng, path) for path in list(found)[:number]]


def credited(of: SparkLoop, drafts: list[Draft], closed: dict[int, int] | None = None) -> Any:
    plan = planned(of)
    return of.credit(plan, [episode(plan.setups[0], drafts, closed)])


def proposer_rewards(of: SparkLoop, drafts: list[Draft], closed: dict[int, int] | None = None) -> list[Any]:
    (group,) = [g for g in credited(of, drafts, closed).groups if g.key.role == "proposer"]
    return list(group.rewards)


def test_a_refused_question_earns_nothing_and_a_question_of_one_hop_its_difficulty() -> None:
    of = loop()
    one = questions(of, 1, 3)
    # V = 0; 4 p (1 - p) at p = 0, 1/2 and 1.
    assert proposer_rewards(of, [(None, 0), (one[0], 0), (one[1], 2), (one[2], 4)]) == [0.0, 0.0, 1.0, 0.0]


@given(st.integers(1, 16).flatmap(lambda k: st.tuples(st.just(k), st.integers(0, k))))
def test_the_reward_is_symmetric_around_one_half_and_0_at_the_ends(counts: tuple[int, int]) -> None:
    tried, solved = counts
    rule = DIFFICULTIES["learnability"].value
    assert rule(solved, tried) == pytest.approx(rule(tried - solved, tried), abs=1e-12)
    assert rule(0, tried) == rule(tried, tried) == 0.0


def test_the_hop_bonus_rises_from_1_to_1_and_a_quarter() -> None:
    of = loop()
    drafts: list[Draft] = [(questions(of, hops, 1)[0], 2) for hops in (1, 2, 3)]
    # 1 + 0.25 (h - 1) / (3 - 1), with 4 p (1 - p) = 1.
    assert proposer_rewards(of, drafts) == [1.0, 1.125, 1.25]
    assert proposer_rewards(loop(hop_bonus=0.0), drafts) == [1.0, 1.0, 1.0]
    with_one = loop(env={"max_hops": 1})
    assert proposer_rewards(with_one, [(questions(with_one, 1, 1)[0], 2)] * 2) == [1.0, 1.0]


def test_the_closed_book_factor_needs_more_than_half(tmp_path: Path) -> None:
    of = loop(env={"mode": "open", "wording": "text"}, closed_attempts=4, novelty=False)
    one = questions(of, 1, 3)
    drafts: list[Draft] = [(task, 2) for task in one]
    credit = credited(of, drafts, {0: 4, 1: 3, 2: 2})
    (group,) = [g for g in credit.groups if g.key.role == "proposer"]
    assert group.rewards == pytest.approx((0.2, 0.2, 1.0))
    # They are in no group, and accounted for.
    assert all("/c" not in t.id for g in credit.groups for t in g.members)
    assert sum(why == "closed_book" for why in credit.dropped.values()) == 12
    # The solve rate is that of the attempts with documents.
    assert {estimate.solved for estimate in credit.estimates.values()} == {2}
    figures = of.health(planned(of), credit)
    assert figures["solver/closed_book_rate"] == 0.75
    assert figures["proposer/closed_book_share"] == pytest.approx(2 / 3)


def test_closed_book_attempts_are_refused_where_no_book_is_open() -> None:
    with pytest.raises(ConfigError, match=r"loop\.closed_attempts: only questions with documents") as caught:
        loop(closed_attempts=2)
    assert "\n" not in str(caught.value)


def test_groups_never_mix_roles_or_questions() -> None:
    of = loop()
    one = questions(of, 1, 4)
    credit = credited(of, [(task, solved) for solved, task in enumerate(one)])
    assert [(g.key.role, len(g.members)) for g in credit.groups] == [("solver", 4)] * 4 + [("proposer", 4)]
    for group in credit.groups:
        assert {t.role for t in group.members} == {group.key.role}


@settings(deadline=None, max_examples=20)
@given(st.lists(st.integers(0, 4), min_size=4, max_size=4), st.floats(0.5, 10.0))
def test_what_a_proposer_earns_never_changes_a_solvers_advantage(solved: list[int], scale: float) -> None:
    of = OF
    drafts: list[Draft] = list(zip(questions(of, 1, 4), solved, strict=True))
    groups = credited(of, drafts).groups
    rule = make_advantage("grpo")

    def solver(found: list[Group]) -> list[float]:
        values = rule.credit(found)
        return [float(a) for g, v in zip(found, values, strict=True) if g.key.role == "solver" for a in v]

    alone = solver([g for g in groups if g.key.role == "solver"])
    scaled = [
        Group(g.key, g.members, tuple(r and r * scale for r in g.rewards)) if g.key.role == "proposer" else g
        for g in groups
    ]
    assert solver(scaled) == alone


OF = loop()


def test_channels_carry_the_parts_of_the_verdicts_and_are_off_by_default() -> None:
    drafts: list[Draft] = [(questions(OF, 1, 1)[0], 2), (None, 0)]
    assert all(group.channels == () for group in credited(loop(), drafts).groups)
    of = loop(channels={"path": 0.2, "consistency": 0.1})
    (group,) = [g for g in credited(of, drafts).groups if g.key.role == "solver"]
    path, consistency = group.channels
    assert (path.name, path.weight, path.rewards) == ("path", 0.2, (0.5,) * 4)
    # No verdict has the part: it is worth nothing to anyone.
    assert (consistency.weight, consistency.rewards) == (0.1, (0.0,) * 4)
    assert group.rewards == (1.0, 1.0, 0.0, 0.0)
    assert not any(g.channels for g in credited(of, drafts).groups if g.key.role == "proposer")


def test_novelty_falls_to_one_half_as_a_signature_is_asked_again_and_again() -> None:
    edges = EdgeStats()
    assert edges.novelty(("r",)) == 1.0
    for _ in range(9):
        edges.ask(("r",))
    for other in "stu":
        edges.show((other,))
    # n = 9 and m = 9 / 4: (1 + 3.25 / 10) / 2.
    assert edges.novelty(("r",)) == pytest.approx(0.6625)
    assert edges.novelty(("s",)) == 1.0
    # Signatures of another length are another matter.
    assert edges.novelty(("r", "r")) == 1.0


@given(st.lists(st.lists(st.sampled_from("abc"), min_size=1, max_size=2), max_size=40))
def test_novelty_stays_between_one_half_and_1(asked: list[list[str]]) -> None:
    edges = EdgeStats()
    for signature in asked:
        edges.ask(tuple(signature))
    for signature in asked:
        assert 0.5 < edges.novelty(tuple(signature)) <= 1.0
    counts = {json.dumps(s): n for known in edges.signatures.values() for s, n in known.items()}
    assert sum(counts.values()) == len(asked)


def test_hops_are_drawn_by_how_near_their_solve_rate_is_to_one_half() -> None:
    # 1 - |p - 1/2| is 1/2, 1 and 3/4, of 9/4 in all; what was never tried counts as 1/2.
    assert hop_weights([1.0, 0.5, 0.25], 0.0) == pytest.approx([2 / 9, 4 / 9, 3 / 9])
    assert hop_weights([None, 0.0], 0.0) == pytest.approx([2 / 3, 1 / 3])
    # A tenth each, and the other seven tenths by weight.
    assert hop_weights([1.0, 0.5, 0.25], 0.1) == pytest.approx([0.1 + 0.7 * w / 9 for w in (2, 4, 3)])
    assert hop_weights([0.9, 0.1], 1.0) == [0.5, 0.5]


@given(st.lists(st.none() | st.floats(0, 1), min_size=1, max_size=8), st.floats(0, 1))
def test_no_number_of_hops_starves(rates: list[float | None], least: float) -> None:
    weights = hop_weights(rates, least)
    assert math.fsum(weights) == pytest.approx(1.0)
    assert min(weights) >= min(least, 1 / len(rates)) - 1e-12


def test_tries_fade_and_count_once_for_a_repeated_relation() -> None:
    edges = EdgeStats(discount=0.5)
    edges.attempt(("r", "r", "s"), 8, 4)
    edges.fade()
    edges.attempt(("s",), 2, 2)
    assert edges.hops == {3: [4.0, 2.0], 1: [2.0, 2.0]}
    assert edges.relations == {"r": [4.0, 2.0], "s": [6.0, 4.0]}
    assert edges.rate(3) == 0.5
    assert edges.rate(2) is None
    # Mean tries are 5: 1 / (1 + 4/5), 1 / (1 + 6/5), and 1 for what was never tried.
    assert edges.rarity(("r",)) == pytest.approx(1 / 1.8)
    assert edges.rarity(("r", "s")) == pytest.approx((1 / 1.8 + 1 / 2.2) / 2)
    assert edges.rarity(("new",)) == 1.0


def fold(of: SparkLoop, step: int, drafts: list[Draft]) -> None:
    plan = planned(of, step)
    of.fold(step, plan, of.credit(plan, [episode(plan.setups[0], drafts)]))


def test_the_limit_rises_by_one_when_the_hops_at_it_are_mastered() -> None:
    of = loop(curriculum={"name": "hops", "start": 1, "least_tries": 12})
    curriculum = of.curriculum
    one = questions(of, 1, 4)
    assert {hops_of(p) for p in curriculum.parents(np.random.default_rng(0), 20, 1)} == {1}
    # Two of four are solved: p = 1/2 is not above 0.6.
    fold(of, 1, [(task, 2) for task in one])
    assert curriculum.limit == 1
    # Eight tries of p = 1 in the second step: (0.9 * 8 + 8) / (0.9 * 16 + 8) = 0.68 of 22 tries.
    fold(of, 2, [(task, 4) for task in one[:2]])
    assert curriculum.limit == 2
    # Nothing of two hops was tried, so that it stays.
    fold(of, 3, [(task, 4) for task in one])
    assert curriculum.limit == 2
    assert {hops_of(p) for p in curriculum.parents(np.random.default_rng(0), 40, 1)} == {1, 2}


def test_few_tries_and_the_environments_limit_hold_it_back() -> None:
    of = loop(curriculum={"name": "hops", "start": 1, "least_tries": 17})
    fold(of, 1, [(task, 4) for task in questions(of, 1, 4)])
    assert of.curriculum.limit == 1
    at_most = loop(curriculum={"name": "hops", "start": 9})
    assert at_most.curriculum.limit == 3


def test_accepted_questions_come_again_as_a_fifth_of_the_solvers_groups() -> None:
    of = loop(parents=1, siblings=8, curriculum={"name": "hops", "start": 1})
    tasks = questions(of, 1, 8)
    assert len(planned(of).setups) == 1
    fold(of, 1, [(task, 2) for task in tasks])
    plan = planned(of, 2)
    again = [setup.task for setup in plan.setups if setup.task is not None]
    # Eight were attempted: 8 / (8 + 2) of the groups are new ones.
    assert len(again) == 2
    assert {task.id for task in again} <= {task.id for task in tasks}
    assert len({setup.work for setup in plan.setups}) == 3
    # What is always or never solved does not come again.
    other = loop(siblings=8)
    fold(other, 1, [(task, 4 * (i % 2)) for i, task in enumerate(tasks)])
    assert len(planned(other, 2).setups) == 1


def test_alternating_phases_freeze_the_solver_and_then_practise_on_accepted_questions() -> None:
    of = loop(schedule="alternate", phase_steps=2, solver_groups=3, siblings=5)
    plans = []
    for step in range(1, 6):
        plan = planned(of, step)
        plans.append(plan)
        drafts: list[Draft] = [(task, 2) for task in questions(of, 1, 5)]
        played = [episode(plan.setups[0], drafts)] if plan.phase == "proposer" else []
        of.fold(step, plan, of.credit(plan, played))
    assert [plan.phase for plan in plans] == ["proposer", "proposer", "solver", "solver", "proposer"]
    assert [plan.freeze for plan in plans] == [True, True, False, False, True]
    assert [set(plan.train) for plan in plans[1:3]] == [{"proposer"}, {"solver"}]
    assert len(plans[2].setups) == 3


def test_a_state_written_and_read_plans_the_same() -> None:
    of = loop(siblings=5)
    for step in (1, 2, 3):
        fold(of, step, [(task, 1 + step % 3) for task in questions(of, 1 + step % 2, 4)] + [(None, 0)])
    other = loop(siblings=5)
    other.load(json.loads(json.dumps(of.state())))
    assert planned(other, 4) == planned(of, 4)
    assert other.state() == of.state()


def test_figures_tell_what_was_asked_and_why_the_rest_was_refused() -> None:
    of = loop()
    one, two = questions(of, 1, 1)[0], questions(of, 2, 1)[0]
    figures = of.health(planned(of), credited(of, [(one, 1), (two, 4), (None, 0), (None, 0)]))
    assert (figures["hops/1/solve_rate"], figures["hops/2/solve_rate"]) == (0.25, 1.0)
    assert (figures["hops/1/groups"], figures["proposer/hops"]) == (1.0, 1.5)
    assert figures["gate/shortcut"] == figures["proposer/shortcut_share"] == 0.5
    assert figures["proposer/leak_share"] == 0.0
    steps = [*one.hidden["path"][1::2], *two.hidden["path"][1::2]]
    shares = [steps.count(step) / 3 for step in set(steps)]
    assert figures["proposer/relation_entropy"] == pytest.approx(-sum(p * math.log(p) for p in shares))
    assert not any("wrong" in name or "closed" in name or "document" in name for name in figures)


def test_the_flat_control_reports_how_many_labels_are_wrong() -> None:
    of = loop(corpus="flat")
    rng = np.random.default_rng(0)
    tasks = [of.domain.parent(rng, path) for path in dict.fromkeys(of.domain.walks(rng, 3, 30))]
    right = next(task for task in tasks if not task.hidden["wrong"])
    wrong = next(task for task in tasks if task.hidden["wrong"])
    figures = of.health(planned(of), credited(of, [(right, 1), (wrong, 1)]))
    assert figures["flat/wrong_share"] == figures["hops/3/wrong_share"] == 0.5


def test_templates_replace_the_proposer() -> None:
    of = loop(proposer="template", parents=2, siblings=3)
    plan = planned(of)
    assert [setup.protocol for setup in plan.setups] == ["single_turn"] * 6
    assert plan.train == {"solver"}
    first = plan.setups[0]
    assert first.task is not None
    tries = [trajectory(f"t{k}", "solver", first.task.id, "x") for k in range(4)]
    verdicts = {t.id: verdict(True) for t in tries}
    credit = of.credit(
        plan, [Episode(first.work, first, tuple(tries), dict.fromkeys(verdicts), (), verdicts)]
    )
    of.fold(1, plan, credit)
    # The curriculum follows the solver on templates too.
    assert of.curriculum.edges.rate(hops_of(first.task)) == 1.0


def test_imitation_plays_nothing_and_teaches_right_answers() -> None:
    of = loop(method="imitation", imitation={"examples": 12})
    plan = planned(of)
    assert plan.setups == ()
    assert plan.train == frozenset()
    assert plan.lesson is not None
    assert len(plan.lesson.demonstrations) == 12
    for shown in plan.lesson.demonstrations:
        code = shown.prompt[-1].content
        # In a world of permutations the right chain is the walk from the first letter over the capitals.
        graph = of.domain.graph
        walk, at = "", ord(code[0]) - ord("a")
        for step in code[1:]:
            (at,) = graph.successors(at, ord(step) - ord("A")).tolist()
            walk += chr(ord("a") + at)
        assert shown.completion == walk


def test_a_weaker_gate_is_for_proposals_alone() -> None:
    of = loop(gate={"necessity": False})
    assert of.domain.kg_env.config.gate.necessity
    with pytest.raises(ConfigError, match=r"loop.gate.necesity is not a setting. Did you mean 'necessity'\?"):
        loop(gate={"necesity": False})


@pytest.mark.parametrize(
    ("env", "changes", "message"),
    [
        ({}, {"curriculum": "pool"}, "'pool' draws no paths"),
        ({"mode": "open", "wording": "text"}, {"corpus": "flat"}, "control of mode 'closed', not of 'open'"),
        ({"mode": "open", "wording": "text"}, {"symmetric": True}, "control of mode 'closed', not of 'open'"),
        ({"mode": "retrieval", "wording": "text"}, {"method": "imitation"}, "cannot be imitated"),
    ],
)
def test_settings_that_mean_nothing_here_are_refused_in_one_line(
    env: dict[str, Any], changes: dict[str, Any], message: str
) -> None:
    with pytest.raises(ConfigError, match=message) as caught:
        loop(env=env, **changes)
    assert "\n" not in str(caught.value)


def test_loop_and_curriculum_need_a_graph() -> None:
    for table in ({"name": "spark"}, {"name": "vhg", "curriculum": "hops"}):
        entry, config = LOOPS.resolve(table, where="loop")
        with pytest.raises(ConfigError, match="needs an environment of questions about a graph"):
            entry.value(config, make_domain("constraints-v0"))


def test_any_loop_with_a_pool_of_parents_can_ask_a_graph_too() -> None:
    entry, config = LOOPS.resolve({"name": "vhg", "parents": 2, "practice": 2}, where="loop")
    plan = entry.value(config, domain()).plan(1, np.random.default_rng(0), str)
    assert len(plan.setups) == 4


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"channels": {"path": 0.2, "consistency": 0.1}, "sound_paths": False},
        {"schedule": "alternate", "phase_steps": 1},
        {"corpus": "flat"},
        {"corpus": "flat", "proposer": "template"},
        {"symmetric": True},
        {"method": "imitation"},
    ],
    ids=str,
)
def test_a_run_of_every_kind_is_accounted_for(tmp_path: Path, changes: dict[str, Any]) -> None:
    recipe = {**RECIPE, "loop": {**RECIPE["loop"], **changes}}
    report = train(recipe, folder=tmp_path / "run")
    assert report.steps == 2
    with RunStore.open(tmp_path / "run", readonly=True) as store:
        assert store.problems() == []
        assert store.verify_accounts() == []


def test_the_hops_curriculum_is_the_loops_own() -> None:
    assert isinstance(loop().curriculum, HopsCurriculum)
