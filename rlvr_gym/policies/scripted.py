"""A policy that plays given texts: exact log-probabilities, no model, no torch. One token is one character."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from rlvr_gym.config import Config
from rlvr_gym.errors import ConfigError, UnknownNameError, did_you_mean
from rlvr_gym.policies.base import POLICIES
from rlvr_gym.seeding import generator
from rlvr_gym.types import Completion, Conversation, Finish, Ids, SampleRequest, refuse_images

STOP_ID = 0x110000
"""First number that is no Unicode code point; it ends a turn."""
_ROLES = {"system": STOP_ID + 1, "user": STOP_ID + 2, "assistant": STOP_ID + 3, "tool": STOP_ID + 4}
_IMAGE = STOP_ID + 5
"""Begins an image, of which its digest stands there."""

Law: TypeAlias = Mapping[str, float]
"""Texts with their probabilities."""
Script: TypeAlias = Callable[[str, SampleRequest], str | Law]
"""From the text of the last message, and the request, to an answer or to a law over answers."""


class ScriptedPolicy:
    """Plays a script. The same request gives the same completion, unless answers are played in turn.

    Temperature and top-p leave the law alone, except that temperature 0 takes the likeliest answer.

    Args:
        script: A function ``(last_message, request) -> answer``; a dict from last messages to answers;
            or a list of answers to play in turn, over and over. A function may also return a dict
            from answers to probabilities, from which the request's seed then draws.
        version: Version that completions carry.
        reads_images: Whether it takes conversations with images, of which the script is told nothing.
    """

    def __init__(
        self,
        script: Script | Mapping[str, str] | Sequence[str],
        *,
        version: str = "scripted:0",
        reads_images: bool = False,
    ) -> None:
        self.version = version
        self.reads_images = reads_images
        self.stop_ids = (STOP_ID,)
        self.position = 0
        """How many answers of a list were played; set it to go on from there."""
        self._script = script

    @classmethod
    def random(
        cls, texts: Sequence[str], weights: Sequence[float] | None = None, *, version: str = "scripted:0"
    ) -> ScriptedPolicy:
        """Return a policy that draws among ``texts`` by each request's seed.

        Raises:
            ConfigError: no text, or weights that are no probabilities up to scale.
        """
        shares = list(weights) if weights is not None else [1.0] * len(texts)
        if not texts or len(shares) != len(texts) or min(shares) < 0 or not 0 < sum(shares) < math.inf:
            raise ConfigError(
                f"scripted: needs texts and one weight >= 0 for each, got {len(texts)} and {shares}."
            )
        law: dict[str, float] = {}
        for text, share in zip(texts, shares, strict=True):
            law[text] = law.get(text, 0.0) + share / sum(shares)
        return cls(lambda _message, _request: law, version=version)

    def render(self, conversation: Conversation) -> Ids:
        """Return a role mark, the code points and the images' digests of each message, then the mark of the assistant.

        Raises:
            UsageError: there are images, which this policy does not read.
        """
        if not self.reads_images:
            refuse_images(conversation)
        ids: list[int] = []
        for message in conversation:
            ids += [_ROLES[message.role], *map(ord, message.content)]
            for image in message.images:
                ids += [_IMAGE, *map(ord, image.digest)]
        return np.array([*ids, _ROLES["assistant"]], np.int32)

    def render_added(self, conversation: Conversation, *, closed: bool = True) -> Ids:
        """Return the ids that continue after the policy's turn; see ``Policy.render_added``."""
        ids = self.render(conversation)
        return ids if closed else np.concatenate([np.array([STOP_ID], np.int32), ids])

    def decode(self, ids: Ids) -> str:
        """Return the characters of ``ids``, without stop token and role marks."""
        return "".join(chr(i) for i in ids if i < STOP_ID)

    def sample(self, requests: Sequence[SampleRequest]) -> list[Completion]:
        """Return the script's completion for each request, in order.

        Raises:
            UnknownNameError: a message that a dict of answers lacks.
        """
        return [self._one(request) for request in requests]

    def _one(self, request: SampleRequest) -> Completion:
        law = self._law(request)
        texts = sorted(law)
        shares = np.array([law[t] for t in texts])
        if request.temperature == 0:
            text = texts[int(shares.argmax())]
        else:
            u = generator(request.seed, "sample").random()
            text = texts[int(np.searchsorted(shares.cumsum() / shares.sum(), u, side="right"))]
        ids, finish = _cut([*map(ord, text), STOP_ID], request)
        logprobs, entropies = _token_law(ids, [[*map(ord, t), STOP_ID] for t in texts], shares)
        return Completion(
            np.array(ids, np.int32), logprobs, entropies, finish, self.decode(np.array(ids)), self.version
        )

    def _law(self, request: SampleRequest) -> Law:
        if callable(self._script):
            answer = self._script(self._last_message(request.prompt_ids), request)
            return {answer: 1.0} if isinstance(answer, str) else answer
        if isinstance(self._script, Mapping):
            message = self._last_message(request.prompt_ids)
            if message not in self._script:
                raise UnknownNameError(
                    f"No answer is scripted for '{message}'.{did_you_mean(message, self._script)}"
                )
            return {self._script[message]: 1.0}
        text = self._script[self.position % len(self._script)]
        self.position += 1
        return {text: 1.0}

    def _last_message(self, prompt_ids: Ids) -> str:
        end = len(prompt_ids)
        if end and prompt_ids[-1] == _ROLES["assistant"]:
            end -= 1
        last = prompt_ids[:end]
        marks = np.flatnonzero((last >= STOP_ID) & (last != _IMAGE))
        last = last[marks[-1] + 1 if len(marks) else 0 :]
        images = np.flatnonzero(last == _IMAGE)
        return self.decode(last[: images[0]] if len(images) else last)


