"""A language model as the judge: votes on a rubric or a comparison, with what it read kept apart from what it was told."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Any

from pydantic import Field, NonNegativeInt, PositiveFloat, PositiveInt, field_validator, model_validator

from rlvr_gym.config import Config
from rlvr_gym.errors import TaskError, UsageError
from rlvr_gym.policies import resolve_policy
from rlvr_gym.policies.chat import Client, EndpointFailure, address, key_of, needs_httpx
from rlvr_gym.policies.quoting import plain
from rlvr_gym.types import Json, Status, Task, Verdict
from rlvr_gym.verifiers.base import VERIFIERS, Rules
from rlvr_gym.verifiers.judging.endpoint import Endpoint
from rlvr_gym.verifiers.judging.local import ask_policy
from rlvr_gym.verifiers.judging.prompt import PASS_FAIL, Question, comparison_question, rubric_question
from rlvr_gym.verifiers.judging.reply import answer_part, read_reply
from rlvr_gym.verifiers.judging.votes import Count, Scale, Vote, comparison_vote, counted, rubric_vote
from rlvr_gym.verifiers.pool import VerifierPool
from rlvr_gym.verifiers.ranges import PASS_OR_FAIL, ScoreRange

_MAX_STEPS = 10


class JudgeConfig(Config):
    """Settings of the judge; exactly one of ``base_url`` and ``policy`` says who judges."""

    base_url: str | None = None
    """Address of an OpenAI-compatible endpoint up to its version, such as ``http://localhost:8000/v1``."""
    model: str | None = None
    """Name of the endpoint's model."""
    api_key_env: str | None = None
    """Environment variable that holds the endpoint's key; none is sent if left out."""
    policy: str | dict[str, Any] | None = None
    """A policy in this process: a registered name, a table of ``name`` and settings, or a model's path or id."""
    rubric: str | dict[str, str] = (
        "The response does what the task asks and agrees with the reference, if there is one."
    )
    """What is judged: a text, or criteria by name, which are judged one by one."""
    compare: bool = False
    """Ask which is better by the rubric, the response or the reference, once in each order per vote."""
    scale: Scale | None = None
    """Lowest and highest mark of each criterion; pass or fail if left out."""
    votes: int = Field(default=3, ge=1, le=99)
    """How often the judge is asked."""
    count: Count = "majority"
    """``majority`` scores 1 or 0; ``mean`` scores the mean of the votes, in [0, 1]."""
    threshold: float = Field(default=0.5, gt=0.0, le=1.0)
    """Share of the scale from which a vote, and the mean of votes, passes."""
    temperature: float = Field(default=0.0, ge=0.0, le=2.0)
    """Temperature of the judge."""
    max_tokens: PositiveInt = 1024
    """Tokens of one reply."""
    max_response_chars: PositiveInt = 20_000
    """Characters of a response; a longer one is malformed and costs no question."""
    timeout_s: PositiveFloat = 60.0
    """Limit for all votes of one verdict on an endpoint, tries and waits included."""
    retries: NonNegativeInt = 2
    """Further tries of a request after a broken connection, a busy endpoint or an unreadable reply."""
    backoff_s: PositiveFloat = 0.5
    """Wait before the first further try; it doubles, and the endpoint may ask for more."""
    request: dict[str, Json] = {}
    """Further fields of a request to the endpoint; a field that is None is left out."""
    seed: int = 0
    """Seed of the votes and key of the codes that mark data."""

    @field_validator("base_url")
    @classmethod
    def _is_address(cls, value: str | None) -> str | None:
        return None if value is None else address(value)

    @field_validator("rubric")
    @classmethod
    def _has_criteria(cls, value: str | dict[str, str]) -> str | dict[str, str]:
        texts = [value] if isinstance(value, str) else [*value.values()]
        if not texts or not all(text.strip() for text in texts):
            raise ValueError("needs a text, or a text for each of at least one criterion")
        if isinstance(value, dict):
            for name in value:
                if not (name.isascii() and name.isidentifier()):
                    raise ValueError(
                        f"the name of a criterion is one word of letters and digits, not '{name}'"
                    )
        return value

    @field_validator("scale")
    @classmethod
    def _has_steps(cls, value: Scale | None) -> Scale | None:
        if value is not None and not 0 < value[1] - value[0] <= _MAX_STEPS:
            raise ValueError(f"the highest mark is 1 to {_MAX_STEPS} above the lowest")
        return value

    @model_validator(mode="after")
    def _fits_together(self) -> JudgeConfig:
        if (self.base_url is None) == (self.policy is None):
            raise ValueError("set either base_url with model, or policy")
        if self.base_url is not None and not self.model:
            raise ValueError("base_url needs model, the name of the endpoint's model")
        if self.count == "majority" and self.votes % 2 == 0:
            raise ValueError("a majority needs an odd number of votes")
        if self.compare and self.scale is not None:
            raise ValueError("a comparison has no scale: set compare or scale")
        return self

    @property
    def words(self) -> Sequence[str]:
        """What a criterion may be given."""
        if self.scale is None:
            return PASS_FAIL
        return [str(mark) for mark in range(self.scale[0], self.scale[1] + 1)]

    def endpoint(self) -> Endpoint:
        """Return where to ask.

        Raises:
            ConfigError: the environment variable of the key is not set, or holds no key.
            MissingExtraError: httpx is not installed.
        """
        assert self.base_url is not None, "asked only where one is set"
        assert self.model is not None, "validated with base_url"
        needs_httpx("verifier 'judge' with a base_url")
        client = Client(
            url=f"{self.base_url}/chat/completions",
            model=self.model,
            key=key_of(self.api_key_env, where="verifier 'judge'"),
            timeout_s=self.timeout_s,
            retries=self.retries,
            backoff_s=self.backoff_s,
        )
        return Endpoint(client, self.temperature, self.max_tokens, self.request)


