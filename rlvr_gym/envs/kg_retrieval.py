"""Questions over a knowledge graph whose answers the policy looks up, turn by turn."""

from __future__ import annotations

from rlvr_gym.envs.base import MultiTurnEnv, Reply
from rlvr_gym.envs.kg_parts.actions import ActionError, read_action
from rlvr_gym.envs.kg_parts.budget import tokens_of
from rlvr_gym.envs.kg_parts.drawing import Questions
from rlvr_gym.envs.kg_parts.lookups import neighbours, searched
from rlvr_gym.envs.kg_parts.search import search_of
from rlvr_gym.envs.kg_tasks import KG
from rlvr_gym.types import Conversation, Status, Task, Verdict

_LAST = "\n(one turn left: answer now)"


class KGRetrievalEnv(Questions, MultiTurnEnv):
    """Answer a question over a knowledge graph by searching its documents and asking for its facts."""

    def __init__(self, config: KG) -> None:
        super().__init__("kg", max_turns=config.max_turns, max_prompt_chars=config.max_prompt_chars)
        self.ask_about(config)

    def reply(self, task: Task, conversation: Conversation) -> Reply:
        """Return what the last action brings; an answer ends the episode, a response without an action costs a turn."""
        try:
            action = read_action(conversation[-1].content)
        except ActionError as error:
            return Reply(self._hinted(str(error), conversation))
        if action.kind == "answer":
            return Reply("", self._judged(task, conversation[-1].content))
        tokens = self.config.budget_tokens - tokens_of(_LAST)
        if action.kind == "search":
            text = searched(search_of(self.corpus), action.text, tokens)
        else:
            text = neighbours(self.corpus.graph, action.text, action.page, tokens)
        return Reply(self._hinted(text, conversation))

    def judge(self, task: Task, response: str) -> Verdict:
        """Return the verdict on a response that answers at once."""
        problem = self._unreadable(response)
        if problem is not None:
            return problem
        try:
            action = read_action(response)
        except ActionError as error:
            return Verdict.of(Status.MALFORMED, str(error), verifier=self.verifier.id)
        if action.kind != "answer":
            return Verdict.of(Status.FAILED, "nothing was answered", verifier=self.verifier.id)
        return self._judged(task, response)

    def forfeit(self) -> str:
        """Return an answer that is none: nothing else ends the episode at once."""
        return "answer: unknown"

    def _judged(self, task: Task, turn: str) -> Verdict:
        """Return the verdict on a whole turn, as what stands round an answer may take it back."""
        return self.verifier.check(task, turn)

    def _hinted(self, text: str, conversation: Conversation) -> str:
        """Return an observation that tells the policy to answer when one turn is left."""
        turns = sum(message.role == "assistant" for message in conversation)
        return text + _LAST if self.max_turns - turns == 1 else text
