"""Invariants of the learner on a real, very small model.

Names carry their numbers: ``framework_n`` are those of the training step, ``invariant_n`` those of self-play.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from rlvr_gym.learner import ADVANTAGES, ALGORITHMS, Learner, LearnerConfig
from rlvr_gym.learner.advantages import make_advantage
from rlvr_gym.lm.char_codec import CharCodec
from rlvr_gym.lm.model import TorchLM
from rlvr_gym.lm.tiny import tiny
from rlvr_gym.types import Group, GroupKey, Segment, Trajectory

CODEC = CharCodec(alphabet="012345", markers=())
SETTINGS = settings(max_examples=15, deadline=None)
EVERY = pytest.mark.parametrize("algorithm", ALGORITHMS)


def model() -> TorchLM:
    return tiny(CODEC, layers=1, width=16, heads=2, context=32, device="cpu")


def trajectory(name: str, role: str = "solver", **segments: Sequence[int]) -> Trajectory:
    """A dialogue: prompt, sampled turn, environment turn, sampled turn; a replayed prefix in between."""
    rng = np.random.default_rng(list(name.encode()))
    length = int(rng.integers(1, 5))

    def ids(kind: str, count: int) -> np.ndarray:
        given_ids = segments.get(kind)
        return np.array(given_ids if given_ids is not None else rng.integers(3, 13, count), np.int32)

    def sampled(count: int) -> Segment:
        logprobs = (-2.5 + 0.05 * rng.normal(size=count)).astype(np.float32)
        return Segment("sampled", ids("", count), logprobs, np.full(count, 2.5, np.float32), "tiny:0")

    return Trajectory(
        id=name,
        role=role,
        task="t",
        segments=(
            Segment("prompt", ids("prompt", 3)),
            Segment("replay", ids("replay", 2), np.full(2, -1.0, np.float32)),
            sampled(length),
            Segment("environment", ids("environment", 2)),
            sampled(2),
        ),
        finish="stop",
    )


def group(name: str, rewards: Sequence[float | None], role: str = "solver") -> Group:
    members = tuple(trajectory(f"{role}/{name}/{i}", role) for i in range(len(rewards)))
    return Group(GroupKey(role, "task", name), members, tuple(rewards))


GROUPS = [group("a", [1.0, 0.0, 0.0]), group("b", [0.0, 1.0]), group("c", [1.0, 1.0, 0.0, 1.0])]


def learner(algorithm: str | dict = "grpo", **config: object) -> Learner:
    # Plain gradient descent with rate 1 and no clip: the change of the weights is the gradient.
    values = {
        "algorithm": algorithm,
        "optimizer": {"name": "sgd", "lr": 1.0, "warmup_steps": 0},
        "max_grad_norm": 1e9,
        **config,
    }
    return Learner(LearnerConfig.model_validate(values), model(), seed=0)


def flat(lm: TorchLM) -> torch.Tensor:
    return torch.cat([p.detach().reshape(-1) for p in lm.module.parameters()])


def gradient(groups: Sequence[Group], algorithm: str | dict = "grpo", **config: object) -> torch.Tensor:
    made = learner(algorithm, **config)
    before = flat(made.lm)
    made.update(groups, step=0)
    return before - flat(made.lm)


@EVERY
def test_framework_1_and_invariant_7_tokens_without_mask_get_no_gradient(algorithm: str) -> None:
    made = learner(algorithm)
    gradients: list[torch.Tensor] = []

    def keep(_: object, __: object, output: torch.Tensor) -> None:
        if output.requires_grad:
            output.register_hook(gradients.append)

    made.lm.module.model.norm.register_forward_hook(keep)
    member = trajectory("x")
    made.update([Group(GroupKey("solver", "task", "x"), (member, trajectory("y")), (1.0, 0.0))], step=0)
    # The state at t predicts token t + 1 (the last token's is not computed), so only states before sampled tokens may have a gradient.
    masks = {len(t.ids) - 1: t.loss_mask[1:] for t in (member, trajectory("y"))}
    rows = [row for grad in gradients for row in grad]
    assert any(row.any() for row in rows)
    for row in rows:
        touched = row.any(-1).numpy()
        assert any(not touched[:n][~mask].any() and not touched[n:].any() for n, mask in masks.items())


def test_framework_1_the_gradient_is_that_of_the_sampled_tokens_alone() -> None:
    made = learner("reinforce")
    member = trajectory("x")
    before = flat(made.lm)
    ids = torch.from_numpy(member.ids).long()[None]
    logprobs = made.lm.module(ids).logits.float().log_softmax(-1)[0, :-1]
    chosen = logprobs.gather(-1, ids[0, 1:, None])[:, 0]
    (-chosen[torch.from_numpy(member.loss_mask[1:])].sum()).backward()
    expected = torch.cat([p.grad.reshape(-1) for p in made.lm.module.parameters()])
    made.update([Group(GroupKey("solver", "task", "x"), (member,), (1.0,))], step=0)
    torch.testing.assert_close(before - flat(made.lm), expected, atol=1e-6, rtol=1e-4)


@pytest.mark.parametrize("algorithm", ["grpo", "gspo", "cispo", "dapo", "ppo"])
def test_framework_2_on_policy_the_gradient_is_the_plain_policy_gradient(algorithm: str) -> None:
    # Sampled old log-probabilities are those of the model itself once recomputed.
    rewards = [1.0, 0.0]
    members = tuple(trajectory(f"{i}") for i in range(2))
    equal = [replace(m, segments=(*m.segments[:2], m.segments[-1])) for m in members]
    groups = [Group(GroupKey("solver", "task", "x"), tuple(equal), tuple(rewards))]
    found = gradient(groups, algorithm, old_logprobs="recompute")
    # Two tokens per rollout, two rollouts, advantages +-1 up to rounding; ppo's whitened ones are the same.
    plain = gradient(groups, {"name": "reinforce", "advantage": {"name": "sign"}}) / 2
    torch.testing.assert_close(found, plain, atol=2e-6, rtol=1e-4)


@SETTINGS
@given(data=st.data())
@pytest.mark.parametrize("rule", ADVANTAGES)
def test_framework_3_and_invariant_1_order_leaves_advantages_alone(rule: str, data: st.DataObject) -> None:
    groups = [
        group(str(i), data.draw(st.lists(st.sampled_from([0.0, 1.0]), min_size=1, max_size=6)))
        for i in range(3)
    ]
    straight = dict(zip("012", make_advantage(rule).credit(groups), strict=True))
    order = data.draw(st.permutations(range(3)))
    inside = {i: data.draw(st.permutations(range(len(groups[i].rewards)))) for i in range(3)}
    turned = [
        Group(
            groups[i].key,
            tuple(groups[i].members[j] for j in inside[i]),
            tuple(groups[i].rewards[j] for j in inside[i]),
        )
        for i in order
    ]
    for i, found in zip(order, make_advantage(rule).credit(turned), strict=True):
        np.testing.assert_allclose(found, straight[str(i)][inside[i]], atol=1e-12)


@EVERY
def test_invariant_1_order_of_groups_leaves_the_gradient_alone(algorithm: str) -> None:
    torch.testing.assert_close(
        gradient(GROUPS[::-1], algorithm), gradient(GROUPS, algorithm), atol=1e-6, rtol=1e-4
    )


def with_masked(plain: Group) -> Group:
    extra = trajectory(f"masked/{plain.key.key}", plain.key.role)
    return Group(
        plain.key, (plain.members[0], extra, *plain.members[1:]), (plain.rewards[0], None, *plain.rewards[1:])
    )


REMEMBERING = [
    {"name": "reinforce", "advantage": {"name": "reinforce", "baseline": "running_mean"}},
    {"name": "reinforce", "advantage": "role_baseline"},
]


@pytest.mark.parametrize("algorithm", [*ALGORITHMS, *REMEMBERING], ids=str)
def test_framework_4_and_invariant_6_undecided_members_change_only_their_own_count(algorithm: str) -> None:
    plain, masked = learner(algorithm), learner(algorithm)
    first = plain.update(GROUPS, step=0)
    second = masked.update([with_masked(g) for g in GROUPS], step=0)
    assert masked.fingerprint() == plain.fingerprint()
    assert second.charged == first.charged
    assert {i for i, reason in second.dropped.items() if reason == "masked"} == {f"masked/{k}" for k in "abc"}
    assert second.roles["solver"]["num_masked"] == 3
    assert second.roles["solver"]["reward_mean"] == first.roles["solver"]["reward_mean"]


@pytest.mark.parametrize("algorithm", ["rloo", "grpo", "dr_grpo", "gspo", "cispo", "maxrl"])
def test_framework_5_a_group_of_one_is_legal_and_silent_when_centred(algorithm: str) -> None:
    made = learner(algorithm)
    report = made.update([group("one", [1.0])], step=0)
    assert not report.applied


@pytest.mark.parametrize("algorithm", ["sign", "nsr"])
def test_framework_5_a_group_of_one_teaches_under_a_fixed_reference(algorithm: str) -> None:
    assert learner(algorithm).update([group("one", [0.0])], step=0).applied


ROLES = {"roles": {"proposer": {"algorithm": "rloo", "weight": 0.5}, "solver": {"algorithm": "grpo"}}}
PROPOSALS = [group("p", [0.2, 0.9, 0.0], "proposer"), group("q", [0.0, 0.4], "proposer")]


@SETTINGS
@given(shift=st.sampled_from([-2.0, -0.5, 1.0, 8.0]))
def test_invariant_2_a_constant_on_one_roles_rewards_changes_no_other_role(shift: float) -> None:
    shifted = [replace(g, rewards=tuple(r + shift for r in g.rewards)) for g in PROPOSALS]
    plain, moved = learner(**ROLES), learner(**ROLES)
    first = plain.update([*GROUPS, *PROPOSALS], step=0)
    second = moved.update([*GROUPS, *shifted], step=0)
    assert second.roles["solver"] == first.roles["solver"]
    torch.testing.assert_close(flat(moved.lm), flat(plain.lm), atol=1e-5, rtol=1e-4)


def test_invariant_2_the_joint_gradient_is_the_weighted_sum_of_the_roles_gradients() -> None:
    joint = gradient([*GROUPS, *PROPOSALS], **ROLES)
    apart = gradient(GROUPS, "grpo") + 0.5 * gradient(PROPOSALS, "rloo")
    torch.testing.assert_close(joint, apart, atol=1e-6, rtol=1e-4)


@SETTINGS
@given(rewards=st.lists(st.floats(0, 1), min_size=1, max_size=8))
@pytest.mark.parametrize("rule", ["rloo", "grpo", "centred", "maxrl"])
def test_invariant_3_centred_advantages_sum_to_zero(rule: str, rewards: list[float]) -> None:
    found = make_advantage(rule).credit([group("g", rewards)])[0]
    assert abs(found.sum()) <= 1e-9 * max(1.0, float(np.abs(found).max()))
    if len(rewards) == 1:
        assert found.tolist() == [0.0]


@EVERY
@pytest.mark.parametrize("budget", [1, 24, 40])
def test_invariant_8_micro_batches_give_the_same_gradient(algorithm: str, budget: int) -> None:
    table = {"name": algorithm, "kl_coef": 0.1, "entropy_coef": 0.01}
    whole = gradient(GROUPS, table)
    split = gradient(GROUPS, table, token_budget=budget)
    assert float((split - whole).abs().max()) <= 1e-6


@EVERY
def test_invariant_8_reading_shared_prefixes_once_gives_the_same_gradient(algorithm: str) -> None:
    prompts = {"a": [3, *[9, 8, 7] * 4], "b": [3, *[10, 11] * 5], "c": [3, *[12] * 9]}
    groups = []
    for name, prompt in prompts.items():
        plain_group = group(name, [1.0, 0.0, 0.0, 1.0])
        members = tuple(trajectory(m.id, prompt=prompt, replay=[7, 7]) for m in plain_group.members)
        groups.append(replace(plain_group, members=members))
    table = {"name": algorithm, "kl_coef": 0.1, "entropy_coef": 0.01}
    shared, plain = gradient(groups, table), gradient(groups, table, share_prefixes=False)
    assert float((shared - plain).abs().max()) <= 1e-6


def test_invariant_8_the_order_of_roles_gives_the_same_gradient() -> None:
    straight = gradient([*GROUPS, *PROPOSALS], **ROLES)
    turned = gradient([*PROPOSALS, *GROUPS], **ROLES)
    assert float((turned - straight).abs().max()) <= 1e-6


@EVERY
def test_invariant_8_skipping_silent_samples_gives_the_same_gradient(algorithm: str) -> None:
    groups = [*GROUPS, group("right", [1.0, 1.0]), group("wrong", [0.0, 0.0, 0.0])]
    skipped = gradient(groups, algorithm)
    computed = gradient(groups, algorithm, skip_no_signal=False)
    assert float((skipped - computed).abs().max()) <= 1e-6


@pytest.mark.parametrize("algorithm", ["grpo", "rloo", "dr_grpo", "dapo", "gspo", "cispo", "maxrl"])
def test_invariant_9_a_step_without_signal_leaves_weights_and_optimizer_alone(algorithm: str) -> None:
    table = {"name": algorithm, "kl_coef": 0.1, "entropy_coef": 0.01}
    made = learner(table, optimizer="adamw")
    made.update(GROUPS, step=0)
    before, version = made.fingerprint(), made.lm.version
    report = made.update([group("right", [1.0, 1.0]), group("wrong", [0.0, 0.0])], step=1)
    assert not report.applied
    assert report.charged == ()
    assert set(report.dropped.values()) <= {"no_signal", "uninformative"}
    assert made.fingerprint() == before
    assert made.lm.version == version == report.version_out


def test_invariant_10_the_role_baseline_is_read_before_its_update_and_resume_keeps_it(tmp_path: Path) -> None:
    table = {"name": "reinforce", "advantage": {"name": "role_baseline", "decay": 0.5}}
    made = learner(table)
    first = made.update([group("game", [1.0])], step=0)
    assert first.roles["solver"]["advantage_positive"] == 1.0
    made.save(tmp_path / "kept")
    again = learner(table)
    again.load(tmp_path / "kept")
    reports = [each.update([group("game", [1.0])], step=1) for each in (made, again)]
    assert [r.roles["solver"]["advantage_positive"] for r in reports] == [0.5, 0.5]
    assert again.fingerprint() == made.fingerprint()
