"""The stage: environments that answer a policy turn by turn, one copy for each trajectory that is being played.

What an environment answers is recorded before an episode sees it, and read back when a run resumes. A copy is made
only when something new is asked of it: it is told the conversation so far and goes on from there, since an
environment's reply is a function of the conversation. All that waits at one moment is executed side by side, in
threads, and recorded together or not at all.
"""

from __future__ import annotations

import asyncio
import os
import pickle
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Literal

from rlvr_gym.envs import MultiTurnEnv
from rlvr_gym.runtimes.base import SandboxLostError
from rlvr_gym.store import RunStore
from rlvr_gym.types import Conversation, Json, Message, Task, Verdict

STEPPED = "stepped"
"""Kind of event that records what an environment answered."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What an environment made of an action."""

    observation: str
    verdict: Verdict | None
    """None while the episode goes on."""
    fingerprint: str | None = None
    """Of the state after the action, where it was asked for and the episode goes on."""
    replayed: bool = False
    """Whether a replay led to the state that was recorded."""

    def to_dict(self) -> dict[str, Json]:
        """Return the answer as JSON values."""
        return {
            "observation": self.observation,
            "verdict": None if self.verdict is None else self.verdict.to_dict(),
            "fingerprint": self.fingerprint,
            "replayed": self.replayed,
        }

    @classmethod
    def from_dict(cls, row: Json) -> Answer:
        """Read what ``to_dict`` wrote."""
        verdict = None if row["verdict"] is None else Verdict.from_dict(row["verdict"])
        return cls(row["observation"], verdict, row["fingerprint"], row["replayed"])


@dataclass(frozen=True, slots=True)
class Action:
    """Something asked of the environment of one trajectory."""

    path: tuple[int, ...]
    """Names the trajectory among those of the step."""
    key: str
    """Under which the answer is recorded."""
    env: MultiTurnEnv
    """Copied, never played itself."""
    task: Task
    conversation: Conversation
    """All messages before the action; of a replay, those that it is to lead to."""
    kind: Literal["step", "cut", "replay"] = "step"
    """Whether the policy wrote ``text``, the episode ends for the reason ``text``, or the conversation's actions are
    played again, up to the state ``fingerprint``."""
    text: str = ""
    fingerprint: str | None = None
    fingerprinted: bool = False
    """Whether the state after a step is hashed, which may cost an environment more than the step."""


@dataclass(slots=True)
class Act:
    """An action with whoever waits for its answer."""

    action: Action
    future: asyncio.Future[Answer]


class Stage:
    """The copies of one step."""

    def __init__(self, store: RunStore, step: int) -> None:
        self._store = store
        self._step = step
        self._blank: dict[int, bytes] = {}
        self._live: dict[tuple[int, ...], MultiTurnEnv] = {}

    def serve(self, actions: Sequence[Action]) -> list[Answer]:
        """Return the answers to ``actions``, the recorded ones as recorded; no two are of one trajectory."""
        by_key = {action.key: action for action in actions}

        def make(missing: list[str]) -> list[Json]:
            asked = [by_key[key] for key in missing]
            for action in asked:
                if id(action.env) not in self._blank:
                    # Pickled and read back here alone: a copy of our own environment, before any response.
                    self._blank[id(action.env)] = pickle.dumps(action.env)
            with ThreadPoolExecutor(os.cpu_count() or 1) as threads:
                return [answer.to_dict() for answer in threads.map(self._perform, asked)]

        rows = self._store.once_many(self._step, STEPPED, list(by_key), make)
        return [Answer.from_dict(row) for row in rows]

    def close(self) -> None:
        """Close all copies that are still open, such as after an error."""
        while self._live:
            self._live.popitem()[1].close()

    def _perform(self, action: Action) -> Answer:
        if action.kind == "replay":
            return self._replay(action)
        env = self._at(action)
        if action.kind == "cut":
            answer = Answer("", env.cut(action.text))
        else:
            observation, _, terminated, truncated, info = env.step(action.text)
            over = terminated or truncated
            state = _fingerprint(env) if action.fingerprinted and not over else None
            answer = Answer(observation, info["verdict"] if over else None, state)
        if answer.verdict is not None:
            self._leave(action.path)
        return answer

    def _at(self, action: Action) -> MultiTurnEnv:
        """Return the trajectory's copy where the action finds it, telling a new one the conversation so far."""
        env = self._live.get(action.path)
        if env is not None and len(env.conversation) == len(action.conversation):
            return env
        env = self._fresh(action)
        said = [message.to_json() for message in action.conversation]
        if len(said) > len(env.conversation):
            env.set_state({**env.get_state(), "conversation": said})
        return env

    def _replay(self, action: Action) -> Answer:
        """Play the recorded actions again and compare the state that they lead to with the recorded one."""
        env = self._fresh(action)
        for message in action.conversation:
            if message.role == "assistant":
                *_, terminated, truncated, _ = env.step(message.content)
                if terminated or truncated:
                    self._leave(action.path)
                    return Answer("", None, replayed=False)
        found = _fingerprint(env)
        same = found is not None and found == action.fingerprint
        if not same:
            self._leave(action.path)
        return Answer("", None, found, replayed=same)

    def _fresh(self, action: Action) -> MultiTurnEnv:
        self._leave(action.path)
        # Pickled by this process: a copy of our own environment, before it has met any action.
        env: MultiTurnEnv = pickle.loads(self._blank[id(action.env)])
        self._live[action.path] = env
        env.reset(options={"task": action.task})
        return env

    def _leave(self, path: tuple[int, ...]) -> None:
        env = self._live.pop(path, None)
        if env is not None:
            env.close()


def _fingerprint(env: MultiTurnEnv) -> str | None:
    """Return the fingerprint, None where the sandbox was lost: the next action will tell, and be masked."""
    try:
        return env.fingerprint()
    except SandboxLostError:
        return None


def answered(observation: str) -> Conversation:
    """Return an observation as the message that a policy is shown."""
    return (Message("user", observation),)
