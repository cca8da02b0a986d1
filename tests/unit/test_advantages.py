"""Advantage rules against values worked by hand and formulas written out independently."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rlvr_gym.learner.admissions import make_admission
from rlvr_gym.learner.advantages import ADVANTAGES, make_advantage
from rlvr_gym.learner.advantages.gae import gae, whiten
from rlvr_gym.learner.shapings import make_shaping
from rlvr_gym.types import Group, GroupKey, Segment, Trajectory

CENTRED = ("rloo", "grpo", "centred", "maxrl")
FIXED = ("sign", "nsr", "psr", "w_reinforce", "reinforce")
BINARY = st.lists(st.sampled_from([0.0, 1.0]), min_size=1, max_size=12)


def group(*rewards: float | None, role: str = "solver", key: str = "k", length: int = 1) -> Group:
    ids = np.zeros(length, np.int32)
    values = np.zeros(length, np.float32)
    segments = (Segment("prompt", np.zeros(1, np.int32)), Segment("sampled", ids, values, values))
    members = tuple(Trajectory(str(i), role, key, segments, "stop") for i in range(len(rewards)))
    return Group(GroupKey(role, "task", key), members, rewards)


def credit(name: str | dict, *rewards: float) -> list[float]:
    return make_advantage(name).credit([group(*rewards)])[0].tolist()


def test_every_base_rule_is_registered() -> None:
    assert set(ADVANTAGES) >= {*CENTRED, *FIXED, "role_baseline"}


def test_b2_rloo_subtracts_the_mean_of_the_others() -> None:
    assert credit("rloo", 1, 0, 0, 1) == pytest.approx([2 / 3, -2 / 3, -2 / 3, 2 / 3])
    rewards = [0.3, 0.9, 0.1]
    by_hand = [r - (sum(rewards) - r) / 2 for r in rewards]
    assert credit("rloo", *rewards) == pytest.approx(by_hand)


def test_b2_rloo_energy_is_the_binomial_expectation() -> None:
    size, p = 4, 0.3
    energy = 0.0
    for right in range(size + 1):
        chance = math.comb(size, right) * p**right * (1 - p) ** (size - right)
        rewards = [1.0] * right + [0.0] * (size - right)
        energy += chance * sum(a * a for a in credit("rloo", *rewards))
    assert energy == pytest.approx(size**2 / (size - 1) * p * (1 - p))


@pytest.mark.parametrize("right", [1, 3, 7])
def test_b3_grpo_of_a_mixed_binary_group_has_energy_g(right: int) -> None:
    size = 8
    p = right / size
    advantages = credit("grpo", *[1.0] * right, *[0.0] * (size - right))
    assert sum(a * a for a in advantages) == pytest.approx(size, rel=1e-5)
    assert advantages[0] == pytest.approx(math.sqrt((1 - p) / p), rel=1e-5)
    assert advantages[-1] == pytest.approx(-math.sqrt(p / (1 - p)), rel=1e-5)


def test_b3_sample_deviation_is_smaller_by_the_known_factor() -> None:
    population = credit({"name": "grpo", "std": "population"}, 1, 0, 0, 0.5)
    sample = credit({"name": "grpo", "std": "sample"}, 1, 0, 0, 0.5)
    assert np.divide(sample, population) == pytest.approx(np.full(4, math.sqrt(3 / 4)), rel=1e-5)


def test_b3_grpo_with_equal_rewards_is_exactly_zero() -> None:
    # Their mean is not 0.1 in floating point; rounding must not become an advantage.
    assert credit("grpo", 0.1, 0.1, 0.1) == [0.0, 0.0, 0.0]


def test_b4_centred_does_not_depend_on_the_deviation() -> None:
    assert credit("centred", 1, 0, 0, 0) == pytest.approx([0.75, -0.25, -0.25, -0.25])
    assert credit("centred", 10, 0, 0, 0) == pytest.approx([7.5, -2.5, -2.5, -2.5])


def test_b11_maxrl_divides_by_the_mean_and_is_silent_without_success() -> None:
    assert credit("maxrl", 1, 0, 0, 0) == pytest.approx([3, -1, -1, -1], rel=1e-5)
    assert credit("maxrl", 0, 0) == [0.0, 0.0]


def test_b12_positive_and_negative_rules() -> None:
    assert credit("psr", 1, 0, 1) == [1, 0, 1]
    assert credit("nsr", 1, 0, 1) == [0, -1, 0]
    assert credit("w_reinforce", 1, 0, 1) == pytest.approx([0.1, -1, 0.1])
    assert credit({"name": "w_reinforce", "positive": 0.5}, 1, 0) == pytest.approx([0.5, -1])
    assert credit("nsr", 1, 1, 1) == [0, 0, 0]


def test_m1_sign_speaks_in_degenerate_groups() -> None:
    assert credit("sign", 1, 1, 1, 1) == [1, 1, 1, 1]
    assert credit("sign", 0, 0, 0, 0) == [-1, -1, -1, -1]
    assert credit({"name": "sign", "scale": 0.5}, 1, 0) == [0.5, -0.5]


def test_m1_zero_advantage_share_is_the_degenerate_rate_for_centred_and_zero_for_sign() -> None:
    rng = np.random.default_rng(0)
    successes = rng.beta(0.5, 0.5, size=20_000)
    groups = [group(*row) for row in (rng.random((20_000, 4)) < successes[:, None]).astype(float).tolist()]
    silent = np.mean([not a.any() for a in make_advantage("centred").credit(groups)])
    # Beta(1/2, 1/2), G = 4: E[p^4 + (1 - p)^4] = 2 * (1*3*5*7)/(2*4*6*8).
    assert silent == pytest.approx(2 * 105 / 384, abs=0.01)
    assert all(a.all() for a in make_advantage("sign").credit(groups))


@pytest.mark.parametrize("name", CENTRED)
def test_a_group_of_one_is_silent_when_centred(name: str) -> None:
    assert credit(name, 1.0) == [0.0]


@pytest.mark.parametrize("name", ["sign", "nsr"])
def test_a_group_of_one_speaks_under_a_fixed_reference(name: str) -> None:
    assert credit(name, 0.0) == [-1.0]


@given(rewards=st.lists(st.floats(-3, 3), min_size=1, max_size=10))
@pytest.mark.parametrize("name", CENTRED)
def test_centred_advantages_sum_to_zero(name: str, rewards: list[float]) -> None:
    advantages = credit(name, *rewards)
    assert abs(sum(advantages)) <= 1e-9 * max(1.0, max(map(abs, advantages)))


@given(rewards=BINARY, data=st.data())
@pytest.mark.parametrize("name", [*CENTRED, *FIXED, "role_baseline"])
def test_members_may_come_in_any_order(name: str, rewards: list[float], data: st.DataObject) -> None:
    order = data.draw(st.permutations(range(len(rewards))))
    straight = np.array(credit(name, *rewards))
    assert credit(name, *[rewards[i] for i in order]) == pytest.approx(straight[order])


@given(rewards=BINARY, shift=st.sampled_from([-1.0, 0.5, 2.0]))
@pytest.mark.parametrize("name", ["rloo", "grpo", "centred"])
def test_adding_a_constant_to_the_rewards_changes_nothing(
    name: str, rewards: list[float], shift: float
) -> None:
    assert credit(name, *[r + shift for r in rewards]) == pytest.approx(credit(name, *rewards), abs=1e-5)


def test_masked_members_leave_the_group_before_the_rule() -> None:
    rule = make_advantage("centred")
    with_masked = rule.credit([group(1.0, None, 0.0).decided()])[0]
    assert with_masked.tolist() == [0.5, -0.5]


def test_reinforce_reads_its_running_mean_before_this_updates_rewards() -> None:
    rule = make_advantage({"name": "reinforce", "baseline": "running_mean"})
    assert rule.credit([group(1, 0), group(1)])[0].tolist() == [1.0, 0.0]
    assert rule.credit([group(1, 0)])[0].tolist() == pytest.approx([1 / 3, -2 / 3])


def test_reinforce_subtracts_its_constant() -> None:
    assert credit({"name": "reinforce", "constant": 0.25}, 1, 0) == [0.75, -0.25]


def test_running_mean_survives_a_reload() -> None:
    table = {"name": "reinforce", "baseline": "running_mean"}
    first, second = make_advantage(table), make_advantage(table)
    first.credit([group(1, 0, 0)])
    second.load_state_dict(first.state_dict())
    assert second.credit([group(1)])[0].tolist() == first.credit([group(1)])[0].tolist()


def test_role_baselines_are_kept_apart_and_read_before_their_update() -> None:
    rule = make_advantage({"name": "role_baseline", "decay": 0.5})
    first = rule.credit([group(1, role="x"), group(-1, role="o")])
    assert [a.tolist() for a in first] == [[1.0], [-1.0]]
    second = rule.credit([group(1, role="x"), group(-1, role="o")])
    assert [a.tolist() for a in second] == [[0.5], [-0.5]]


def test_a_constant_return_per_role_ends_in_no_advantage() -> None:
    rule = make_advantage("role_baseline")
    for _ in range(400):
        last = rule.credit([group(0.7)])
    assert abs(last[0][0]) < 1e-8


def test_b8_gae_with_lambda_one_is_return_minus_value() -> None:
    values = np.array([0.3, -0.2, 0.5])
    rewards = np.array([0.0, 0.0, 2.0])
    assert gae(rewards, values, 1.0, 1.0) == pytest.approx(2.0 - values)


def test_b8_gae_with_lambda_zero_is_the_one_step_error() -> None:
    values = np.array([0.3, -0.2, 0.5])
    rewards = np.array([0.1, 0.0, 2.0])
    assert gae(rewards, values, 0.9, 0.0) == pytest.approx([0.1 + 0.9 * -0.2 - 0.3, 0.9 * 0.5 + 0.2, 1.5])


def test_b8_gae_sums_discounted_errors() -> None:
    rng = np.random.default_rng(1)
    rewards, values = rng.normal(size=5), rng.normal(size=5)
    deltas = rewards + 0.9 * np.append(values[1:], 0) - values
    by_hand = [sum((0.9 * 0.8) ** k * deltas[t + k] for k in range(5 - t)) for t in range(5)]
    assert gae(rewards, values, 0.9, 0.8) == pytest.approx(by_hand)


def test_b8_whitened_values_have_mean_zero_and_deviation_one() -> None:
    rows = whiten([np.array([1, 2], np.float32), np.array([3, 4, 9], np.float32)])
    together = np.concatenate(rows)
    assert together.mean() == pytest.approx(0, abs=1e-9)
    assert together.std() == pytest.approx(1, rel=1e-5)


@pytest.mark.parametrize(("length", "penalty"), [(1, 0), (12, 0), (14, -0.5), (16, -1), (40, -1)])
def test_b5_overlong_penalty_falls_in_a_line(length: int, penalty: float) -> None:
    shape = make_shaping({"name": "overlong", "max_tokens": 16, "buffer": 4})
    assert shape(group(1.0, length=length)).tolist() == [1.0 + penalty]


def test_b13_the_filter_keeps_mixed_groups_only() -> None:
    admit = make_admission("informative")
    assert admit(group(1, 0, 1)) is None
    assert admit(group(1, 1)) == "uninformative"
    assert admit(group(0)) == "uninformative"


def test_b13_survival_is_one_minus_both_powers() -> None:
    size, p = 5, 0.3
    admit = make_admission("informative")
    survival = sum(
        math.comb(size, k) * p**k * (1 - p) ** (size - k)
        for k in range(size + 1)
        if admit(group(*[1.0] * k, *[0.0] * (size - k))) is None
    )
    assert survival == pytest.approx(1 - p**size - (1 - p) ** size)
