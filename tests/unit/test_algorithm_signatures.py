"""Losses against the papers' formulas, written out as loops over numbers."""

from __future__ import annotations

import math

import numpy as np
import pytest
import torch
from beartype import beartype
from jaxtyping import TypeCheckError, jaxtyped

from rlvr_gym.learner import reductions
from rlvr_gym.learner.algorithms import ALGORITHMS
from rlvr_gym.learner.batch import Batch, Counts, Sample
from rlvr_gym.learner.kl import kl_estimate
from rlvr_gym.learner.ratios import sequence_ratio, token_ratio
from rlvr_gym.learner.surrogates import clipped, policy_gradient

GROUPS = [0, 0, 0, 1, 1]
LENGTHS = [3, 1, 2, 4, 2]
ADVANTAGES = [1.2, -0.7, -0.5, 0.9, -0.9]


def rows(seed: int, spread: float) -> list[np.ndarray]:
    rng = np.random.default_rng(seed)
    return [(-2 + spread * rng.normal(size=n)).astype(np.float32) for n in LENGTHS]


OLD, NEW, REF = rows(0, 0.5), rows(1, 0.7), rows(2, 0.5)


def batch(new: list[np.ndarray] = NEW, advantages: list[float] = ADVANTAGES) -> Batch:
    """A ragged batch of two groups whose current log-probabilities require grad."""
    samples = [
        Sample(
            id=str(i),
            group=g,
            reward=0.0,
            advantage=a,
            ids=np.zeros(n + 1, np.int32),
            loss=np.arange(n + 1) > 0,
            old_logprobs_T=OLD[i],
            old_entropies_T=np.zeros(n, np.float32),
            advantages_T=np.full(n, a, np.float32),
            ref_logprobs_T=REF[i],
        )
        for i, (g, n, a) in enumerate(zip(GROUPS, LENGTHS, advantages, strict=True))
    ]
    made = Batch.of(samples, Counts.of(samples), {0: 3, 1: 2})
    logprobs = torch.zeros(made.mask_BT.shape)
    logprobs[made.mask_BT] = torch.from_numpy(np.concatenate(new))
    return made.scored(logprobs.requires_grad_(True))


def loss_of(name: str, made: Batch | None = None, **settings: object) -> torch.Tensor:
    entry = ALGORITHMS[name]
    return entry.value.loss(made or batch(), entry.settings(settings, where=name))


def value(scalar: torch.Tensor) -> float:
    return float(scalar.detach())


def gradient(name: str, new: list[np.ndarray] = NEW, **settings: object) -> list[np.ndarray]:
    """Gradient by log-probability, one array per row."""
    made = batch(new)
    loss_of(name, made, **settings).backward()
    return [row[:n].numpy() for row, n in zip(made.logprobs_BT.grad, LENGTHS, strict=True)]


def gain(ratio: float, advantage: float, low: float, high: float, dual: float = math.inf) -> float:
    value = min(ratio * advantage, min(max(ratio, 1 - low), 1 + high) * advantage)
    return max(value, dual * advantage) if advantage < 0 else value


def tokens() -> list[list[tuple[float, float]]]:
    """(ratio, advantage) per token, row by row."""
    return [
        [(math.exp(float(n - o)), a) for n, o in zip(new, old, strict=True)]
        for new, old, a in zip(NEW, OLD, ADVANTAGES, strict=True)
    ]


def mean(values: list[float]) -> float:
    return sum(values) / len(values)


def by_prompt(per_row: list[float]) -> float:
    return mean([mean(per_row[:3]), mean(per_row[3:])])


def test_b1_reinforce_sums_tokens_and_averages_rollouts() -> None:
    by_hand = -sum(a * float(n.sum()) for n, a in zip(NEW, ADVANTAGES, strict=True)) / 5
    assert value(loss_of("reinforce")) == pytest.approx(by_hand, rel=1e-5)


def test_b2_rloo_has_the_same_loss_on_its_own_advantages() -> None:
    assert value(loss_of("rloo")) == value(loss_of("reinforce"))
    assert ALGORITHMS["rloo"].settings({}, where="").advantage == "rloo"


def test_b3_grpo_averages_tokens_then_rollouts_then_prompts() -> None:
    per_row = [mean([-gain(r, a, 0.2, 0.2) for r, a in row]) for row in tokens()]
    assert value(loss_of("grpo")) == pytest.approx(by_prompt(per_row), rel=1e-5)


def test_b3_grpo_adds_the_kl_with_its_own_reduction() -> None:
    per_row = []
    for row, new, ref in zip(tokens(), NEW, REF, strict=True):
        k3 = [math.exp(q - p) - 1 - (q - p) for p, q in zip(new.tolist(), ref.tolist(), strict=True)]
        per_row.append(mean([-gain(r, a, 0.2, 0.2) + 0.04 * k for (r, a), k in zip(row, k3, strict=True)]))
    assert value(loss_of("grpo", kl_coef=0.04)) == pytest.approx(by_prompt(per_row), rel=1e-5)


