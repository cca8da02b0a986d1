"""What is true of every registered algorithm, a third party's included."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
import torch

from rlvr_gym.learner.admissions import ADMISSIONS
from rlvr_gym.learner.advantages import ADVANTAGES
from rlvr_gym.learner.algorithms import ALGORITHMS, AlgorithmConfig
from rlvr_gym.learner.batch import Batch, Counts, Sample
from rlvr_gym.learner.packing import pack

pytestmark = pytest.mark.parametrize("name", ALGORITHMS)


def settings(name: str, **values: object) -> AlgorithmConfig:
    config = ALGORITHMS[name].settings(values, where=name)
    assert isinstance(config, AlgorithmConfig)
    return config


def sample(number: int, group: int, length: int, advantage: float) -> Sample:
    rng = np.random.default_rng(number)
    return Sample(
        id=str(number),
        group=group,
        reward=float(advantage > 0),
        advantage=advantage,
        ids=np.arange(length + 2, dtype=np.int32),
        loss=np.arange(length + 2) >= 2,
        old_logprobs_T=(-1 - rng.random(length)).astype(np.float32),
        old_entropies_T=np.ones(length, np.float32),
        advantages_T=np.full(length, advantage, np.float32),
        ref_logprobs_T=(-1 - rng.random(length)).astype(np.float32),
    )


SAMPLES = [
    sample(0, 0, 3, 1.0),
    sample(1, 0, 5, -0.6),
    sample(2, 0, 2, -0.4),
    sample(3, 1, 4, 0.8),
    sample(4, 1, 1, -0.8),
]


def logprobs_of(number: str) -> torch.Tensor:
    """Current log-probabilities of a sample: near the old ones, so that no clip is active."""
    member = next(s for s in SAMPLES if s.id == number)
    shift = 1e-5 * np.random.default_rng(100 + int(number)).normal(size=member.num_tokens)
    return torch.from_numpy((member.old_logprobs_T + shift).astype(np.float32))


def gradients(
    name: str, parts: Sequence[Sequence[Sample]], pad: int = 0, shift: float = 0.0, **values: object
) -> tuple[float, dict[str, np.ndarray]]:
    """Loss and its gradient by log-probability, summed over micro-batches, per sample id."""
    everyone = [s for part in parts for s in part]
    sizes = {g: sum(s.group == g for s in everyone) for g in {s.group for s in everyone}}
    total, found = 0.0, {}
    for part in parts:
        batch = Batch.of(part, Counts.of(everyone), sizes)
        width = batch.mask_BT.shape[1] + pad
        # Padding holds values that would spoil the loss if anything read them.
        logprobs = torch.full((len(part), width), 50.0)
        if pad:
            batch = padded(batch, pad)
        for row, member in enumerate(part):
            logprobs[row, : member.num_tokens] = logprobs_of(member.id) + shift
        logprobs.requires_grad_(True)
        entropies = torch.full(batch.mask_BT.shape, 1.0)
        loss = ALGORITHMS[name].value.loss(
            batch.scored(logprobs, entropies_BT=entropies), settings(name, **values)
        )
        loss.backward()
        total += float(loss.detach())
        for row, member in enumerate(part):
            found[member.id] = logprobs.grad[row, : member.num_tokens].numpy()
            assert not logprobs.grad[row, member.num_tokens :].any()
    return total, found


def padded(batch: Batch, pad: int) -> Batch:
    def wider(grid: torch.Tensor) -> torch.Tensor:
        filler = torch.full((len(grid), pad), False if grid.dtype is torch.bool else 7.0, dtype=grid.dtype)
        return torch.cat([grid, filler], dim=1)

    names = ("mask_BT", "old_logprobs_BT", "old_entropies_BT", "advantages_BT", "ref_logprobs_BT")
    return replace(batch, **{n: wider(getattr(batch, n)) for n in names})


REGULARISED = {"kl_coef": 0.1, "entropy_coef": 0.01}


def test_raises_the_good_and_lowers_the_bad(name: str) -> None:
    _, found = gradients(name, [SAMPLES])
    for member in SAMPLES:
        assert np.all(np.sign(-found[member.id]) == np.sign(member.advantage))


def test_no_advantage_no_gradient(name: str) -> None:
    silent = [replace(s, advantage=0.0, advantages_T=np.zeros_like(s.advantages_T)) for s in SAMPLES]
    loss, found = gradients(name, [silent])
    assert loss == 0.0
    assert not any(g.any() for g in found.values())


@pytest.mark.parametrize("values", [{}, REGULARISED], ids=["plain", "regularised"])
def test_padding_changes_nothing(name: str, values: dict[str, float]) -> None:
    loss, found = gradients(name, [SAMPLES], **values)
    padded_loss, padded_found = gradients(name, [SAMPLES], pad=4, **values)
    assert padded_loss == pytest.approx(loss, abs=1e-6)
    for key, expected in found.items():
        np.testing.assert_allclose(padded_found[key], expected, atol=1e-7)


def test_row_order_changes_nothing(name: str) -> None:
    loss, found = gradients(name, [SAMPLES])
    turned_loss, turned = gradients(name, [SAMPLES[::-1]])
    assert turned_loss == pytest.approx(loss, abs=1e-6)
    for key, expected in found.items():
        np.testing.assert_allclose(turned[key], expected, atol=1e-7)


@pytest.mark.parametrize("values", [{}, REGULARISED], ids=["plain", "regularised"])
def test_micro_batches_add_up(name: str, values: dict[str, float]) -> None:
    loss, found = gradients(name, [SAMPLES], **values)
    whole_groups = ALGORITHMS[name].value.whole_groups
    for budget in (1, 12, 20):
        parts = pack(SAMPLES, budget, whole_groups=whole_groups, split_cost=0)
        assert len(parts) > 1
        split_loss, split = gradients(name, parts, **values)
        assert split_loss == pytest.approx(loss, abs=1e-6)
        for key, expected in found.items():
            np.testing.assert_allclose(split[key], expected, atol=1e-6)


@pytest.mark.parametrize("shift", [-50.0, 50.0])
def test_finite_at_extreme_log_ratios(name: str, shift: float) -> None:
    loss, found = gradients(name, [SAMPLES], shift=shift, **REGULARISED)
    assert np.isfinite(loss)
    assert all(np.isfinite(g).all() for g in found.values())


def test_states_its_rules_and_they_exist(name: str) -> None:
    config = settings(name)
    for registry, table in ((ADVANTAGES, config.advantage), (ADMISSIONS, config.admission)):
        registry.resolve(table, where=name)
    assert isinstance(config.drop_zero_advantage, bool)


def test_is_documented_down_to_every_setting(name: str) -> None:
    entry = ALGORITHMS[name]
    assert entry.summary
    assert entry.paper
    for field, info in entry.config.model_fields.items():
        assert info.description, f"{name}.{field} has no description"
