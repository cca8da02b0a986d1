"""What rewards do to the gradient: density, calibration, alignment and conflict, by hand and on a very small model."""

from __future__ import annotations

import functools
import itertools
from dataclasses import replace

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from rlvr_gym.learner import Learner, LearnerConfig, Sample
from rlvr_gym.learner.advantages import make_advantage
from rlvr_gym.learner.batch import Batch, Counts
from rlvr_gym.learner.diagnostics import full_reachable, reward_density
from rlvr_gym.learner.gradients import conflict, cosine, full_gradient, gradient, mean_pairwise_cosine
from rlvr_gym.learner.scoring import score
from rlvr_gym.lm.char_codec import CharCodec
from rlvr_gym.lm.model import TorchLM
from rlvr_gym.lm.tiny import tiny
from rlvr_gym.metrics import signal_density
from rlvr_gym.types import Group, GroupKey, Message, SampleRequest, Segment, Trajectory

CODEC = CharCodec(alphabet="012345", markers=())
PROMPT = CODEC.render((Message("user", "1"),))


def bare(*rewards: float | None) -> Group:
    """Return a group of which only the rewards matter."""
    member = Trajectory("m", "solver", "t", (Segment("prompt", np.zeros(1, np.int32)),), "stop")
    return Group(GroupKey("solver", "task", "k"), (member,) * len(rewards), rewards)


# Four outcomes: the share of tests can point away from the solution


FULL, DECOY, HALF, FAIL = range(4)
RATE = np.array([1.0, 0.8, 0.5, 0.0])
BINARY = np.array([1.0, 0.0, 0.0, 0.0])
FEATURES = np.array(
    [
        # shared, full, half, decoy, fail: what passes half of the tests is on the way, the decoy is not.
        [1, 1, 0, 0, 0],
        [0, 0, 0, 1, 0],
        [1, 0, 1, 0, 0],
        [0, 0, 0, 0, 1],
    ],
    float,
)
START = np.array([0.05, 0.6, 0.3, 0.05])


def expected_gradient(law: np.ndarray, rewards: np.ndarray) -> np.ndarray:
    """Gradient of the mean reward of a softmax over ``FEATURES @ theta``: sum of p (r - mean) features."""
    return (law * (rewards - law @ rewards)) @ FEATURES


def trained(rewards: np.ndarray, steps: int) -> np.ndarray:
    """Return the law after gradient ascent on the mean reward, at rate 1."""
    theta, law = np.zeros(FEATURES.shape[1]), START
    for _ in range(steps):
        theta = theta + expected_gradient(law, rewards)
        scores = np.log(START) + FEATURES @ theta
        law = np.exp(scores - scores.max())
        law = law / law.sum()
    return law


def density(rewards: np.ndarray, size: int) -> float:
    """Return the expected density over all groups of ``size``."""
    groups = itertools.product(range(4), repeat=size)
    return sum(float(START[list(g)].prod()) * (signal_density([rewards[list(g)]]) or 0.0) for g in groups)


def cos(a: np.ndarray, b: np.ndarray) -> float:
    return float(cosine((torch.tensor(a),), (torch.tensor(b),)) or 0.0)


def test_the_denser_reward_can_point_away_from_the_full_solution() -> None:
    # Mean rates .68: the coefficients p (r - .68) are .016, .072, -.054, -.034.
    by_hand = [0.016 - 0.054, 0.016, -0.054, 0.072, -0.034]
    np.testing.assert_allclose(expected_gradient(START, RATE), by_hand, atol=1e-12)
    # grad log P(full) = features of full - mean features.
    full = [1 - 0.35, 1 - 0.05, -0.3, -0.6, -0.05]
    np.testing.assert_allclose(expected_gradient(START, BINARY) / START[FULL], full, atol=1e-12)
    assert density(BINARY, 4) == pytest.approx(1 - 0.95**4 - 0.05**4)
    assert density(RATE, 4) == pytest.approx(1 - 0.6**4 - 0.3**4 - 2 * 0.05**4)
    assert density(RATE, 4) > 4 * density(BINARY, 4)
    assert cos(expected_gradient(START, BINARY), np.array(full)) == pytest.approx(1.0)
    assert cos(expected_gradient(START, RATE), np.array(full)) == pytest.approx(-0.2494, abs=1e-4)


def test_binary_rewards_find_the_solution_while_the_rate_settles_on_the_decoy() -> None:
    assert trained(BINARY, 200)[FULL] > 0.97
    settled = trained(RATE, 200)
    assert settled[FULL] < 0.02
    assert settled[DECOY] > 0.97
    # The decoy holds it up and does not stop it: with exact gradients the best outcome wins in the end.
    assert trained(RATE, 4000)[FULL] > 0.97


def test_group_advantages_keep_both_directions() -> None:
    rule = make_advantage("centred")
    found = {}
    for name, rewards in {"binary": BINARY, "rate": RATE}.items():
        total = np.zeros(FEATURES.shape[1])
        for group in itertools.product(range(4), repeat=3):
            chosen = list(group)
            advantages = rule.credit([bare(*rewards[chosen].tolist())])[0]
            total += START[chosen].prod() * advantages @ (FEATURES[chosen] - START @ FEATURES) / 3
        np.testing.assert_allclose(total, 2 / 3 * expected_gradient(START, rewards), atol=1e-12)
        found[name] = cos(total, expected_gradient(START, BINARY))
    assert found["binary"] > 0.99 > 0 > found["rate"]


