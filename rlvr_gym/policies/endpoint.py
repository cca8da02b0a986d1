"""An OpenAI-compatible chat endpoint as a policy, for evaluation.

Its tokens are not known here. The ids that stand for a conversation are the UTF-8 bytes of its messages, each between a
mark of its role and a mark of its end (`render`); figures count these bytes. An image is its mark and the 32 bytes of
its digest: the record says which image was shown, and the task holds the image itself. There are no log-probabilities: they are
NaN. A policy without weights plays and is never trained.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Literal

import numpy as np
from pydantic import Field, NonNegativeInt, PositiveFloat, PositiveInt, field_validator

from rlvr_gym.config import Config
from rlvr_gym.errors import RLVRError, UsageError
from rlvr_gym.policies.base import POLICIES
from rlvr_gym.policies.chat import Chat, Client, EndpointFailure, address, key_of, needs_httpx
from rlvr_gym.types import Completion, Conversation, Ids, Image, Json, Message, SampleRequest

END_ID = 256
"""First number that is no byte; it ends a message."""
_ROLES: dict[Literal["system", "user", "assistant", "tool"], int] = {
    "system": 257,
    "user": 258,
    "assistant": 259,
    "tool": 260,
}
_NAMES = {mark: role for role, mark in _ROLES.items()}
_IMAGE = 261
_DIGEST = 32
"""Bytes of an image's digest, which follow its mark."""


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

    Whether the endpoint's model reads images is its own affair: one that does not refuses the request. The images of
    rendered conversations are kept for as long as the policy lives, since ids name them and do not hold them.

    Raises:
        ConfigError: the environment variable of the key is not set, or holds no key.
        MissingExtraError: httpx is not installed.
    """

    reads_images = True

    def __init__(self, config: EndpointConfig) -> None:
        needs_httpx("policy 'endpoint'")
        key_of(config.api_key_env, where="policy 'endpoint'")
        self.version = f"endpoint:{config.model}"
        self.stop_ids = (END_ID,)
        self._config = config
        self._images: dict[str, Image] = {}

    def render(self, conversation: Conversation) -> Ids:
        """Return for each message its role's mark, bytes, images and the mark of its end; then the assistant's mark."""
        ids: list[int] = []
        for message in conversation:
            ids += [_ROLES[message.role], *message.content.encode()]
            for image in message.images:
                self._images[image.digest] = image
                ids += [_IMAGE, *bytes.fromhex(image.digest)]
            ids.append(END_ID)
        return np.array([*ids, _ROLES["assistant"]], np.int32)

    def render_added(self, conversation: Conversation, *, closed: bool = True) -> Ids:
        """Return the ids that continue after the policy's turn; see ``Policy.render_added``."""
        ids = self.render(conversation)
        return ids if closed else np.concatenate([np.array([END_ID], np.int32), ids])

    def decode(self, ids: Ids) -> str:
        """Return the text of the bytes in ``ids``, images left out."""
        shown = ids < END_ID
        for place in np.flatnonzero(ids == _IMAGE):
            shown[place : place + 1 + _DIGEST] = False
        return _text(ids[shown])

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
        return Chat(conversation_of(request.prompt_ids, self._images), fields)

    def _completion(self, text: str, *, cut: bool) -> Completion:
        # A server may answer with half a surrogate pair, which is no text.
        content = text.encode("utf-8", "replace")
        ids = np.array([*content] if cut else [*content, END_ID], np.int32)
        unknown = np.full(len(ids), math.nan, np.float32)
        return Completion(ids, unknown, unknown, "length" if cut else "stop", content.decode(), self.version)


def conversation_of(ids: Ids, images: Mapping[str, Image] | None = None) -> Conversation:
    """Return the messages that ``ids`` stand for, as ``EndpointPolicy.render`` and its completions write them.

    Args:
        ids: Prompt ids.
        images: The images by their digests.

    Raises:
        UsageError: the ids name an image that is not among ``images``.
    """
    found: list[Message] = []
    marks = np.flatnonzero((ids > END_ID) & (ids != _IMAGE))
    for start, end in zip(marks, [*marks[1:], len(ids)], strict=True):
        inner = ids[start + 1 : end]
        inner = inner[inner != END_ID]
        text, *rest = np.split(inner, np.flatnonzero(inner == _IMAGE))
        digests = [each[1:].astype(np.uint8).tobytes().hex() for each in rest]
        found.append(
            Message(
                _NAMES[int(ids[start])],
                _text(text),
                tuple(_known(digest, images or {}) for digest in digests),
            )
        )
    # The last mark is where the policy is to write.
    return tuple(found[:-1])


def _known(digest: str, images: Mapping[str, Image]) -> Image:
    if digest not in images:
        raise UsageError(
            f"policy 'endpoint': these ids name the image {digest[:12]}..., which this policy has not rendered: ids do "
            "not hold images, so render the conversation first."
        )
    return images[digest]


def _text(ids: Ids) -> str:
    return ids.astype(np.uint8).tobytes().decode("utf-8", "replace")


POLICIES.add(
    "endpoint",
    EndpointPolicy,
    config=EndpointConfig,
    summary="An OpenAI-compatible chat endpoint; plays, and is never trained.",
)
