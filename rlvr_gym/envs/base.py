"""Environments of tasks: one task per episode, texts in and out, a verdict at the end."""

from __future__ import annotations

import abc
import hashlib
import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import gymnasium
import numpy as np
from gymnasium.utils import seeding as gymnasium_seeding

from rlvr_gym.errors import ConfigError, TaskError, UsageError, did_you_mean
from rlvr_gym.seeding import generator
from rlvr_gym.spaces import UnicodeText, is_unicode
from rlvr_gym.types import Conversation, Json, Message, Status, Task, Verdict
from rlvr_gym.verifiers.base import Verifier

MAX_PROMPT_CHARS = 16_384
MAX_RESPONSE_CHARS = 65_536
# A draw that repeats so often has met every task there is, or nearly.
_PATIENCE = 300
T = TypeVar("T")


class TaskEnv(gymnasium.Env[str, str], abc.ABC):
    """An environment whose episodes are attempts at tasks.

    An observation is the text of the message the policy is to answer, an action is its answer. ``terminated``
    means that the verifier decided; the reward is then the verdict's score. An episode that a turn limit ends is
    ``truncated`` with reward 0. When the verifier could not decide, the episode is ``truncated`` too and its
    reward is NaN: a 0 would teach that the answer was wrong. The info of the last step holds ``verdict``, and
    ``masked`` says that no reward may be learned from.

    Args:
        verifier: Registered name of the verifier that judges responses.
        settings: Settings of the verifier.
        max_prompt_chars: Longest observation, in code points.
        max_response_chars: Longest action that is judged; a longer one is malformed.
    """

    metadata: dict[str, Any] = {"render_modes": []}
    max_live: int | None = None
    """How many episodes should run at once, where each of them holds something of the machine."""
    notes: tuple[str, ...] = ()
    """What a reader of figures must know about the tasks, such as rows of a file that were left out."""

    def __init__(
        self,
        verifier: str,
        settings: Mapping[str, Any] | None = None,
        *,
        max_prompt_chars: int = MAX_PROMPT_CHARS,
        max_response_chars: int = MAX_RESPONSE_CHARS,
    ) -> None:
        self.verifier = Verifier(verifier, settings)
        self.observation_space = UnicodeText(max_prompt_chars)
        self.action_space = UnicodeText(max_response_chars)
        self._max_prompt_chars = max_prompt_chars
        self.max_response_chars = max_response_chars
        self._task: Task | None = None
        self._conversation: Conversation = ()
        self._over = True

    @abc.abstractmethod
    def draw(self, rng: np.random.Generator) -> Task:
        """Return a new task, drawn from ``rng`` and nothing else."""

    @abc.abstractmethod
    def _play(self, task: Task, action: str) -> tuple[str, Verdict | None]:
        """Return the next observation, and the verdict when the episode is over."""

    def oracle(self, task: Task) -> str | None:
        """Return a response that solves ``task`` at once, None where none is known."""
        return None

    def forfeit(self) -> str:
        """Return a response that gives up at once, without trying."""
        return ""

    @property
    def id(self) -> str:
        """Registered id, such as ``sums-v0``; the class name when the environment was not made by id."""
        return self.spec.id.removeprefix("rlvr_gym/") if self.spec is not None else type(self).__name__

    @property
    def task(self) -> Task:
        """The task of this episode.

        Raises:
            UsageError: before the first ``reset``.
        """
        if self._task is None:
            raise UsageError(f"env '{self.id}' has no task yet: call reset() first.")
        return self._task

    @property
    def conversation(self) -> Conversation:
        """All messages of this episode so far; what a policy should be shown."""
        return self._conversation

    def tasks(self, num: int, *, seed: int) -> list[Task]:
        """Return ``num`` distinct tasks, fewer only when the environment has no more.

        The first tasks of a longer list are those of a shorter one.
        """
        found: dict[str, Task] = {}
        misses = index = 0
        while len(found) < num and misses < _PATIENCE:
            task = self._complete(self.draw(generator(seed, "task", index)))
            misses = misses + 1 if task.id in found else 0
            found.setdefault(task.id, task)
            index += 1
        return list(found.values())

    def all_tasks(self) -> list[Task]:
        """Return every task there is, in an order of their own.

        Raises:
            UsageError: when tasks are drawn, so that there is no list of them.
        """
        raise UsageError(f"env '{self.id}' draws its tasks and has no list of them.")

    def judge(self, task: Task, response: str) -> Verdict:
        """Return the verdict on one response, without touching the episode."""
        problem = self._unreadable(response)
        return problem if problem is not None else self.verifier.check(task, response)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[str, dict[str, Any]]:
        """Start an episode.

        Args:
            seed: Reseeds the environment, 0 included; without it the tasks go on where they were.
            options: ``{"task": Task}`` plays that task and draws none.

        Returns:
            The prompt, and an info with ``task_id``.

        Raises:
            UsageError: an option that does not exist.
            TaskError: a task this environment cannot pose.
        """
        super().reset(seed=seed)
        given = dict(options or {})
        task = given.pop("task", None)
        if given:
            unknown = str(next(iter(given)))
            raise UsageError(
                f"env '{self.id}' has no reset option '{unknown}'.{did_you_mean(unknown, ['task'])}"
            )
        if task is not None and not isinstance(task, Task):
            raise UsageError(f"env '{self.id}': options['task'] must be a Task, got {type(task).__name__}.")
        self._task = self._complete(task if task is not None else self.draw(self.np_random))
        self._conversation = self._task.conversation()
        self._over = False
        return self._conversation[-1].content, {"task_id": self._task.id}

    def step(self, action: str) -> tuple[str, float, bool, bool, dict[str, Any]]:
        """Answer the last observation.

        Returns:
            Observation, reward, terminated, truncated and info, as the class says.

        Raises:
            UsageError: before ``reset``, after the end of an episode, or when ``action`` is no text.
        """
        task = self.task
        if self._over:
            raise UsageError(f"env '{self.id}': the episode is over, call reset() before step().")
        if not isinstance(action, str):
            raise UsageError(f"env '{self.id}': an action is a str, got {type(action).__name__}.")
        self._conversation += (Message("assistant", action),)
        verdict = self._unreadable(action)
        observation = ""
        if verdict is None:
            observation, verdict = self._play(task, action)
        if observation:
            self._conversation += (Message("user", observation),)
        info: dict[str, Any] = {"task_id": task.id, "masked": False}
        if verdict is not None:
            return self._finish(observation, verdict, info)
        limit = self._limit()
        if limit is not None:
            info["verdict"] = Verdict.of(Status.FAILED, limit, verifier=self.verifier.id)
            self._over = True
            return observation, 0.0, False, True, info
        return observation, 0.0, False, False, info

    @property
    def num_turns(self) -> int:
        """How often the policy has written in this episode."""
        return sum(message.role == "assistant" for message in self._conversation)

    def get_state(self) -> dict[str, Json]:
        """Return everything the future of this environment depends on, as JSON values."""
        return {
            "rng": self.np_random.bit_generator.state,
            "task": None if self._task is None else self._task.to_dict(),
            "conversation": [message.to_json() for message in self._conversation],
            "over": self._over,
        }

    def set_state(self, state: Mapping[str, Json]) -> None:
        """Continue where ``get_state`` was called, in this or in another environment of the same settings.

        Raises:
            UsageError: when ``state`` is not what ``get_state`` returns.
        """
        try:
            bits = getattr(np.random, state["rng"]["bit_generator"])()
            bits.state = state["rng"]
            task = None if state["task"] is None else Task.from_dict(state["task"])
            conversation = tuple(Message.from_json(row) for row in state["conversation"])
            over = bool(state["over"])
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise UsageError(f"env '{self.id}': this is no state of an environment ({error}).") from None
        self.np_random = np.random.Generator(bits)
        self._task, self._conversation, self._over = task, conversation, over

    def seed_with(self, seed: int) -> None:
        """Seed the tasks to come, as ``reset(seed=seed)`` does, without starting an episode."""
        self.np_random, self._np_random_seed = gymnasium_seeding.np_random(seed)

    def fingerprint(self) -> str:
        """Return a hash of the state that the last action left: what was said, or the world where there is one.

        Two episodes of one task with equal fingerprints go on alike.
        """
        digest = hashlib.sha256(self.task.id.encode("utf-8", "surrogatepass"))
        for message in self._conversation:
            text = message.content.encode("utf-8", "surrogatepass")
            digest.update(b"\n%s %d:" % (message.role.encode(), len(text)) + text)
            digest.update("".join(f"\nimage {image.digest}" for image in message.images).encode())
        return digest.hexdigest()

    def _limit(self) -> str | None:
        """Return which limit the episode has met, None while it may go on."""
        return None

    def _finish(
        self, observation: str, verdict: Verdict, info: dict[str, Any]
    ) -> tuple[str, float, bool, bool, dict[str, Any]]:
        self._over = True
        info["verdict"] = verdict
        info["masked"] = not verdict.decided
        reward = math.nan if verdict.score is None else verdict.score
        return observation, reward, verdict.decided, not verdict.decided, info

    def _unreadable(self, response: str) -> Verdict | None:
        """Return the verdict on a response that no verifier needs to see."""
        if len(response) > self.max_response_chars:
            reason = f"the response has {len(response)} characters, more than {self.max_response_chars}"
        elif not is_unicode(response):
            reason = "the response is not Unicode text: it holds a lone surrogate"
        else:
            return None
        return Verdict.of(Status.MALFORMED, reason, verifier=self.verifier.id)

    def _complete(self, task: Task) -> Task:
        """Return ``task`` with the names of its environment and verifier.

        Raises:
            TaskError: another verifier's task, or a prompt that is no observation.
        """
        if task.verifier not in ("", self.verifier.name):
            raise TaskError(
                f"env '{self.id}' judges with '{self.verifier.name}', task '{task.id}' asks for '{task.verifier}'."
            )
        prompt = task.conversation()[-1].content
        if prompt not in self.observation_space:
            raise TaskError(
                f"env '{self.id}': the prompt of task '{task.id}' must be Unicode text of at most "
                f"{self._max_prompt_chars} characters, it has {len(prompt)}."
            )
        if task.verifier and task.env:
            return task
        return replace(task, verifier=self.verifier.name, env=task.env or self.id)