def test_b4_dr_grpo_divides_token_sums_by_a_constant() -> None:
    per_row = [sum(-gain(r, a, 0.2, 0.2) for r, a in row) / 16 for row in tokens()]
    assert value(loss_of("dr_grpo", max_tokens=16)) == pytest.approx(mean(per_row), rel=1e-5)


def test_b4_a_doubled_response_has_twice_the_weight_in_dr_grpo_and_the_same_in_grpo() -> None:
    # Rows 1 and 2 have 1 and 2 tokens; on-policy every token of a row has the same gradient.
    dr_grpo, grpo = gradient("dr_grpo", OLD), gradient("grpo", OLD)
    per_advantage = [g.sum() / a for g, a in zip(dr_grpo, ADVANTAGES, strict=True)]
    assert per_advantage[2] == pytest.approx(2 * per_advantage[1], rel=1e-5)
    per_advantage = [g.sum() / a for g, a in zip(grpo, ADVANTAGES, strict=True)]
    assert per_advantage[2] == pytest.approx(per_advantage[1], rel=1e-5)


def test_b5_dapo_averages_over_all_tokens_and_clips_higher() -> None:
    flat = [-gain(r, a, 0.2, 0.28) for row in tokens() for r, a in row]
    assert value(loss_of("dapo")) == pytest.approx(mean(flat), rel=1e-5)
    assert ALGORITHMS["dapo"].settings({}, where="").admission == "informative"


def test_b5_clip_is_inactive_for_a_negative_advantage_at_a_high_ratio() -> None:
    high = [o + math.log(2.0) for o in OLD]
    for g, a in zip(gradient("dapo", high), ADVANTAGES, strict=True):
        # d(ratio A)/d log pi = ratio A; the clipped positive side has none.
        expected = 2 * -a / 12 if a < 0 else 0.0
        assert g == pytest.approx(np.full(len(g), expected), rel=1e-5)


def test_b5_token_mean_does_not_see_where_a_response_ends() -> None:
    def samples(cuts: list[int]) -> list[Sample]:
        values = np.linspace(-3, -1, sum(cuts)).astype(np.float32)
        starts = np.cumsum([0, *cuts])
        return [
            Sample(
                id=str(i),
                group=0,
                reward=0,
                advantage=1,
                ids=np.zeros(n + 1, np.int32),
                loss=np.arange(n + 1) > 0,
                old_logprobs_T=values[s : s + n],
                old_entropies_T=np.zeros(n, np.float32),
                advantages_T=np.ones(n, np.float32),
            )
            for i, (s, n) in enumerate(zip(starts, cuts, strict=False))
        ]

    def mean_over(cuts: list[int]) -> float:
        made = Batch.of(samples(cuts), Counts.of(samples(cuts)), {0: len(cuts)})
        return value(reductions.token_mean(made.logprobs_BT, made))

    assert mean_over([2, 5]) == pytest.approx(mean_over([7]))


def test_b6_gspo_clips_geometric_means() -> None:
    per_row = []
    for row in tokens():
        ratio = math.exp(mean([math.log(r) for r, _ in row]))
        per_row.append(-gain(ratio, row[0][1], 3e-4, 4e-4))
    assert value(loss_of("gspo")) == pytest.approx(by_prompt(per_row), rel=1e-5)


def test_b6_gspo_gives_every_token_of_a_sequence_the_same_gradient() -> None:
    near = [o + 1e-4 * np.arange(len(o), dtype=np.float32) for o in OLD]
    for row, new, old, a, group in zip(gradient("gspo", near), near, OLD, ADVANTAGES, GROUPS, strict=True):
        ratio = math.exp(float((new - old).mean()))
        size = 3 if group == 0 else 2
        assert row == pytest.approx(np.full(len(row), -ratio * a / len(row) / size / 2), rel=1e-4)


def test_b6_the_sequence_ratio_does_not_see_the_order_of_tokens() -> None:
    turned = [o + (n - o)[::-1] for n, o in zip(NEW, OLD, strict=True)]
    torch.testing.assert_close(sequence_ratio(batch(turned)), sequence_ratio(batch()))


def test_b7_cispo_keeps_the_gradient_of_every_token_up_to_its_cap() -> None:
    expected = [[-min(r, 1.5) * a / 12 for r, a in row] for row in tokens()]
    for row, values in zip(gradient("cispo", ratio_cap=1.5), expected, strict=True):
        assert row == pytest.approx(np.array(values), rel=1e-5)
        assert row.all()


def test_b8_ppo_bounds_the_loss_of_a_negative_advantage() -> None:
    far = [o + 2.0 for o in OLD]
    flat = [
        -gain(math.exp(2.0), a, 0.2, 0.2, dual=3.0)
        for a, n in zip(ADVANTAGES, LENGTHS, strict=True)
        for _ in range(n)
    ]
    assert value(loss_of("ppo", batch(far))) == pytest.approx(mean(flat), rel=1e-5)
    assert all((g == 0).all() for g in gradient("ppo", far))


