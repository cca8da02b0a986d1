"""Gradients against enumeration on small softmax policies: every outcome, weighted by its probability."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable

import numpy as np
import pytest
import torch

from rlvr_gym.learner.advantages import make_advantage
from rlvr_gym.learner.algorithms import ALGORITHMS
from rlvr_gym.learner.batch import Batch, Counts, Sample
from rlvr_gym.learner.kl import kl_estimate
from rlvr_gym.types import Group, GroupKey, Segment, Trajectory

LOGITS = np.array([0.3, -1.1, 0.8, 0.0, -0.4, 1.5])
RIGHT = np.array([0.0, 1.0, 0.0, 1.0, 0.0, 0.0])
P = np.exp(LOGITS) / np.exp(LOGITS).sum()
SUCCESS = float(P @ RIGHT)
GRAD_LOG = np.eye(6) - P
"""Row y is the gradient of log pi(y)."""
GRAD_SUCCESS = (P * RIGHT) @ GRAD_LOG


def advantages(name: str | dict, rewards: np.ndarray) -> np.ndarray:
    member = Trajectory("m", "solver", "t", (Segment("prompt", np.zeros(1, np.int32)),), "stop")
    group = Group(GroupKey("solver", "task", "k"), (member,) * len(rewards), tuple(rewards.tolist()))
    return make_advantage(name).credit([group])[0]


def expected_gradient(name: str | dict, size: int) -> np.ndarray:
    """E[(1/G) sum_i A_i grad log pi(y_i)] over all 6^G groups."""
    total = np.zeros(6)
    for outcome in itertools.product(range(6), repeat=size):
        chosen = list(outcome)
        total += P[chosen].prod() * advantages(name, RIGHT[chosen]) @ GRAD_LOG[chosen] / size
    return total


AFFINE = {
    "reinforce": lambda size: 1.0,
    "psr": lambda size: 1.0,
    "nsr": lambda size: 1.0,
    "rloo": lambda size: 1.0,
    "w_reinforce": lambda size: 1.1,
    "sign": lambda size: 2.0,
    "centred": lambda size: (size - 1) / size,
}
"""Rule -> a(G) with E[A grad log pi] = a grad p, where A = a r + b."""


@pytest.mark.parametrize("size", [2, 3])
@pytest.mark.parametrize("name", AFFINE)
def test_f1_affine_rules_push_along_the_success_gradient(name: str, size: int) -> None:
    scale = AFFINE[name](size)
    np.testing.assert_allclose(expected_gradient(name, size), scale * GRAD_SUCCESS, atol=1e-12)


@pytest.mark.parametrize("constant", [-1.0, 0.3, 2.0])
def test_b1_any_constant_baseline_leaves_reinforce_unbiased(constant: float) -> None:
    found = expected_gradient({"name": "reinforce", "constant": constant}, 2)
    np.testing.assert_allclose(found, GRAD_SUCCESS, atol=1e-12)


def test_m1_sign_is_a_descent_direction_for_group_failure() -> None:
    size = 4
    grad_failure = -size * (1 - SUCCESS) ** (size - 1) * GRAD_SUCCESS
    assert expected_gradient("sign", 2) @ grad_failure < 0


def test_b11_maxrl_tends_to_the_gradient_of_log_success() -> None:
    size = 3000
    # With k right answers, A of a right one and of a wrong one are two numbers; the rest is the binomial law.
    total = 0.0
    for right in range(size + 1):
        log_chance = (
            math.lgamma(size + 1)
            - math.lgamma(right + 1)
            - math.lgamma(size - right + 1)
            + right * math.log(SUCCESS)
            + (size - right) * math.log1p(-SUCCESS)
        )
        if log_chance < -40:
            continue
        found = advantages("maxrl", np.array([1.0] * right + [0.0] * (size - right)))
        # E[grad log pi | right] = grad p / p, E[grad log pi | wrong] = -grad p / (1 - p).
        total += math.exp(log_chance) * (
            right / size * found[0] / SUCCESS - (size - right) / size * found[-1] / (1 - SUCCESS)
        )
    assert total == pytest.approx(1 / SUCCESS, rel=2e-3)


def batch_of(outcomes: list[int], advantages_G: np.ndarray, logprobs_6: torch.Tensor) -> Batch:
    """A group of one-token completions, scored by the softmax policy."""
    old = torch.log_softmax(torch.tensor(LOGITS), 0).numpy().astype(np.float32)
    samples = [
        Sample(
            id=str(i),
            group=0,
            reward=float(RIGHT[y]),
            advantage=float(a),
            ids=np.array([0, y], np.int32),
            loss=np.array([False, True]),
            old_logprobs_T=old[[y]],
            old_entropies_T=np.zeros(1, np.float32),
            advantages_T=np.array([a], np.float32),
        )
        for i, (y, a) in enumerate(zip(outcomes, advantages_G, strict=True))
    ]
    batch = Batch.of(samples, Counts.of(samples), {0: len(samples)})
    return batch.scored(logprobs_6[torch.tensor(outcomes)][:, None])


ON_POLICY = {
    "reinforce": 1.0,
    "rloo": 1.0,
    "sign": 2.0 / 1024,
    "dr_grpo": 2 / 3 / 1024,
    "w_reinforce": 1.1,
}
"""Algorithm -> factor on grad p of its expected step at group size 3; 1024 is Dr. GRPO's constant."""


