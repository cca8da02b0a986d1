"""Questions over a knowledge graph: from memory, over documents, or by looking things up."""

from __future__ import annotations

from rlvr_gym.envs.base import SingleTurnEnv
from rlvr_gym.envs.catalog import register
from rlvr_gym.envs.kg_parts.drawing import Questions
from rlvr_gym.envs.kg_retrieval import KGRetrievalEnv
from rlvr_gym.envs.kg_tasks import KG


class KGEnv(Questions, SingleTurnEnv):
    """Answer a question over a knowledge graph in one turn, from memory or over documents in the prompt."""

    def __init__(self, config: KG) -> None:
        super().__init__("kg", max_prompt_chars=config.max_prompt_chars)
        self.ask_about(config)


def make_kg(config: KG) -> KGEnv | KGRetrievalEnv:
    """Return the environment of one turn, or that of several."""
    return KGRetrievalEnv(config) if config.mode == "retrieval" else KGEnv(config)


register("kg", make_kg, KG)