def test_b9_entropy_bonus_is_silent_at_uniform_and_raises_entropy_elsewhere() -> None:
    for start in (torch.zeros(4), torch.tensor([2.0, 0.0, -1.0, 0.5])):
        logits = start.clone().requires_grad_(True)
        law = logits.log_softmax(0)
        entropy = -(law.exp() * law).sum()
        made = batch(advantages=[0.0] * 5)
        entropies = torch.where(made.mask_BT, entropy, 0.0)
        scored = made.scored(made.logprobs_BT, entropies_BT=entropies)
        loss_of("dapo", scored, entropy_coef=0.5).backward()
        if start.any():
            stepped = (start - 0.1 * logits.grad).log_softmax(0)
            assert value(-(stepped.exp() * stepped).sum()) > value(entropy)
        else:
            torch.testing.assert_close(logits.grad, torch.zeros(4))


@pytest.mark.parametrize("estimator", ["k1", "k2", "k3"])
def test_b10_kl_estimators_are_their_formulas(estimator: str) -> None:
    log_ratio = 0.7 - 1.9
    expected = {"k1": -log_ratio, "k2": log_ratio**2 / 2, "k3": math.exp(log_ratio) - 1 - log_ratio}
    found = kl_estimate(torch.tensor([[1.9]]), torch.tensor([[0.7]]), estimator)
    assert float(found) == pytest.approx(expected[estimator], rel=1e-6)


def test_b12_the_negative_and_positive_rules_drop_what_has_no_advantage() -> None:
    drops = {name: ALGORITHMS[name].settings({}, where="").drop_zero_advantage for name in ALGORITHMS}
    assert {name for name, drop in drops.items() if drop} == {"psr", "nsr"}


def test_b12_weighted_reinforce_is_the_token_mean_of_the_clipped_gain() -> None:
    flat = [-gain(r, a, 0.2, 0.2) for row in tokens() for r, a in row]
    for name in ("w_reinforce", "psr", "nsr"):
        assert value(loss_of(name)) == pytest.approx(mean(flat), rel=1e-5)


def test_m1_sign_differs_from_dr_grpo_in_its_advantages_only() -> None:
    assert value(loss_of("sign")) == value(loss_of("dr_grpo"))
    assert ALGORITHMS["sign"].settings({}, where="").advantage == "sign"


@pytest.mark.parametrize(
    "name", ["grpo", "dr_grpo", "dapo", "gspo", "cispo", "ppo", "maxrl", "sign", "w_reinforce"]
)
def test_on_policy_every_ratio_loss_has_the_gradient_of_plain_policy_gradient(name: str) -> None:
    normalisers = {
        **dict.fromkeys(["grpo", "gspo", "maxrl"], reductions.prompt_mean),
        **dict.fromkeys(["dapo", "cispo", "ppo", "w_reinforce"], reductions.token_mean),
        **dict.fromkeys(["dr_grpo", "sign"], lambda x, b: reductions.constant_mean(x, b, 1024)),
    }
    made = batch(OLD)
    normalisers[name](-policy_gradient(made), made).backward()
    plain = [row[:n].numpy() for row, n in zip(made.logprobs_BT.grad, LENGTHS, strict=True)]
    for found, expected in zip(gradient(name, OLD), plain, strict=True):
        np.testing.assert_allclose(found, expected, rtol=1e-5)


def test_reductions_agree_for_equal_groups_and_lengths() -> None:
    made = batch()
    ones = torch.ones(made.mask_BT.shape)
    assert value(reductions.prompt_mean(ones, made)) == pytest.approx(1)
    assert value(reductions.sequence_mean(ones, made)) == pytest.approx(1)
    assert value(reductions.token_mean(ones, made)) == pytest.approx(1)
    assert value(reductions.constant_mean(ones, made, 4.0)) == pytest.approx(12 / 4 / 5)


def test_clip_fractions_are_noted_by_side() -> None:
    made = batch()
    loss_of("grpo", made)
    flat = [pair for row in tokens() for pair in row]
    assert float(made.notes["clip_high"]) == sum(r > 1.2 and a > 0 for r, a in flat)
    assert float(made.notes["clip_low"]) == sum(r < 0.8 and a < 0 for r, a in flat)


def test_shapes_are_what_the_signatures_say() -> None:
    made = batch()
    checked = jaxtyped(typechecker=beartype)(clipped)
    checked(token_ratio(made), made, 0.2, 0.2)
    checked(sequence_ratio(made), made, 0.2, 0.2)
    with pytest.raises(TypeCheckError):
        checked(sequence_ratio(made)[:, 0], made, 0.2, 0.2)
    reduce = jaxtyped(typechecker=beartype)(reductions.prompt_mean)
    assert reduce(made.logprobs_BT, made).shape == ()
