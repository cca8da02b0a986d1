"""The learner end to end on a very small model: resume, reports, fine-tuning, refusals."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
from safetensors.torch import load_file

from rlvr_gym.errors import ConfigError, StoreError, UsageError
from rlvr_gym.learner import (
    CREDITS,
    Batch,
    Counts,
    Learner,
    LearnerConfig,
    NonFiniteGradientError,
    OptimizerConfig,
    Sample,
    SFTConfig,
    SFTExample,
)
from rlvr_gym.learner.optimizers import learning_rate
from rlvr_gym.learner.packing import pack
from rlvr_gym.learner.scoring import score
from rlvr_gym.lm.char_codec import CharCodec
from rlvr_gym.lm.lora import add_lora
from rlvr_gym.lm.model import TorchLM
from rlvr_gym.lm.tiny import tiny
from rlvr_gym.registry import Entry
from rlvr_gym.types import Group, GroupKey, Message, SampleRequest, Segment, Trajectory

CODEC = CharCodec(alphabet="012345", markers=())
EOS = CODEC.stop_ids[0]
PROMPT = CODEC.render((Message("user", "1"),))


def model() -> TorchLM:
    return tiny(CODEC, layers=1, width=16, heads=2, context=32, device="cpu")


def learner(lm: TorchLM | None = None, seed: int = 0, **config: object) -> Learner:
    return Learner(LearnerConfig.model_validate(config), lm or model(), seed=seed)


def rollouts(
    lm: TorchLM, step: int, role: str = "solver", wanted: str = "3", count: int = 4, **request: object
) -> list[Group]:
    """Two sampled groups; a completion that starts with ``wanted`` is right."""
    groups = []
    for g in range(2):
        requests = [
            SampleRequest(
                f"{role}/{step}/{g}/{i}", PROMPT, seed=1000 * step + 10 * g + i, max_new_tokens=3, **request
            )
            for i in range(count)
        ]
        completions = lm.sample(requests)
        members = [
            Trajectory.single_turn(r.key, role, "t", r, c) for r, c in zip(requests, completions, strict=True)
        ]
        rewards = tuple(float(c.text.startswith(wanted)) for c in completions)
        groups.append(Group(GroupKey(role, "task", f"{step}/{g}"), tuple(members), rewards))
    return groups


def mixed(step: int = 0, role: str = "solver") -> list[Group]:
    """Groups that always have a signal."""
    return [replace(g, rewards=(1.0, 0.0, 0.0, 1.0)) for g in rollouts(model(), step, role)]


@pytest.mark.parametrize(
    "config",
    [
        {"algorithm": {"name": "grpo", "kl_coef": 0.1}},
        {"algorithm": "ppo", "epochs": 2, "minibatches": 2},
        {"algorithm": {"name": "reinforce", "advantage": {"name": "reinforce", "baseline": "running_mean"}}},
        {
            "roles": {"proposer": {"algorithm": "sign"}},
            "optimizer": {"name": "adamw", "decay": "linear", "total_steps": 20},
        },
    ],
    ids=["reference", "critic", "running-mean", "roles"],
)
def test_a_resumed_learner_goes_on_bit_for_bit(tmp_path: Path, config: dict) -> None:
    straight = learner(**config)
    for step in range(4):
        if step == 2:
            straight.save(tmp_path / "at2")
        straight.update([*mixed(step), *mixed(step, "proposer")], step=step)
    resumed = learner(**config)
    resumed.load(tmp_path / "at2")
    for step in (2, 3):
        resumed.update([*mixed(step), *mixed(step, "proposer")], step=step)
    assert resumed.fingerprint() == straight.fingerprint()
    assert resumed.lm.fingerprint() == straight.lm.fingerprint()
    assert resumed.lm.version == straight.lm.version == "tiny:4"


def test_the_same_inputs_give_the_same_bytes() -> None:
    prints = set()
    for _ in range(2):
        made = learner(minibatches=2, epochs=2)
        for step in range(3):
            made.update(mixed(step), step=step)
        prints.add(made.fingerprint())
    assert len(prints) == 1


def test_the_global_random_state_is_neither_read_nor_changed() -> None:
    torch.manual_seed(1)
    state = torch.random.get_rng_state()
    first = learner(minibatches=2)
    first.update(mixed(), step=0)
    assert torch.equal(torch.random.get_rng_state(), state)
    torch.manual_seed(2)
    second = learner(minibatches=2)
    second.update(mixed(), step=0)
    assert second.fingerprint() == first.fingerprint()


def test_an_update_names_the_new_version_and_accounts_for_every_trajectory() -> None:
    made = learner(algorithm={"name": "dapo", "drop_truncated": True})
    groups = mixed()
    silent = [
        replace(g, key=GroupKey("solver", "task", "s"), rewards=(1.0,) * 4) for g in rollouts(made.lm, 7)[:1]
    ]
    report = made.update([*groups, *silent], step=3)
    given = [m.id for g in [*groups, *silent] for m in g.members]
    assert sorted([*report.charged, *report.dropped]) == sorted(given)
    assert set(report.dropped.values()) <= {"uninformative", "truncated"}
    assert (report.step, report.version_in, report.version_out) == (3, "tiny:0", "tiny:1")
    assert made.lm.version == "tiny:1"
    json.dumps(report.to_dict(), allow_nan=False)


def test_group_health_is_reported_before_the_filter() -> None:
    made = learner(algorithm="dapo")
    base = rollouts(made.lm, 0)[0]
    rewards = {"a": (1.0,) * 4, "b": (0.0,) * 4, "c": (1.0, 0.0, 0.0, 0.0), "d": (0.0, None, 0.0, 0.0)}
    groups = [
        Group(
            GroupKey("solver", "task", name),
            tuple(replace(m, id=f"{name}{i}") for i, m in enumerate(base.members)),
            row,
        )
        for name, row in rewards.items()
    ]
    figures = made.update(groups, step=0).roles["solver"]
    assert figures["all_right_share"] == 0.25
    assert figures["all_wrong_share"] == 0.5
    assert figures["num_masked"] == 1
    assert figures["reward_mean"] == pytest.approx(5 / 15)
    assert figures["advantage_positive"] == pytest.approx(3**0.5, rel=1e-5)
    assert figures["advantage_negative"] == pytest.approx(3**0.5, rel=1e-5)


def test_on_policy_samples_are_at_distance_zero_from_the_behaviour() -> None:
    made = learner()
    report = made.update([replace(g, rewards=(1.0, 0.0, 0.0, 1.0)) for g in rollouts(made.lm, 0)], step=0)
    assert report.roles["solver"]["kl_behaviour"] == pytest.approx(0, abs=1e-9)
    assert report.roles["solver"]["clip_high"] == report.roles["solver"]["clip_low"] == 0


@pytest.mark.parametrize("temperature", [0.5, 2.0])
def test_tempered_samples_are_scored_under_their_own_law(temperature: float) -> None:
    made = learner()
    groups = [replace(g, rewards=(1.0, 0.0, 0.0, 1.0)) for g in rollouts(made.lm, 0, temperature=temperature)]
    assert made.update(groups, step=0).roles["solver"]["kl_behaviour"] == pytest.approx(0, abs=1e-9)


def test_truncated_sampling_laws_are_scored_again() -> None:
    made = learner()
    groups = [replace(g, rewards=(1.0, 0.0, 0.0, 1.0)) for g in rollouts(made.lm, 0, top_p=0.5)]
    assert groups[0].members[0].logprobs.max() > -1.9, "the record is of the truncated law"
    assert made.update(groups, step=0).roles["solver"]["kl_behaviour"] == pytest.approx(0, abs=1e-9)


def test_a_perturbed_rollout_is_scored_under_its_own_prompt() -> None:
    lm = model()
    member = mixed()[0].members[0]
    shown = np.concatenate([CODEC.encode("5555"), member.segments[0].ids])
    perturbed = replace(
        member,
        segments=(Segment("prompt", shown), member.segments[1]),
        scored_prompt=member.segments[0].ids,
    )
    plain = Sample.of(member, group=0, reward=1.0, advantage=1.0)
    scored = Sample.of(perturbed, group=0, reward=1.0, advantage=1.0)
    np.testing.assert_array_equal(scored.ids, plain.ids)
    np.testing.assert_array_equal(scored.loss, plain.loss)
    np.testing.assert_array_equal(scored.old_logprobs_T, plain.old_logprobs_T)
    assert lm.version == "tiny:0"


def test_what_follows_the_last_sampled_token_is_not_read() -> None:
    member = mixed()[0].members[0]
    longer = replace(member, segments=(*member.segments, Segment("environment", np.array([4, 5, 6]))))
    plain, trimmed = (Sample.of(m, group=0, reward=1.0, advantage=1.0) for m in (member, longer))
    np.testing.assert_array_equal(trimmed.ids, plain.ids)
    assert trimmed.ids.dtype == np.int32


def test_role_weights_scale_a_roles_part_of_the_step() -> None:
    def step(weight: float) -> torch.Tensor:
        made = learner(
            optimizer={"name": "sgd", "lr": 1.0, "warmup_steps": 0},
            max_grad_norm=1e9,
            roles={"solver": {"algorithm": "rloo", "weight": weight}},
        )
        before = torch.cat([p.detach().reshape(-1).clone() for p in made.lm.module.parameters()])
        made.update(mixed(), step=0)
        return before - torch.cat([p.detach().reshape(-1) for p in made.lm.module.parameters()])

    torch.testing.assert_close(step(0.25), 0.25 * step(1.0), atol=1e-7, rtol=1e-3)


def test_roles_learn_by_their_own_algorithm_and_others_by_the_default() -> None:
    made = learner(algorithm="dr_grpo", roles={"proposer": {"algorithm": "sign"}})
    right = [replace(g, rewards=(1.0,) * 4) for g in [*mixed(), *mixed(role="proposer")]]
    report = made.update(right, step=0)
    assert report.roles["proposer"]["zero_advantage_share"] == 0
    assert report.roles["solver"]["zero_advantage_share"] == 1


def test_updates_raise_the_reward() -> None:
    made = learner(algorithm="grpo", optimizer={"name": "adamw", "lr": 1e-2, "warmup_steps": 0})
    for step in range(40):
        report = made.update(rollouts(made.lm, step, count=16), step=step)
    assert report.roles["solver"]["reward_mean"] > 0.8


def test_a_kl_to_the_reference_holds_the_policy_back() -> None:
    def distance(kl_coef: float) -> float:
        made = learner(
            algorithm={"name": "grpo", "kl_coef": kl_coef},
            optimizer={"name": "adamw", "lr": 1e-2, "warmup_steps": 0},
        )
        found = 0.0
        for step in range(40):
            report = made.update(rollouts(made.lm, step, count=16), step=step)
            found = report.roles["solver"].get("kl_reference", found)
        return found

    assert distance(1.0) < 0.5 * distance(1e-6)


def test_credit_rules_run_in_order_between_advantage_and_loss(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[np.ndarray] = []

    def last_token(samples: Sequence[Sample], config: object) -> list[np.ndarray]:
        return [np.where(np.arange(s.num_tokens) == s.num_tokens - 1, s.advantages_T, 0) for s in samples]

    def mute(samples: Sequence[Sample], config: object) -> list[np.ndarray]:
        seen.extend(s.advantages_T for s in samples)
        return [np.zeros_like(s.advantages_T) for s in samples]

    for name, rule in (("last_token", last_token), ("mute", mute)):
        monkeypatch.setitem(CREDITS._entries, name, Entry(name, rule))
    table = {"name": "grpo", "credit": ["last_token", "mute"]}
    assert not learner(algorithm=table).update(mixed(), step=0).applied
    assert all(row[-1] != 0 and not row[:-1].any() for row in seen)
    assert learner(algorithm={"name": "grpo", "credit": ["last_token"]}).update(mixed(), step=0).applied


def test_only_adapters_move_and_are_kept_when_training_low_rank(tmp_path: Path) -> None:
    lm = add_lora(model(), rank=2)
    frozen = {n: p.clone() for n, p in lm.module.named_parameters() if not p.requires_grad}
    made = learner(lm, algorithm={"name": "grpo", "kl_coef": 0.1})
    adapters = made.fingerprint()
    made.update(mixed(), step=0)
    assert made.fingerprint() != adapters
    assert all(torch.equal(p, frozen[n]) for n, p in lm.module.named_parameters() if n in frozen)
    made.save(tmp_path / "lora")
    assert (
        set(load_file(tmp_path / "lora" / "state.safetensors")) & {f"/weights/{n}" for n in frozen} == set()
    )
    again = learner(add_lora(model(), rank=2), algorithm={"name": "grpo", "kl_coef": 0.1})
    again.load(tmp_path / "lora")
    assert again.lm.fingerprint() == made.lm.fingerprint()


def test_sft_lowers_the_loss_and_renames_the_version() -> None:
    made = learner()
    examples = [SFTExample(PROMPT, np.array([*CODEC.encode("42"), EOS], np.int32))] * 8
    seen: list[tuple[int, int]] = []
    report = made.sft(
        examples,
        SFTConfig(epochs=30, batch_size=4, optimizer={"name": "adamw", "lr": 1e-2}),
        progress=lambda done, of, loss: seen.append((done, of)),
    )
    assert report.last_loss < 0.1 < 1.0 < report.first_loss
    assert report.num_steps == 60
    assert seen[-1] == (60, 60)
    assert (report.version_in, report.version_out) == ("tiny:0", "tiny:1")
    text = made.lm.sample([SampleRequest("k", PROMPT, 0, 4, temperature=0.0)])[0].text
    assert text == "42"


def test_sft_weights_decide_between_contradicting_examples() -> None:
    made = learner()
    examples = [
        SFTExample(PROMPT, np.array([*CODEC.encode("1"), EOS], np.int32), weight=3.0),
        SFTExample(PROMPT, np.array([*CODEC.encode("2"), EOS], np.int32), weight=1.0),
        SFTExample(PROMPT, np.array([*CODEC.encode("5"), EOS], np.int32), weight=0.0),
    ]
    report = made.sft(examples, SFTConfig(steps=150, batch_size=2, optimizer={"name": "adamw", "lr": 1e-2}))
    assert report.num_examples == 2
    drawn = made.lm.sample([SampleRequest(f"{i}", PROMPT, i, 1) for i in range(400)])
    share = np.mean([c.text == "1" for c in drawn])
    assert share == pytest.approx(0.75, abs=0.08)


def test_sft_is_deterministic_and_forgets_the_moments_of_other_weights() -> None:
    examples = [SFTExample(PROMPT, np.array([*CODEC.encode(t), EOS], np.int32)) for t in "0123"]
    prints = set()
    for _ in range(2):
        made = learner()
        made.update(mixed(), step=0)
        made.sft(examples, SFTConfig(epochs=3, batch_size=2))
        assert made._optimizer.state_dict() == {"moments": {}}
        prints.add(made.fingerprint())
    assert len(prints) == 1


def test_sft_on_nothing_changes_nothing() -> None:
    made = learner()
    before = made.fingerprint()
    report = made.sft([SFTExample(PROMPT, np.zeros(0, np.int32))])
    assert report.stopped == "empty"
    assert made.fingerprint() == before


@pytest.mark.parametrize(
    ("config", "line"),
    [
        (
            {"algorithm": "gpso"},
            "learner: role 'default' algorithm: No algorithm is named 'gpso'. Did you mean 'gspo'?",
        ),
        (
            {"algorithm": {"name": "grpo", "clip_lwo": 1}},
            "algorithm.clip_lwo is not a setting. Did you mean 'clip_low'?",
        ),
        (
            {"algorithm": {"name": "grpo", "advantage": "sgin"}},
            "advantage: No advantage is named 'sgin'. Did you mean 'sign'?",
        ),
        (
            {"roles": {"a": {"algorithm": {"name": "dapo", "shaping": ["overlong"]}}}},
            "shaping.max_tokens is required.",
        ),
        ({"optimizer": {"name": "adamw", "lr": -1}}, "optimizer.lr: Input should be greater than 0, got -1."),
    ],
)
def test_a_wrong_setting_is_named_before_anything_is_sampled(config: dict, line: str) -> None:
    with pytest.raises(ConfigError) as error:
        learner(**config)
    assert line in str(error.value)


def test_a_reward_that_is_no_number_is_refused() -> None:
    with pytest.raises(UsageError, match="None means undecided"):
        learner().update([replace(mixed()[0], rewards=(float("nan"), 0.0, 1.0, 0.0))], step=0)


def test_a_trajectory_that_comes_twice_is_refused() -> None:
    groups = mixed()
    with pytest.raises(UsageError, match="comes twice"):
        learner().update([groups[0], groups[0]], step=0)


def test_a_sampled_token_that_nothing_predicts_is_refused() -> None:
    group = mixed()[0]
    bare = replace(group.members[0], segments=group.members[0].segments[1:])
    with pytest.raises(UsageError, match="needs a prompt"):
        learner().update([replace(group, members=(bare, *group.members[1:]))], step=0)


def test_a_gradient_that_is_not_finite_leaves_the_weights_alone() -> None:
    made = learner()
    with torch.no_grad():
        next(made.lm.module.parameters())[0, 0] = float("inf")
    before = made.lm.fingerprint()
    with pytest.raises(NonFiniteGradientError, match="not finite"):
        made.update([replace(g, rewards=(1.0, 0.0, 0.0, 1.0)) for g in mixed()], step=0)
    assert made.lm.fingerprint() == before


def test_a_checkpoint_of_another_model_or_a_damaged_one_is_refused(tmp_path: Path) -> None:
    learner().save(tmp_path / "small")
    other = learner(tiny(CODEC, layers=1, width=32, heads=2, context=32, device="cpu"))
    with pytest.raises(StoreError, match="of another kind"):
        other.load(tmp_path / "small")
    (tmp_path / "small" / "state.safetensors").write_bytes(b"x")
    with pytest.raises(StoreError, match="damaged"):
        learner().load(tmp_path / "small")
    with pytest.raises(StoreError, match="not a learner's checkpoint"):
        learner().load(tmp_path / "none")


def sample(number: int, length: int, group: int = 0) -> Sample:
    zeros = np.zeros(length - 1, np.float32)
    return Sample(
        id=str(number),
        group=group,
        reward=0,
        advantage=0,
        ids=np.zeros(length, np.int32),
        loss=np.arange(length) > 0,
        old_logprobs_T=zeros,
        old_entropies_T=zeros,
        advantages_T=zeros,
    )


@pytest.mark.parametrize("budget", [1, 40, 64, 10_000])
def test_packing_keeps_every_sample_once_within_the_budget(budget: int) -> None:
    lengths = np.random.default_rng(0).integers(2, 20, size=50)
    parts = pack([sample(i, int(n)) for i, n in enumerate(lengths)], budget, split_cost=8)
    assert sorted(int(s.id) for part in parts for s in part) == list(range(50))
    for part in parts:
        assert len(part) == 1 or len(part) * max(len(s.ids) for s in part) <= budget


def test_packing_separates_short_from_long() -> None:
    parts = pack([sample(i, 100 if i % 2 else 10) for i in range(20)], 10_000, split_cost=50)
    assert [{len(s.ids) for s in part} for part in parts] == [{100}, {10}]
    assert len(pack([sample(i, 100 if i % 2 else 10) for i in range(20)], 10_000, split_cost=5000)) == 1


def test_packing_keeps_groups_whole_where_a_loss_needs_them() -> None:
    samples = [sample(i, 5 + i % 7, group=i % 4) for i in range(24)]
    parts = pack(samples, 40, whole_groups=True, split_cost=0)
    homes = [{s.group for s in part} for part in parts]
    assert len(parts) > 1
    assert sum(len(h) for h in homes) == 4


def test_a_batch_carries_the_counts_of_the_whole_step() -> None:
    samples = [sample(0, 4), sample(1, 3), sample(2, 6, group=1)]
    batch = Batch.of(samples[:1], Counts.of(samples), {0: 2, 1: 1})
    assert batch.counts == Counts(tokens=3 + 2 + 5, sequences=3, groups=2)
    assert batch.group_sizes_B.tolist() == [2.0]


def test_equal_prefixes_are_kept_once_and_score_alike() -> None:
    lm = model()
    members = [m for g in mixed() for m in g.members]
    samples = [Sample.of(m, group=0, reward=0.0, advantage=1.0) for m in members]
    batch = Batch.of(samples, Counts.of(samples), {0: len(samples)})
    assert batch.prefixes.ids_UP.tolist() == [PROMPT.tolist()]
    assert batch.prefixes.owners_B.tolist() == [0] * 8
    # 3 prompt tokens once and 2 of each completion's 3, against 5 of each row's 6.
    assert batch.prefixes.share_of_plain == pytest.approx((3 + 8 * 2) / (8 * 5))
    shared, plain = (score(lm, batch, share=share).logprobs_BT.detach() for share in (True, False))
    torch.testing.assert_close(shared, plain, atol=1e-6, rtol=1e-5)
    torch.testing.assert_close(plain, batch.old_logprobs_BT, atol=1e-6, rtol=1e-5)


def test_the_learning_rate_warms_up_and_decays() -> None:
    config = OptimizerConfig(lr=1.0, warmup_steps=4, decay="linear", total_steps=14)
    assert [learning_rate(config, s) for s in (0, 3, 4, 9, 14, 99)] == [0.25, 1.0, 1.0, 0.5, 0.0, 0.0]
    cosine = OptimizerConfig(lr=1.0, warmup_steps=0, decay="cosine", total_steps=10)
    assert learning_rate(cosine, 5) == pytest.approx(0.5)
