"""Channels: further rewards of a group, each with advantages of its own that are added with a weight."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rlvr_gym.errors import UsageError
from rlvr_gym.learner import CREDITS, Learner, LearnerConfig, RoleConfig
from rlvr_gym.learner.roles import RoleRules
from rlvr_gym.lm.char_codec import CharCodec
from rlvr_gym.lm.model import TorchLM
from rlvr_gym.lm.tiny import tiny
from rlvr_gym.registry import Entry
from rlvr_gym.selfplay.credit import channels_of
from rlvr_gym.types import Channel, Group, GroupKey, Segment, Status, Trajectory, Verdict

CODEC = CharCodec(alphabet="012345", markers=())
CENTRED = {"name": "reinforce", "advantage": "rloo"}


def model() -> TorchLM:
    return tiny(CODEC, layers=1, width=16, heads=2, context=32, device="cpu")


LM = model()


def trajectory(name: str) -> Trajectory:
    ids = np.array([3, 4, 5], np.int32)
    sampled = Segment("sampled", ids, np.full(3, -2.0, np.float32), np.full(3, 2.0, np.float32), "tiny:0")
    return Trajectory(name, "solver", "t", (Segment("prompt", ids), sampled), "stop")


def group(
    rewards: tuple[float | None, ...], *channels: Channel, key: str = "g", role: str = "solver"
) -> Group:
    members = tuple(trajectory(f"{role}/{key}/{i}") for i in range(len(rewards)))
    return Group(GroupKey(role, "task", key), members, rewards, channels)


def rules(**algorithm: object) -> RoleRules:
    table = {"name": "reinforce", "advantage": "grpo", **algorithm}
    return RoleRules("solver", RoleConfig(algorithm=table), LM)


def advantages(of: Group, **algorithm: object) -> dict[str, float]:
    """Return the advantage of every sample at its first token."""
    prepared = rules(**algorithm).prepare([(0, of)])
    return {s.id.rpartition("/")[2]: float(s.advantages_T[0]) for s in prepared.samples}


def test_each_channel_is_credited_within_itself_and_added_with_its_weight() -> None:
    path = Channel("path", 0.2, (0.5, 0.5, 1.0, 0.0))
    found = advantages(group((1.0, 0.0, 0.0, 1.0), path))
    # Rewards: mean 1/2, deviation 1/2, so +1 and -1. Channel: mean 1/2, deviation sqrt(1/8), so 0, 0, +1.414, -1.414.
    assert found == pytest.approx(
        {"0": 1.0, "1": -1.0, "2": -1.0 + 0.2 * 2**0.5, "3": 1.0 - 0.2 * 2**0.5}, abs=1e-4
    )


@settings(deadline=None, max_examples=40)
@given(
    st.lists(st.floats(-3, 3, width=16), min_size=2, max_size=5),
    st.floats(0.1, 8.0),
    st.floats(-4.0, 4.0),
)
def test_a_channel_is_never_normalised_together_with_the_rewards(
    values: list[float], scale: float, shift: float
) -> None:
    """A rule that divides by the deviation makes scale and shift of a channel meaningless, if it sees it alone."""
    own = tuple(float(i == 0) for i in range(len(values)))
    plain = advantages(group(own, Channel("c", 0.3, tuple(values))))
    moved = advantages(group(own, Channel("c", 0.3, tuple(scale * v + shift for v in values))))
    if np.ptp(values) > 0.1:
        assert moved == pytest.approx(plain, abs=1e-3)
    alone = advantages(group(own))
    assert sum(plain.values()) == pytest.approx(sum(alone.values()), abs=1e-4)


def test_a_masked_member_leaves_the_channels_too() -> None:
    # The third attempt was not judged: what the channel says of it must not move the mean of the others.
    masked = advantages(group((1.0, 0.0, None), Channel("c", 1.0, (0.0, 1.0, 100.0))), advantage="rloo")
    never = advantages(group((1.0, 0.0), Channel("c", 1.0, (0.0, 1.0))), advantage="rloo")
    assert masked == never
    assert set(masked) == {"0", "1"}


def test_a_member_of_which_a_channel_says_nothing_gains_nothing_from_it() -> None:
    # Leave-one-out over the other two: 1 - 0 and 0 - 1, and nothing for the third.
    found = advantages(group((0.0, 0.0, 0.0), Channel("c", 0.5, (1.0, 0.0, None))), advantage="rloo")
    assert found == {"0": 0.5, "1": -0.5, "2": 0.0}


def test_rules_with_a_memory_keep_one_for_each_channel_and_survive_a_checkpoint(tmp_path: Path) -> None:
    def given_(step: int) -> list[Group]:
        return [group((1.0, 1.0), Channel("c", 1.0, (0.0, 0.5)), key=str(step))]

    config = LearnerConfig.model_validate(
        {"algorithm": {"name": "reinforce", "advantage": {"name": "reinforce", "baseline": "running_mean"}}}
    )
    whole = Learner(config, model(), seed=0)
    for step in (1, 2, 3):
        whole.update(given_(step), step=step)
    begun = Learner(config, model(), seed=0)
    for step in (1, 2):
        begun.update(given_(step), step=step)
    begun.save(tmp_path / "state")
    resumed = Learner(config, model(), seed=0)
    resumed.load(tmp_path / "state")
    resumed.update(given_(3), step=3)
    assert resumed.fingerprint() == whole.fingerprint()
    memory = resumed._rules_of("solver")
    # Six rewards of 1 in the rule of the rewards, six of 1/4 on average in that of the channel.
    assert memory.advantage.state_dict() == {"count": 6, "total": 6.0}
    assert memory.channels.state_dict() == {"c": {"count": 6, "total": 1.5}}


def test_without_channels_nothing_is_stored_and_nothing_changes() -> None:
    plain = group((1.0, 0.0, 1.0, 0.0))
    silent = group((1.0, 0.0, 1.0, 0.0), Channel("c", 0.0, (1.0, 2.0, 3.0, 4.0)))
    one, other = (Learner(LearnerConfig(), model(), seed=0) for _ in range(2))
    assert "channels" not in one._state()["roles"].get("solver", {})
    reports = [one.update([plain], step=1), other.update([silent], step=1)]
    assert one.lm.fingerprint() == other.lm.fingerprint()
    assert "channels" not in one._state()["roles"]["solver"]
    told = [set(report.roles["solver"]) for report in reports]
    assert not any("channel" in name for name in told[0])
    assert told[1] - told[0] == {
        "channel/c/reward_mean", "channel/c/informative_share", "channel/c/advantage_positive",
    }  # fmt: skip


def test_a_channel_alone_is_a_signal() -> None:
    flat = group((0.0, 0.0), Channel("path", 0.2, (1.0, 0.0)))
    assert flat.informative
    report = Learner(LearnerConfig(), model(), seed=0).update([flat], step=1)
    assert report.applied
    assert report.roles["solver"]["zero_advantage_share"] == 0.0
    assert report.roles["solver"]["channel/path/informative_share"] == 1.0
    # No weight, or a difference only in what is masked, is none.
    assert not group((0.0, 0.0), Channel("path", 0.0, (1.0, 0.0))).informative
    assert not group((0.0, None), Channel("path", 0.2, (1.0, 0.0))).informative


@pytest.mark.parametrize(
    ("algorithm", "kept"),
    [({"admission": "informative"}, 2), ({"drop_zero_advantage": True}, 2)],
    ids=["admission", "drop_zero_advantage"],
)
def test_filters_keep_what_only_a_channel_tells_apart(algorithm: dict, kept: int) -> None:
    assert len(advantages(group((1.0, 1.0), Channel("c", 0.2, (1.0, 0.0))), **algorithm)) == kept
    assert len(advantages(group((1.0, 1.0), Channel("c", 0.2, (1.0, 1.0))), **algorithm)) == 0


def test_an_advantage_that_a_channel_takes_back_is_dropped_as_zero() -> None:
    cancelled = group((1.0, 0.0), Channel("c", 1.0, (0.0, 1.0)))
    assert advantages(cancelled, advantage="rloo", drop_zero_advantage=True) == {}


def test_credit_weights_multiply_the_rewards_advantage_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """methods: A times the product of token weights, plus the channels."""
    halves = Entry("halves", lambda samples, config: [0.5 * s.advantages_T for s in samples])
    monkeypatch.setitem(CREDITS._entries, "halves", halves)
    of = group((1.0, 0.0), Channel("c", 1.0, (3.0, 0.0)))
    assert advantages(of, advantage="rloo", credit=("halves",)) == {"0": 0.5 + 3.0, "1": -0.5 - 3.0}


def test_a_learned_baseline_replaces_the_rule_and_keeps_the_channels() -> None:
    def updated(*channels: Channel) -> str:
        learner = Learner(LearnerConfig(algorithm="ppo"), model(), seed=0)
        learner.update([group((1.0, 0.0), *channels)], step=1)
        return learner.lm.fingerprint()

    assert updated() != updated(Channel("c", 5.0, (0.0, 1.0)))


def test_what_is_no_channel_is_refused() -> None:
    with pytest.raises(ValueError, match="2 members but 1 rewards in channel 'c'"):
        group((1.0, 0.0), Channel("c", 1.0, (1.0,)))
    with pytest.raises(ValueError, match="comes twice"):
        group((1.0,), Channel("c", 1.0, (1.0,)), Channel("c", 1.0, (1.0,)))
    with pytest.raises(
        UsageError, match="channel 'c' of group 'g' has a weight or reward that is not finite"
    ):
        rules().prepare([(0, group((1.0,), Channel("c", 1.0, (float("nan"),))))])
    kept = replace(group((1.0, None), Channel("c", 1.0, (1.0, 2.0)))).decided()
    assert kept.channels == (Channel("c", 1.0, (1.0,)),)


def test_channels_of_verdicts_are_rewards_of_their_parts() -> None:
    def judged(status: Status, *parts: Verdict) -> Verdict:
        return Verdict.of(status, "because", parts=parts)

    half = Verdict(Status.FAILED, 0.5, "half of it", verifier="kg_path@1")
    gave_up = Verdict.of(Status.UNDECIDED, "gave up", verifier="kg_path@1")
    verdicts = [
        judged(Status.PASSED, half),
        # Without the part it states nothing of the path.
        judged(Status.MALFORMED),
        # A part that is not decided says nothing, and a verdict that is not decided leaves with all its parts.
        judged(Status.FAILED, gave_up),
        judged(Status.TIMEOUT, half),
        judged(Status.FAILED, Verdict(Status.FAILED, 0.9, "another", verifier="kg_path_long@1")),
    ]
    assert channels_of(verdicts, [("path", "kg_path", 0.2)]) == (
        Channel("path", 0.2, (0.5, 0.0, None, None, 0.0)),
    )
    assert channels_of(verdicts, []) == ()
