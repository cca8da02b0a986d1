"""What carries gradient in a trajectory of several turns: the tokens that the policy wrote in this rollout, and no other."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from rlvr_gym.agents import Demonstration
from rlvr_gym.learner import Learner, LearnerConfig, SFTConfig, SFTExample
from rlvr_gym.lm.char_codec import CharCodec
from rlvr_gym.lm.model import TorchLM
from rlvr_gym.lm.tiny import tiny
from rlvr_gym.selfplay.imitation import example_of
from rlvr_gym.types import Group, GroupKey, Message, SampleRequest, Segment, Trajectory

CODEC = CharCodec(alphabet="012345", markers=())
PROMPT = CODEC.render((Message("user", "1"),))
ANSWER = CODEC.render_added((Message("user", "45"),))


def model() -> TorchLM:
    return tiny(CODEC, layers=1, width=16, heads=2, context=64, device="cpu")


def group(lm: TorchLM) -> Group:
    """Return four attempts: a prompt, two turns of three that are replayed, and one that is sampled."""
    (first,) = lm.sample([SampleRequest("first", PROMPT, seed=5, max_new_tokens=3)])
    opening = [
        Segment("prompt", PROMPT),
        Segment("replay", first.ids, first.logprobs, first.entropies, "older"),
        Segment("environment", ANSWER),
        Segment("replay", first.ids, first.logprobs, first.entropies, "older"),
        Segment("environment", ANSWER),
    ]
    seen = np.concatenate([s.ids for s in opening])
    requests = [SampleRequest(str(i), seen, seed=i, max_new_tokens=3) for i in range(4)]
    members = [
        Trajectory(
            r.key,
            "solver",
            "t",
            (*opening, Segment("sampled", c.ids, c.logprobs, c.entropies, c.version)),
            c.finish,
        )
        for r, c in zip(requests, lm.sample(requests), strict=True)
    ]
    return Group(GroupKey("solver", "task", "t"), tuple(members), (1.0, 0.0, 0.0, 1.0))


def after(change: Callable[[Segment], Segment]) -> str:
    """Return the weights after one update on the group with its segments changed."""
    lm = model()
    attempts = group(lm)
    learner = Learner(LearnerConfig(optimizer={"name": "adamw", "lr": 1e-2}), lm, seed=0)
    before = lm.fingerprint()
    members = tuple(replace(m, segments=tuple(map(change, m.segments))) for m in attempts.members)
    learner.update([replace(attempts, members=members)], step=1)
    assert lm.fingerprint() != before
    return lm.fingerprint()


def test_replayed_tokens_have_no_gradient() -> None:
    def shown(segment: Segment) -> Segment:
        return Segment("environment", segment.ids) if segment.kind == "replay" else segment

    def trained(segment: Segment) -> Segment:
        return replace(segment, kind="sampled") if segment.kind == "replay" else segment

    plain = after(lambda segment: segment)
    assert after(shown) == plain
    # The tokens would have had a gradient.
    assert after(trained) != plain


@pytest.mark.parametrize("shift", [-3.0, 2.0])
def test_old_log_probabilities_of_replayed_tokens_change_nothing(shift: float) -> None:
    def shifted(segment: Segment) -> Segment:
        if segment.kind != "replay" or segment.logprobs is None:
            return segment
        return replace(segment, logprobs=segment.logprobs + np.float32(shift))

    assert after(shifted) == after(lambda segment: segment)


def test_of_a_demonstrated_conversation_only_the_own_turns_are_imitated() -> None:
    lm = model()
    conversation = Demonstration(
        "solver",
        (Message("user", "1"),),
        "2",
        more=(((Message("user", "45"),), "3"), ((Message("user", "0"),), "1")),
    )
    example = example_of(conversation, lm)
    assert example.imitated is not None
    said = example.completion_ids[example.imitated]
    assert [lm.decode(said[i : i + 1]) for i in range(len(said))] == ["2", "", "3", "", "1", ""]
    # The tokens are those that a dialogue would have shown.
    opening = np.append(lm.render(conversation.prompt), [*CODEC.encode("2"), CODEC.stop_ids[0]])
    shown = np.concatenate([opening, lm.render_added((Message("user", "45"),))])
    whole = np.concatenate([example.prompt_ids, example.completion_ids])
    np.testing.assert_array_equal(whole[: len(shown)], shown)


def test_a_turn_is_imitated_as_it_would_be_alone() -> None:
    """The likelihood of a conversation is the product of its turns', each behind all that came before it."""
    once, twice = model(), model()
    conversation = example_of(
        Demonstration("solver", (Message("user", "1"),), "2", more=(((Message("user", "45"),), "3"),)), once
    )
    cut = len(conversation.prompt_ids) + 2 + len(ANSWER)
    whole = np.concatenate([conversation.prompt_ids, conversation.completion_ids])
    first = SFTExample(conversation.prompt_ids, conversation.completion_ids[:2])
    second = SFTExample(whole[:cut], whole[cut:])
    config = SFTConfig(optimizer={"name": "sgd", "lr": 0.1}, batch_size=2, max_grad_norm=1e9)
    for lm, examples in ((once, [conversation]), (twice, [first, second])):
        Learner(LearnerConfig(), lm, seed=0).sft(examples, config)
    for a, b in zip(once.module.parameters(), twice.module.parameters(), strict=True):
        np.testing.assert_allclose(a.detach().numpy(), b.detach().numpy(), atol=1e-6)