class LLMJudge:
    """The judge with its settings.

    It works in the caller's process: a worker has neither the model nor the time. Requests to an endpoint wait on an
    event loop that can cancel them anywhere, so ``timeout_s`` holds whatever the endpoint does; a policy is bounded by
    ``max_tokens``.

    Raises:
        ConfigError: the environment variable of the key is not set, or an unknown policy.
        MissingExtraError: httpx is not installed.
    """

    def __init__(self, config: JudgeConfig, pool: VerifierPool | None = None) -> None:
        self.range = _range(config)
        self._config = config
        if config.base_url is not None:
            # The key is read again for each request, so that no pickle or report of this object holds it.
            config.endpoint()
        if config.policy is not None:
            resolve_policy(config.policy, where="verifier 'judge'.policy")

    def check(self, task: Task, response: str) -> Verdict:
        """Return the verdict."""
        config = self._config
        asked = self._questions(task, response)
        if isinstance(asked, Verdict):
            return asked
        if config.base_url is None:
            return self._concluded(asked, lambda: self._ask_policy(asked))
        return self._concluded(asked, lambda: config.endpoint().ask(asked))

    async def acheck(self, task: Task, response: str) -> Verdict:
        """Return the verdict without blocking the event loop; cancelling it cancels the requests to an endpoint."""
        asked = self._questions(task, response)
        if isinstance(asked, Verdict):
            return asked
        if self._config.base_url is None:
            return await asyncio.to_thread(self._concluded, asked, lambda: self._ask_policy(asked))
        try:
            replies = await self._config.endpoint().aask(asked)
        except EndpointFailure as failure:
            return _soft(Status.INFRASTRUCTURE, f"the judge's endpoint: {failure}")
        return self._counted(asked, replies)

    def _questions(self, task: Task, response: str) -> list[Question] | Verdict:
        config = self._config
        answer = answer_part(response)
        if answer is None:
            return _soft(Status.MALFORMED, "the response never leaves its <think> block")
        if len(answer) > config.max_response_chars:
            return _soft(
                Status.MALFORMED,
                f"the response has {len(answer)} characters, more than {config.max_response_chars}",
            )
        if not plain(answer).replace("\N{REPLACEMENT CHARACTER}", "").strip():
            return _soft(Status.MALFORMED, "the response is empty")
        if not config.compare:
            return [
                rubric_question(task, answer, config.rubric, config.words, key=config.seed, vote=vote)
                for vote in range(config.votes)
            ]
        if not isinstance(task.reference, str) or not task.reference.strip():
            raise TaskError(
                f"verifier 'judge': a comparison needs an answer as the reference, got {task.reference!r:.80}."
            )
        return [
            comparison_question(task, answers, config.rubric, key=config.seed, vote=vote)
            for vote in range(config.votes)
            for answers in ((answer, task.reference), (task.reference, answer))
        ]

    def _ask_policy(self, asked: Sequence[Question]) -> list[str]:
        config = self._config
        assert config.policy is not None, "asked only where one is set"
        return ask_policy(config.policy, asked, temperature=config.temperature, max_tokens=config.max_tokens)

    def _concluded(self, asked: Sequence[Question], ask: Callable[[], list[str]]) -> Verdict:
        try:
            replies = ask()
        except EndpointFailure as failure:
            return _soft(Status.INFRASTRUCTURE, f"the judge's endpoint: {failure}")
        except UsageError as error:
            return _soft(Status.UNSUPPORTED, f"the judge cannot read it: {error}")
        return self._counted(asked, replies)

    def _counted(self, asked: Sequence[Question], replies: Sequence[str]) -> Verdict:
        config = self._config
        words = [read_reply(reply, question.form) for reply, question in zip(replies, asked, strict=True)]
        votes: list[Vote]
        if config.compare:
            votes = [
                comparison_vote((replies[i], replies[i + 1]), (_lone(words[i]), _lone(words[i + 1])))
                for i in range(0, len(replies), 2)
            ]
        else:
            votes = [
                rubric_vote(reply, each, config.scale, config.threshold)
                for reply, each in zip(replies, words, strict=True)
            ]
        return counted(votes, config.count, config.threshold)


def _range(config: JudgeConfig) -> ScoreRange:
    if config.count == "majority":
        return PASS_OR_FAIL
    return ScoreRange(passed=(config.threshold, 1.0), failed=(0.0, config.threshold))


def _soft(status: Status, reason: str) -> Verdict:
    return Verdict.of(status, reason, label="soft")


def _lone(words: dict[str, str] | None) -> str | None:
    return None if words is None else words[""]


VERIFIERS.add(
    "judge",
    Rules.composed(LLMJudge, version=1),
    config=JudgeConfig,
    paper="arXiv:2306.05685",
    summary="Pass when a language model says so: votes on a rubric, or comparisons with the reference.",
)