# Figures of rewards


def test_density_and_shares_are_those_counted_by_hand() -> None:
    groups = [bare(1.0, 0.5, None), bare(0.25, 0.25), bare(None, None), bare(0.0, 1.0, 1.0)]
    assert reward_density(groups) == {"signal_density": 2 / 3, "full_share": 3 / 7, "partial_share": 3 / 7}
    assert reward_density([bare(None)]) == {}


def test_a_full_pass_is_reachable_where_another_attempt_is_one() -> None:
    groups = [bare(1.0, 0.5, 0.0), bare(0.5, 0.99, 0.0), bare(0.25, 0.26, None), bare(1.0, 1.0)]
    assert full_reachable(groups) == {
        "full_reachable_0": 1 / 2,
        "full_reachable_25": 0.0,
        "full_reachable_50": 1 / 3,
        "full_reachable_99": 0.0,
    }


rewards = st.sampled_from([0.0, 0.1, 0.25, 0.5, 0.75, 0.9, 1.0])


@given(st.lists(st.lists(rewards | st.none(), min_size=1, max_size=6), max_size=5))
def test_shares_are_shares_and_a_full_pass_makes_its_whole_group_reach(
    rows: list[list[float | None]],
) -> None:
    groups = [bare(*row) for row in rows]
    figures = {**reward_density(groups), **full_reachable(groups)}
    assert all(0.0 <= value <= 1.0 for value in figures.values())
    if rows and all(1.0 in row for row in rows):
        assert set(full_reachable(groups).values()) <= {1.0}


# Gradients


numbers = st.floats(-1, 1, width=32).filter(lambda x: abs(x) > 1e-3)


@settings(max_examples=30)
@given(st.lists(st.lists(numbers, min_size=4, max_size=4), min_size=2, max_size=6))
def test_one_sum_gives_the_mean_over_all_pairs(rows: list[list[float]]) -> None:
    gradients = [(torch.tensor(row[:3]).reshape(3, 1), torch.tensor(row[3:])) for row in rows]
    pairs = [cosine(a, b) for a, b in itertools.combinations(gradients, 2)]
    assert mean_pairwise_cosine(gradients) == pytest.approx(np.mean(pairs), abs=1e-5)


def test_a_gradient_of_0_has_no_direction() -> None:
    one, none = (torch.ones(2),), (torch.zeros(2),)
    assert cosine(one, none) is None
    assert mean_pairwise_cosine([one, none]) is None
    assert mean_pairwise_cosine([one, none, (-torch.ones(2),)]) == pytest.approx(-1.0)
    assert mean_pairwise_cosine([]) is None


def model() -> TorchLM:
    return tiny(CODEC, layers=1, width=16, heads=2, context=32, device="cpu")


@functools.cache
def rollouts(rewards: tuple[float, ...], step: int = 0, count: int = 2) -> list[Group]:
    """Return groups that a new model wrote."""
    lm, groups = model(), []
    for g in range(count):
        requests = [
            SampleRequest(f"{step}/{g}/{i}", PROMPT, seed=100 * step + 10 * g + i, max_new_tokens=3)
            for i in range(len(rewards))
        ]
        members = [
            Trajectory.single_turn(r.key, "solver", "t", r, c)
            for r, c in zip(requests, lm.sample(requests), strict=True)
        ]
        groups.append(Group(GroupKey("solver", "task", f"{step}/{g}"), tuple(members), tuple(rewards)))
    return groups


def log_gradient(lm: TorchLM, member: Trajectory) -> torch.Tensor:
    """Return the gradient of a response's log-probability by plain backward."""
    sample = Sample.of(member, group=0, reward=0.0, advantage=1.0)
    batch = score(lm, Batch.of([sample], Counts.of([sample]), {0: 1}))
    lm.module.zero_grad()
    batch.logprobs_BT[batch.mask_BT].sum().backward()
    return torch.cat([p.grad.flatten() for p in lm.module.parameters()])


def test_the_full_gradient_is_the_mean_over_the_groups_that_pass() -> None:
    lm = model()
    parameters = list(lm.module.parameters())
    first, second = rollouts((1.0, 0.5, 1.0, 0.0))
    lone = replace(second, rewards=(0.0, 0.5, None, 1.0))
    none = replace(rollouts((0.0, 0.9), step=1, count=1)[0])
    found = full_gradient(lm, parameters, [first, lone, none], token_budget=64)
    wanted = 0.5 * (log_gradient(lm, first.members[0]) + log_gradient(lm, first.members[2])) / 2
    wanted += 0.5 * log_gradient(lm, lone.members[3])
    torch.testing.assert_close(torch.cat([p.flatten() for p in found]), wanted, rtol=1e-4, atol=1e-6)
    assert full_gradient(lm, parameters, [none], token_budget=64) is None


