"""An OpenAI-compatible endpoint as the judge."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from rlvr_gym.policies.chat import Chat, Client
from rlvr_gym.types import Json
from rlvr_gym.verifiers.judging.prompt import Question


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Whom to ask, and how."""

    client: Client
    temperature: float
    max_tokens: int
    extra: Mapping[str, Json] = field(default_factory=dict)
    """Further fields of the request; None leaves a field out."""

    def ask(self, questions: Sequence[Question]) -> list[str]:
        """Return one reply per question, all asked at the same time.

        Raises:
            EndpointFailure: any of them got none.
        """
        return [said.text for said in self.client.ask([*map(self._chat, questions)])]

    async def aask(self, questions: Sequence[Question]) -> list[str]:
        """Return what `ask` does without blocking the event loop; cancelling it cancels the requests.

        Raises:
            EndpointFailure: any question got no reply.
        """
        return [said.text for said in await self.client.aask([*map(self._chat, questions)])]

    def _chat(self, question: Question) -> Chat:
        fields = {
            "temperature": self.temperature,
            "max_tokens": self.max_tokens,
            # Some servers keep seeds in 32 bits with a sign.
            "seed": question.seed & 0x7FFFFFFF,
            **self.extra,
        }
        return Chat(question.conversation, fields)
