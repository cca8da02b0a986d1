"""An OpenAI-compatible chat endpoint as a policy, for evaluation.

Its tokens are not known here. The ids that stand for a conversation are the UTF-8 bytes of its messages, each between a
mark of its role and a mark of its end (`render`); figures count these bytes. There are no log-probabilities: they are
NaN. A policy without weights plays and is never trained.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Literal

import numpy as np
from pydantic import Field, NonNegativeInt, PositiveFloat, PositiveInt, field_validator

from rlvr_gym.config import Config
from rlvr_gym.errors import RLVRError
from rlvr_gym.policies.base import POLICIES
from rlvr_gym.policies.chat import Chat, Client, EndpointFailure, address, key_of, needs_httpx
from rlvr_gym.types import Completion, Conversation, Ids, Json, Message, SampleRequest

END_ID = 256
"""First number that is no byte; it ends a message."""
_ROLES: dict[Literal["system", "user", "assistant", "tool"], int] = {
    "system": 257,
    "user": 258,
    "assistant": 259,
    "tool": 260,
}
_NAMES = {mark: role for role, mark in _ROLES.items()}


class EndpointError(RLVRError, OSError):
    """An endpoint that gave no completion."""


class EndpointConfig(Config):
    """Settings of the endpoint policy."""

    base_url: str
    """Address up to its version, such as ``http://localhost:8000/v1``."""
    model: str = Field(min_length=1)
    """Name of the endpoint's model."""
    api_key_env: str | None = None
    """Environment variable that holds the key; none is sent if left out."""
    at_once: PositiveInt = 16
    """Requests that are open at the same time."""
    timeout_s: PositiveFloat = 600.0
    """Limit for all requests of one batch, tries and waits included."""
    retries: NonNegativeInt = 5
    """Further tries of a request after a broken connection, a busy endpoint or an unreadable reply."""
    backoff_s: PositiveFloat = 1.0
    """Wait before the first further try; it doubles, and the endpoint may ask for more."""
    request: dict[str, Json] = {}
    """Further fields of a request; a field that is None is left out."""

    @field_validator("base_url")
    @classmethod
    def _is_address(cls, value: str) -> str:
        return address(value)


class EndpointPolicy:
    """Asks an endpoint for completions.

    Raises:
        ConfigError: the environment variable of the key is not set, or holds no key.
        MissingExtraError: httpx is not installed.
    """

    def __init__(self, config: EndpointConfig) -> None:
        needs_httpx("policy 'endpoint'")
        key_of(config.api_key_env, where="policy 'endpoint'")
        self.version = f"endpoint:{config.model}"
        self.stop_ids = (END_ID,)
        self._config = config

    def render(self, conversation: Conversation) -> Ids:
        """Return for each message the mark of its role, its bytes and the mark of its end; then the assistant's mark."""
        ids: list[int] = []
        for message in conversation:
            ids += [_ROLES[message.role], *message.content.encode(), END_ID]
        return np.array([*ids, _ROLES["assistant"]], np.int32)

    def render_added(self, conversation: Conversation, *, closed: bool = True) -> Ids:
        """Return the ids that continue after the policy's turn; see ``Policy.render_added``."""
        ids = self.render(conversation)
        return ids if closed else np.concatenate([np.array([END_ID], np.int32), ids])

    def decode(self, ids: Ids) -> str:
        """Return the text of the bytes in ``ids``."""
        return ids[ids < END_ID].astype(np.uint8).tobytes().decode("utf-8", "replace")

    def sample(self, requests: Sequence[SampleRequest]) -> list[Completion]:
        """Return one completion per request, in order; the same request gives what the endpoint's ``seed`` makes of it.

        Raises:
            EndpointError: a request got no reply; what the other ones got is lost.
        """
        config = self._config
        client = Client(
            url=f"{config.base_url}/chat/completions",
            model=config.model,
            key=key_of(config.api_key_env, where="policy 'endpoint'"),
            timeout_s=config.timeout_s,
            retries=config.retries,
            backoff_s=config.backoff_s,
            max_bytes=16 << 20,
            max_at_once=config.at_once,
        )
        try:
            said = client.ask([self._chat(request) for request in requests])
        except EndpointFailure as failure:
            raise EndpointError(f"policy 'endpoint' at {config.base_url}: {failure}.") from None
        return [self._completion(each.text, cut=each.cut) for each in said]

    def _chat(self, request: SampleRequest) -> Chat:
        fields: dict[str, Json] = {
            "temperature": request.temperature,
            "top_p": request.top_p,
            "max_tokens": request.max_new_tokens,
            "stop": list(request.stop) or None,
            # Some servers keep seeds in 32 bits with a sign.
            "seed": request.seed & 0x7FFFFFFF,
            **self._config.request,
        }
        return Chat(conversation_of(request.prompt_ids), fields)

    def _completion(self, text: str, *, cut: bool) -> Completion:
        # A server may answer with half a surrogate pair, which is no text.
        content = text.encode("utf-8", "replace")
        ids = np.array([*content] if cut else [*content, END_ID], np.int32)
        unknown = np.full(len(ids), math.nan, np.float32)
        return Completion(ids, unknown, unknown, "length" if cut else "stop", content.decode(), self.version)


def conversation_of(ids: Ids) -> Conversation:
    """Return the messages that ``ids`` stand for, as ``EndpointPolicy.render`` and its completions write them."""
    found: list[Message] = []
    marks = np.flatnonzero(ids > END_ID)
    for start, end in zip(marks, [*marks[1:], len(ids)], strict=True):
        inner = ids[start + 1 : end]
        text = inner[inner < END_ID].astype(np.uint8).tobytes().decode("utf-8", "replace")
        found.append(Message(_NAMES[int(ids[start])], text))
    # The last mark is where the policy is to write.
    return tuple(found[:-1])


POLICIES.add(
    "endpoint",
    EndpointPolicy,
    config=EndpointConfig,
    summary="An OpenAI-compatible chat endpoint; plays, and is never trained.",
)