@pytest.mark.parametrize("name", ON_POLICY)
def test_the_expected_step_of_an_algorithm_is_the_enumerated_one(name: str) -> None:
    entry = ALGORITHMS[name]
    settings = entry.settings({}, where=name)
    total = np.zeros(6)
    for outcome in itertools.product(range(6), repeat=3):
        chosen = list(outcome)
        logits = torch.tensor(LOGITS, requires_grad=True)
        batch = batch_of(chosen, advantages(settings.advantage, RIGHT[chosen]), logits.log_softmax(0))
        entry.value.loss(batch, settings).backward()
        total -= P[chosen].prod() * logits.grad.numpy()
    np.testing.assert_allclose(total, ON_POLICY[name] * GRAD_SUCCESS, atol=1e-6 * ON_POLICY[name])


def test_b12_one_negative_sample_raises_the_others_in_proportion_to_their_own_probability() -> None:
    logits = torch.tensor(LOGITS, requires_grad=True)
    entry = ALGORITHMS["nsr"]
    batch = batch_of([2], np.array([-1.0]), logits.log_softmax(0))
    entry.value.loss(batch, entry.settings({}, where="nsr")).backward()
    np.testing.assert_allclose(-logits.grad.numpy(), -(np.eye(6)[2] - P), atol=1e-6)


def kl_gradient(estimator: str, law: torch.Tensor, other: torch.Tensor) -> np.ndarray:
    """Gradient of the sampled loss, in expectation: samples are constants, the estimator is not."""
    logits = law.clone().requires_grad_(True)
    logprobs = logits.log_softmax(0)
    estimate = kl_estimate(logprobs[None], other.log_softmax(0)[None], estimator)[0]
    (logprobs.detach().exp() * estimate).sum().backward()
    return logits.grad.numpy()


def true_gradient(divergence: Callable[[torch.Tensor, torch.Tensor], torch.Tensor]) -> np.ndarray:
    logits = torch.tensor(LOGITS, requires_grad=True)
    divergence(logits.log_softmax(0), OTHER.log_softmax(0)).backward()
    return logits.grad.numpy()


OTHER = torch.tensor([0.1, 0.9, -0.7, 0.4, 1.2, -0.2], dtype=torch.float64)


def test_f3_values_of_k1_and_k3_average_to_the_kl() -> None:
    policy, other = torch.tensor(LOGITS).log_softmax(0), OTHER.log_softmax(0)
    exact = float((policy.exp() * (policy - other)).sum())
    for estimator in ("k1", "k3"):
        found = kl_estimate(policy[None], other[None], estimator)[0]
        assert float((policy.exp() * found).sum()) == pytest.approx(exact, abs=1e-12)


def test_f3_k1_has_no_expected_gradient() -> None:
    np.testing.assert_allclose(kl_gradient("k1", torch.tensor(LOGITS), OTHER), 0, atol=1e-12)


def test_f3_k2_has_the_gradient_of_the_reverse_kl() -> None:
    exact = true_gradient(lambda p, q: (p.exp() * (p - q)).sum())
    np.testing.assert_allclose(kl_gradient("k2", torch.tensor(LOGITS), OTHER), exact, atol=1e-12)


def test_f3_k3_has_the_gradient_of_the_forward_kl() -> None:
    exact = true_gradient(lambda p, q: (q.exp() * (q - p)).sum())
    np.testing.assert_allclose(kl_gradient("k3", torch.tensor(LOGITS), OTHER), exact, atol=1e-12)


def test_b10_k3_is_never_negative() -> None:
    ratio = torch.linspace(-80, 80, 161)[None]
    assert bool((kl_estimate(torch.zeros_like(ratio), ratio, "k3") >= 0).all())