def _cut(ids: list[int], request: SampleRequest) -> tuple[list[int], Finish]:
    text = "".join(map(chr, ids[:-1]))
    ends = [text.index(stop) + len(stop) for stop in request.stop if stop in text]
    end = min([*ends, len(ids)])
    if end > request.max_new_tokens:
        return ids[: request.max_new_tokens], "length"
    return ids[:end], "stop"


def _token_law(
    ids: list[int], texts: list[list[int]], shares: NDArray[np.float64]
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Return log-probability and entropy of each token given those before it, under the law over texts."""
    logprobs, entropies = np.zeros(len(ids), np.float32), np.zeros(len(ids), np.float32)
    alive = [(t, s) for t, s in zip(texts, shares, strict=True) if s > 0]
    for position, token in enumerate(ids):
        mass: dict[int, float] = {}
        for text, share in alive:
            mass[text[position]] = mass.get(text[position], 0.0) + share
        total = sum(mass.values())
        logprobs[position] = math.log(mass[token] / total)
        entropies[position] = -sum(m / total * math.log(m / total) for m in mass.values())
        alive = [(t, s) for t, s in alive if t[position] == token]
    return logprobs, entropies


class Scripted(Config):
    """Settings of the scripted policy."""

    answers: tuple[str, ...] | dict[str, str] = ("",)
    """Answers, or a table from the last message to its answer."""
    mode: Literal["in_turn", "random"] = "in_turn"
    """Play a list of answers in turn, or draw among them by each request's seed."""
    weights: tuple[float, ...] | None = None
    """Weights of the draw; equal when left out."""


def _scripted(config: Scripted) -> ScriptedPolicy:
    if not config.answers:
        raise ConfigError("scripted.answers: needs at least one answer.")
    if config.mode == "in_turn":
        return ScriptedPolicy(config.answers)
    if isinstance(config.answers, dict):
        raise ConfigError("scripted.mode: 'random' draws from a list of answers, got a table.")
    return ScriptedPolicy.random(config.answers, config.weights)


POLICIES.add(
    "scripted", _scripted, config=Scripted, summary="Plays given texts; for tests and demonstrations."
)
