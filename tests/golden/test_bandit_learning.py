"""Every algorithm lifts a ten-armed task from chance to 0.9, through the sampler and the learner as they are."""

from __future__ import annotations

import pytest

from rlvr_gym.learner import ALGORITHMS, Learner, LearnerConfig
from rlvr_gym.lm.char_codec import CharCodec
from rlvr_gym.lm.model import TorchLM
from rlvr_gym.lm.tiny import tiny
from rlvr_gym.types import Group, GroupKey, Message, SampleRequest, Trajectory

CODEC = CharCodec(alphabet="0123456789", markers=())
RIGHT = {"a": "7", "b": "2"}
"""Two states, each with its own right arm; the prompt is the state's number."""
PROMPTS = {"a": CODEC.render((Message("user", "0"),)), "b": CODEC.render((Message("user", "1"),))}
STEPS = {"nsr": 150, "w_reinforce": 150}
"""Where wrong answers teach alone, the others rise only as each wrong one falls."""


def play(lm: TorchLM, step: int) -> list[Group]:
    groups = []
    for state, prompt in PROMPTS.items():
        requests = [
            SampleRequest(
                f"{step}/{state}/{i}", prompt, seed=10_000 * step + 100 * len(groups) + i, max_new_tokens=1
            )
            for i in range(16)
        ]
        completions = lm.sample(requests)
        members = [
            Trajectory.single_turn(r.key, "solver", state, r, c)
            for r, c in zip(requests, completions, strict=True)
        ]
        rewards = tuple(float(c.text == RIGHT[state]) for c in completions)
        groups.append(Group(GroupKey("solver", "task", state), tuple(members), rewards))
    return groups


def success(lm: TorchLM) -> float:
    """Success rate of sampling, over both states."""
    groups = play(lm, 10**6) + play(lm, 10**6 + 1) + play(lm, 10**6 + 2)
    rewards = [r for group in groups for r in group.rewards]
    return sum(rewards) / len(rewards)


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_lifts_a_ten_armed_task_from_chance_to_nine_in_ten(algorithm: str) -> None:
    lm = tiny(CODEC, layers=1, width=32, heads=2, context=16, device="cpu")
    config = {"algorithm": algorithm, "optimizer": {"name": "adamw", "lr": 3e-3, "warmup_steps": 5}}
    learner = Learner(LearnerConfig.model_validate(config), lm, seed=0)
    assert success(lm) < 0.25
    for step in range(STEPS.get(algorithm, 100)):
        learner.update(play(lm, step), step=step)
    assert success(lm) >= 0.9