def test_conflict_is_the_cosine_between_partial_passes_of_a_group() -> None:
    lm = model()
    parameters = list(lm.module.parameters())
    (group,) = rollouts((0.5, 0.25, 1.0, 0.0), count=1)
    a, b = log_gradient(lm, group.members[0]), log_gradient(lm, group.members[1])
    wanted = float(a @ b / (a.norm() * b.norm()))
    assert conflict(lm, parameters, [group]) == pytest.approx(wanted, abs=1e-5)
    assert abs(wanted) < 0.99
    twin = replace(group.members[0], id="twin")
    same = Group(group.key, (group.members[0], twin), (0.5, 0.5))
    assert conflict(lm, parameters, [same]) == pytest.approx(1.0, abs=1e-5)
    assert conflict(lm, parameters, [same, group]) == pytest.approx((1.0 + wanted) / 2, abs=1e-5)
    assert conflict(lm, parameters, [replace(group, rewards=(0.5, None, 1.0, 0.0))]) is None


def test_a_parameter_without_a_part_has_gradient_0_and_grad_stays_as_it_was() -> None:
    used, unused = torch.ones(2, requires_grad=True), torch.ones(3, requires_grad=True)
    used.grad = torch.full((2,), 7.0)
    found = gradient((used**2).sum(), [used, unused])
    assert [g.tolist() for g in found] == [[2.0, 2.0], [0.0, 0.0, 0.0]]
    assert used.grad.tolist() == [7.0, 7.0]
    assert unused.grad is None


# The learner


def learner(**config: object) -> Learner:
    return Learner(LearnerConfig.model_validate(config), model(), seed=0)


@pytest.mark.parametrize(
    "config",
    [
        {"algorithm": "dr_grpo"},
        {"algorithm": {"name": "grpo", "kl_coef": 0.1, "entropy_coef": 0.01}, "minibatches": 2, "epochs": 2},
        {"algorithm": {"name": "reinforce", "advantage": {"name": "reinforce", "baseline": "running_mean"}}},
        {"algorithm": "ppo"},
        {"algorithm": "dr_grpo", "token_budget": 8},
    ],
    ids=["plain", "penalties", "running-mean", "critic", "micro-batches"],
)
def test_diagnosing_changes_no_weight_and_no_memory(config: dict) -> None:
    state = torch.random.get_rng_state()
    plain, diagnosed = learner(**config), learner(**config, diagnose_every=1)
    for step in range(2):
        groups = rollouts((1.0, 0.5, 0.25, 0.0), step)
        before = plain.update(groups, step=step)
        report = diagnosed.update(groups, step=step)
        assert diagnosed.fingerprint() == plain.fingerprint()
        assert report.metrics == before.metrics
        more = set(report.roles["solver"]) - set(before.roles["solver"])
        assert {"signal_density", "alignment", "conflict", "full_reachable_50"} <= more
        assert report.roles["solver"] | before.roles["solver"] == report.roles["solver"]
    assert torch.equal(torch.random.get_rng_state(), state)


def test_diagnostics_are_taken_every_so_many_steps_and_are_the_same_each_time() -> None:
    made = [learner(diagnose_every=2) for _ in range(2)]
    for step in range(1, 5):
        first, second = (
            each.update(rollouts((1.0, 0.5, 0.25, 0.0), step), step=step).roles["solver"] for each in made
        )
        assert first == second
        assert ("alignment" in first) == ("signal_density" in first) == (step % 2 == 0)
    assert "signal_density" not in learner().update(rollouts((1.0, 0.0)), step=0).roles["solver"]


def test_positive_rewards_alone_point_where_the_full_passes_do() -> None:
    (group,) = rollouts((1.0, 1.0, 0.0, 0.0), count=1)
    found = learner(algorithm="reinforce", diagnose_every=1).update([group], step=0).roles["solver"]
    assert found["alignment"] == pytest.approx(1.0, abs=1e-5)
    # Rewards of partial passes pull elsewhere.
    rated = replace(group, rewards=(1.0, 0.0, 0.75, 0.75))
    found = learner(algorithm="reinforce", diagnose_every=1).update([rated], step=0).roles["solver"]
    assert found["alignment"] < 0.95


def test_groups_without_a_signal_have_a_density_and_no_alignment() -> None:
    report = learner(diagnose_every=1).update(rollouts((1.0, 1.0)), step=0)
    assert not report.applied
    assert report.roles["solver"]["signal_density"] == 0.0
    assert "alignment" not in report.roles["solver"]


def test_each_role_is_diagnosed_by_its_own_groups() -> None:
    (solver,) = rollouts((1.0, 0.0), count=1)
    (other,) = rollouts((0.5, 0.5), step=1, count=1)
    members = tuple(replace(m, role="proposer") for m in other.members)
    proposer = replace(other, key=GroupKey("proposer", "task", "p"), members=members)
    roles = learner(diagnose_every=1).update([solver, proposer], step=0).roles
    assert (roles["solver"]["signal_density"], roles["proposer"]["signal_density"]) == (1.0, 0.0)
    assert "conflict" in roles["proposer"]
    assert "conflict" not in roles["solver"]
