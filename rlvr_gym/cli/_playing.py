"""One episode, turn by turn, for those who want to watch."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from rlvr_gym.envs import MultiTurnEnv, TaskEnv
from rlvr_gym.policies import Policy, opening, room_left
from rlvr_gym.seeding import derive
from rlvr_gym.types import Message, SampleRequest, Task, Verdict


@dataclass(frozen=True, slots=True)
class Sampling:
    """How a policy writes."""

    seed: int = 0
    temperature: float = 1.0
    top_p: float = 1.0
    max_new_tokens: int = 1024


@dataclass(frozen=True, slots=True)
class Turn:
    """What the policy wrote, and what came of it."""

    number: int
    response: str
    observation: str
    verdict: Verdict | None
    """At the end of the episode."""


def turns(policy: Policy, env: TaskEnv, task: Task, sampling: Sampling) -> Iterator[Turn]:
    """Play ``task`` and yield its turns as they happen; the last one has a verdict."""
    env.reset(options={"task": task})
    ids = opening(policy, env.conversation)
    number = 0
    while True:
        number += 1
        left = room_left(policy, None, len(ids))
        if left == 0 and isinstance(env, MultiTurnEnv):
            yield Turn(number, "", "", env.cut(f"no room for another turn after {len(ids)} tokens"))
            return
        request = SampleRequest(
            key=f"play/{task.id}/0/{number}",
            prompt_ids=ids,
            seed=derive(sampling.seed, "play", task.id, number),
            max_new_tokens=sampling.max_new_tokens if left is None else min(sampling.max_new_tokens, left),
            temperature=sampling.temperature,
            top_p=sampling.top_p,
        )
        (completion,) = policy.sample([request])
        observation, _, terminated, truncated, info = env.step(completion.text)
        yield Turn(number, completion.text, observation, info.get("verdict"))
        if terminated or truncated:
            return
        answer = policy.render_added((Message("user", observation),), closed=completion.finish == "stop")
        ids = np.concatenate([ids, completion.ids, answer])