class SingleTurnEnv(TaskEnv):
    """A task, one response, a verdict."""

    def _play(self, task: Task, action: str) -> tuple[str, Verdict | None]:
        return "", self.verifier.check(task, action)


@dataclass(frozen=True, slots=True)
class Reply:
    """What a multi-turn environment answers; a verdict ends the episode."""

    text: str
    verdict: Verdict | None = None


class MultiTurnEnv(TaskEnv):
    """A task and a conversation about it, which a verdict or the turn limit ends.

    Args:
        verifier: Registered name of the verifier that judges responses.
        settings: Settings of the verifier.
        max_turns: How often the policy may write.
        **limits: As ``TaskEnv`` takes them.
    """

    def __init__(
        self, verifier: str, settings: Mapping[str, Any] | None = None, *, max_turns: int, **limits: int
    ) -> None:
        super().__init__(verifier, settings, **limits)
        self.max_turns = max_turns

    @abc.abstractmethod
    def reply(self, task: Task, conversation: Conversation) -> Reply:
        """Return the answer to the last message, a function of the arguments and of nothing else.

        Args:
            task: The task of the episode.
            conversation: All messages from the prompt to the policy's last.
        """

    def cut(self, reason: str) -> Verdict:
        """End the episode although no reply ended it, such as when the policy has no room left to write.

        Returns:
            The verdict on what there is: a failure, unless an environment can judge an unfinished episode.
        """
        self._over = True
        return Verdict.of(Status.FAILED, reason, verifier=self.verifier.id)

    def _play(self, task: Task, action: str) -> tuple[str, Verdict | None]:
        reply = self.reply(task, self.conversation)
        return reply.text, reply.verdict

    def _limit(self) -> str | None:
        if self.num_turns < self.max_turns:
            return None
        return f"no answer within {self.num_turns} turns"


def draw_until(draw: Callable[[], T], accept: Callable[[T], bool], *, what: str, tries: int = 2_000) -> T:
    """Return the first draw that ``accept`` takes.

    Raises:
        ConfigError: when none of ``tries`` draws is taken; ``what`` says what was wanted.
    """
    for _ in range(tries):
        value = draw()
        if accept(value):
            return value
    raise ConfigError(f"{what}: none found in {tries} draws; these settings leave too few problems.")
