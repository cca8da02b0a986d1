"""A client of OpenAI-compatible endpoints: bounded in time, bytes and tries, and honest about failures."""

from __future__ import annotations

import asyncio
import base64
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from rlvr_gym.errors import MissingExtraError
from rlvr_gym.policies.chat.network import network
from rlvr_gym.types import Conversation, Json, Message

if TYPE_CHECKING:
    import httpx

_PASSING = frozenset({408, 409, 425, 429})
"""Statuses besides 5xx that a later try may not meet."""
_HINTS = {
    401: "is the key right?",
    403: "may this key use this model?",
    404: "are base_url and model right?",
}


def needs_httpx(what: str) -> None:
    """Check that requests can be made; ``what`` needs it.

    Raises:
        MissingExtraError: httpx is not installed.
    """
    try:
        import httpx  # noqa: F401  (only looked for)
    except ModuleNotFoundError as error:
        raise MissingExtraError(what, "judge") from error


class EndpointFailure(Exception):
    """The endpoint gave no reply; says nothing about what was asked."""


class _Passing(EndpointFailure):
    """A failure that a later try may not meet."""

    def __init__(self, reason: str, wait_s: float = 0.0) -> None:
        super().__init__(reason)
        self.wait_s = wait_s


@dataclass(frozen=True, slots=True)
class Chat:
    """A conversation to continue."""

    conversation: Conversation
    fields: Mapping[str, Json] = field(default_factory=dict)
    """Further fields of the request, such as ``temperature``; None leaves a field out."""


@dataclass(frozen=True, slots=True)
class Said:
    """What an endpoint answered."""

    text: str
    """Empty where the model wrote none."""
    cut: bool
    """Whether it ended at the token limit."""


@dataclass(frozen=True, slots=True)
class Client:
    """Where to ask, and how patiently."""

    url: str
    """Full URL of the chat completions."""
    model: str
    key: str = field(repr=False)
    """Empty for none."""
    timeout_s: float
    """Limit for all chats of a call together, tries and waits included."""
    retries: int
    backoff_s: float
    max_bytes: int = 1 << 20
    """Bytes of a reply."""
    max_at_once: int | None = None
    """Requests that are open at the same time."""

    def ask(self, chats: Sequence[Chat]) -> list[Said]:
        """Return one answer per chat.

        Raises:
            EndpointFailure: any of them got none.
        """
        shared = network()
        return shared.run(self._all(shared.client, chats))

    async def aask(self, chats: Sequence[Chat]) -> list[Said]:
        """Return what `ask` does without blocking the event loop; cancelling it cancels the requests.

        Raises:
            EndpointFailure: any chat got no answer.
        """
        shared = network()
        return await shared.arun(self._all(shared.client, chats))

    async def _all(self, client: httpx.AsyncClient, chats: Sequence[Chat]) -> list[Said]:
        deadline = asyncio.get_running_loop().time() + self.timeout_s
        room = asyncio.Semaphore(self.max_at_once or max(len(chats), 1))
        asked = [asyncio.ensure_future(self._one(client, chat, deadline, room)) for chat in chats]
        try:
            async with asyncio.timeout_at(deadline):
                return list(await asyncio.gather(*asked))
        except TimeoutError:
            raise EndpointFailure(f"no reply within {self.timeout_s:g} s") from None
        finally:
            # Where one has failed, what the others would say no longer matters.
            for each in asked:
                each.cancel()

    async def _one(
        self, client: httpx.AsyncClient, chat: Chat, deadline: float, room: asyncio.Semaphore
    ) -> Said:
        body = self._body(chat)
        tries = 0
        while True:
            tries += 1
            try:
                async with room:
                    return await self._post(client, body)
            except _Passing as failure:
                if tries > self.retries:
                    raise EndpointFailure(f"{failure} (try {tries} of {tries})") from None
                wait_s = max(failure.wait_s, self.backoff_s * 2 ** (tries - 1))
                if asyncio.get_running_loop().time() + wait_s >= deadline:
                    raise EndpointFailure(
                        f"{failure}; to wait {wait_s:g} s more would pass the limit"
                    ) from None
            await asyncio.sleep(wait_s)

    def _body(self, chat: Chat) -> bytes:
        fields = {
            "model": self.model,
            "messages": [{"role": m.role, "content": _content(m)} for m in chat.conversation],
            **chat.fields,
        }
        return json.dumps({name: value for name, value in fields.items() if value is not None}).encode()

    async def _post(self, client: httpx.AsyncClient, body: bytes) -> Said:
        import httpx

        # Compressed replies could be small and yet large.
        headers = {"Content-Type": "application/json", "Accept-Encoding": "identity"}
        if self.key:
            headers["Authorization"] = f"Bearer {self.key}"
        try:
            async with client.stream("POST", self.url, content=body, headers=headers) as response:
                if response.headers.get("Content-Encoding", "identity") != "identity":
                    raise EndpointFailure("the endpoint compressed its reply although asked not to")
                data = await _read(response, self.max_bytes)
        except httpx.TransportError as error:
            raise _Passing(f"{type(error).__name__}: {error}"[:300]) from None
        if response.status_code != 200:
            raise _failure(response.status_code, data, response.headers.get("Retry-After", ""))
        return _said(data)


def _content(message: Message) -> Json:
    """Return the text, or with images a list of parts, the images as the data of their addresses."""
    if not message.images:
        return message.content
    parts: list[Json] = [{"type": "text", "text": message.content}] if message.content else []
    for image in message.images:
        data = base64.b64encode(image.data).decode()
        parts.append({"type": "image_url", "image_url": {"url": f"data:{image.media_type};base64,{data}"}})
    return parts


async def _read(response: httpx.Response, max_bytes: int) -> bytes:
    data = bytearray()
    async for piece in response.aiter_raw():
        data += piece
        if len(data) > max_bytes:
            raise EndpointFailure(f"the reply has more than {max_bytes} bytes")
    return bytes(data)


def _failure(status: int, data: bytes, retry_after: str) -> EndpointFailure:
    said = " ".join(data[:300].decode("utf-8", "replace").split())[:200]
    reason = " ".join(filter(None, [f"HTTP {status}:", _HINTS.get(status, ""), said or "no text"]))
    if status in _PASSING or status >= 500:
        # A date is left to the backoff: it would compare two clocks.
        seconds = retry_after.strip()
        return _Passing(reason, float(seconds) if seconds.isdecimal() and len(seconds) < 10 else 0.0)
    return EndpointFailure(reason)


def _said(data: bytes) -> Said:
    """Return the text of a reply, and whether it was cut."""
    try:
        row = json.loads(data)
        choice = row["choices"][0]
        content = choice["message"]["content"]
        cut = choice.get("finish_reason") == "length"
    except (ValueError, RecursionError, LookupError, TypeError, AttributeError):
        said = " ".join(data[:200].decode("utf-8", "replace").split())
        raise _Passing(f"the reply is no chat completion: {said}") from None
    if content is None:
        return Said("", cut)
    if not isinstance(content, str):
        raise _Passing(f"the reply's content is {type(content).__name__}, not text")
    return Said(content, cut)
