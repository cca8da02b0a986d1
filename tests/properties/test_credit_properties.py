"""Invariants of credit: who is compared with whom, whatever was played. Numbers are those of the design."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rlvr_gym.selfplay.credit import Credit, credit_propose_solve, min_decided
from rlvr_gym.selfplay.difficulty import DIFFICULTIES
from rlvr_gym.types import (
    DECIDED,
    Episode,
    Estimate,
    Proposal,
    Segment,
    Setup,
    Status,
    Task,
    Trajectory,
    Verdict,
)

GATES = (Status.PASSED, Status.FAILED, Status.MALFORMED, Status.UNDECIDED, Status.INFRASTRUCTURE)
JUDGED = (Status.PASSED, Status.FAILED, Status.MALFORMED, Status.TIMEOUT, Status.INFRASTRUCTURE)

attempts = st.lists(st.sampled_from(JUDGED), min_size=4, max_size=4)
siblings = st.lists(
    st.tuples(st.sampled_from(GATES), st.sampled_from("abcd"), attempts), min_size=1, max_size=5
)
episodes = st.lists(siblings, min_size=1, max_size=3)


def trajectory(id: str, role: str, task: str) -> Trajectory:
    ids = np.array([1, 2], np.int32)
    sampled = Segment("sampled", ids, np.zeros(2, np.float32), np.ones(2, np.float32), "main:0")
    return Trajectory(id, role, task, (Segment("prompt", ids), sampled), "stop", text=id)


def build(plan: list[list[tuple[Status, str, list[Status]]]]) -> list[Episode]:
    """Return episodes with these gate statuses, forms and attempt statuses."""
    played = []
    for e, drafts in enumerate(plan):
        trajectories, parents, verdicts, proposals = [], {}, {}, []
        for j, (gate, form, judged) in enumerate(drafts):
            draft = trajectory(f"e{e}d{j}", "proposer", "seed")
            task = None if gate is Status.MALFORMED else Task(f"{e}/{j}", form, reference=form)
            verdict = Verdict.of(gate, "because")
            trajectories.append(draft)
            parents[draft.id] = None
            verdicts[draft.id] = verdict
            proposals.append(Proposal(draft.id, task, verdict))
            for k, status in enumerate(judged if gate is Status.PASSED else []):
                attempt = trajectory(f"e{e}d{j}a{k}", "solver", f"{e}/{j}")
                trajectories.append(attempt)
                parents[attempt.id] = draft.id
                verdicts[attempt.id] = Verdict.of(status, "because")
        setup = Setup(
            f"e{e}", "propose_solve", parents=(Task("seed", "x"),), siblings=len(drafts), attempts=4
        )
        played.append(Episode(f"e{e}", setup, tuple(trajectories), parents, tuple(proposals), verdicts))
    return played


def credit(
    plan: list[list[tuple[Status, str, list[Status]]]], rule: str = "solvable_hard", rejected: str = "zero"
) -> Credit:
    return credit_propose_solve(
        build(plan),
        difficulty=DIFFICULTIES[rule].value,
        rejected=rejected,  # type: ignore[arg-type]
        gated=True,
        form=lambda task: str(task.reference),
        copies=lambda form: 0,
        novelty=True,
    )


def rewards(out: Credit) -> dict[str, float | None]:
    return {t.id: r for g in out.groups for t, r in zip(g.members, g.rewards, strict=True)}


@given(episodes)
def test_every_trajectory_has_exactly_one_fate(plan: list) -> None:
    out = credit(plan)
    everyone = {t.id for e in build(plan) for t in e.trajectories}
    decided = [t.id for g in out.groups for t, r in zip(g.members, g.rewards, strict=True) if r is not None]
    fates = [*decided, *out.masked, *out.dropped]
    assert len(fates) == len(set(fates))
    assert set(fates) == everyone


@given(episodes)
def test_invariant_2_roles_never_share_a_group(plan: list) -> None:
    for group in credit(plan).groups:
        assert {t.role for t in group.members} == {group.key.role}


@given(episodes, st.sampled_from(list(DIFFICULTIES)))
def test_invariant_4_a_rejected_proposal_never_earns_more_than_an_admitted_one(plan: list, rule: str) -> None:
    out = credit(plan, rule)
    earned = rewards(out)
    refused = [
        earned[j.proposal.trajectory]
        for j in out.proposals
        if j.proposal.trajectory in earned and not j.proposal.valid
    ]
    assert all(r in (None, 0.0) for r in refused)
    for judged in out.proposals:
        if judged.proposal.shelf == "admitted" and judged.reward is not None:
            assert judged.reward >= 0.0


@given(episodes)
def test_excluded_proposals_leave_the_others_as_they_were(plan: list) -> None:
    with_zero, without = rewards(credit(plan)), rewards(credit(plan, rejected="exclude"))
    valid = {j.proposal.trajectory for j in credit(plan).proposals if j.proposal.valid}
    for id in valid & without.keys():
        assert without[id] == with_zero.get(id, without[id])


@given(episodes, st.data())
def test_invariant_6_undecided_attempts_change_only_masked_counts(plan: list, data: st.DataObject) -> None:
    before = credit(plan)
    status = data.draw(
        st.sampled_from([Status.UNDECIDED, Status.INFRASTRUCTURE, Status.TIMEOUT, Status.UNSUPPORTED])
    )
    more = [
        [
            (gate, form, [*judged, status]) if gate is Status.PASSED else (gate, form, judged)
            for gate, form, judged in e
        ]
        for e in plan
    ]
    after = credit(more)
    for task, estimate in before.estimates.items():
        assert after.estimates[task] == replace(estimate, masked=estimate.masked + 1)
    # A task whose attempts were barely enough has too few decided ones when one more is lost: it leaves.
    stays = {t: r for t, r in rewards(after).items() if r is not None}
    assert stays == {t: rewards(before)[t] for t in stays}


def test_a_group_needs_half_of_its_attempts_decided() -> None:
    assert [min_decided(k) for k in (0, 1, 2, 3, 4, 5, 8)] == [0, 1, 2, 2, 2, 3, 4]
    passed, lost = Status.PASSED, Status.INFRASTRUCTURE
    out = credit(
        [[(passed, "a", [passed, lost, lost, lost]), (passed, "b", [passed, Status.FAILED, lost, lost])]]
    )
    assert out.masked == {
        "e0d0": "few_decided", "e0d0a1": "infrastructure", "e0d0a2": "infrastructure", "e0d0a3": "infrastructure",
        "e0d1a2": "infrastructure", "e0d1a3": "infrastructure",
    }  # fmt: skip
    assert out.dropped == {"e0d0a0": "few_decided", "e0d1": "few_decided"}
    assert out.estimates["0/1"] == Estimate("0/1", tried=2, solved=1, masked=2)


def test_copies_share_the_reward_and_only_the_first_is_admitted() -> None:
    passed, failed = Status.PASSED, Status.FAILED
    half = [passed, failed, passed, failed]
    out = credit([[(passed, "a", half), (passed, "a", half), (passed, "b", half)]])
    assert [j.reward for j in out.proposals] == [0.25, 0.25, 0.5]
    assert [j.proposal.novelty for j in out.proposals] == [0.5, 0.5, 1.0]


def test_all_decided_statuses_have_a_reward_and_no_other_has() -> None:
    for status in Status:
        out = credit([[(Status.PASSED, "a", [status] * 4), (Status.FAILED, "b", [])]])
        solver = [g for g in out.groups if g.key.role == "solver"]
        assert bool(solver) == (status in DECIDED)
        assert out.estimates["0/0"].tried == (4 if status in DECIDED else 0)


def test_the_held_out_split_is_dropped_and_not_punished() -> None:
    played = build([[(Status.FAILED, "a", []), (Status.FAILED, "b", [])]])
    gate = Verdict.of(Status.FAILED, "held_out: belongs to the held-out split")
    first = replace(played[0].proposals[0], gate=gate)
    episode = replace(played[0], proposals=(first, played[0].proposals[1]))
    out = credit_propose_solve(
        [episode], difficulty=DIFFICULTIES["band"].value, rejected="zero", gated=True,
        form=lambda task: str(task.reference), copies=lambda form: 0, novelty=True,
    )  # fmt: skip
    assert out.dropped["e0d0"] == "held_out"
    assert [g.rewards for g in out.groups] == [(0.0,)]


@pytest.mark.parametrize("rule", ["solvable_hard", "one_minus_solved"])
def test_a_constant_invalid_setter_has_no_reward_to_follow(rule: str) -> None:
    out = credit([[(Status.FAILED, "a", [])] * 4], rule)
    assert rewards(out) == dict.fromkeys(["e0d0", "e0d1", "e0d2", "e0d3"], 0.0)
