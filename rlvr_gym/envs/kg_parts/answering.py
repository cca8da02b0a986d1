"""Whether the answers of a question can be given: their own names must pass, or nobody could be right."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final
from weakref import WeakKeyDictionary

from rlvr_gym.envs.kg_parts.actions import ActionError, read_action
from rlvr_gym.errors import RLVRError
from rlvr_gym.graphs.aliases import accepted
from rlvr_gym.graphs.graph import KnowledgeGraph
from rlvr_gym.graphs.wording import mention, spell
from rlvr_gym.types import Task
from rlvr_gym.verifiers import Verifier

_MOST_KEPT: Final = 65_536
_Asked = tuple[tuple[int, ...], bool, bool]
_FOUND: WeakKeyDictionary[KnowledgeGraph, dict[_Asked, bool]] = WeakKeyDictionary()
"""What was found out of each graph: many questions have the same answers."""


def clear_label(graph: KnowledgeGraph, place: int) -> bool:
    """Return whether an entity's first name means nothing else, as whoever answers gives that; or its value tells it."""
    entity = graph.entities[place]
    if entity.modality == "quantity" and "value" in entity.attributes:
        return True
    return graph.aliases.readings(spell(graph, place, "text")) == (place,)


def can_be_given(graph: KnowledgeGraph, answers: Sequence[int], *, many: bool, acting: bool) -> bool:
    """Return whether a response in English that gives the answers by their names passes.

    Names such as ``$x$`` or ``<think>`` mean something else in a response, and lists may read in another way.

    Args:
        graph: The graph of the answers.
        answers: All that are asked for.
        many: Whether a list of them is asked for.
        acting: Whether an answer is an action of a policy that looks things up.
    """
    kept = _FOUND.setdefault(graph, {})
    key = (tuple(answers), many, acting)
    found = kept.get(key)
    if found is None:
        if len(kept) >= _MOST_KEPT:
            kept.clear()
        found = kept[key] = _pass(graph, answers, many=many, acting=acting)
    return found


def _pass(graph: KnowledgeGraph, answers: Sequence[int], *, many: bool, acting: bool) -> bool:
    task = Task(
        "given", prompt="", reference={"answers": accepted(graph, answers), "many": many}, verifier="kg"
    )
    labels = "; ".join(spell(graph, place, "text") for place in answers)
    mentions = "; ".join(mention(graph, place) for place in answers)
    verifier = Verifier("kg")
    try:
        return all(verifier.check(task, _said(text, acting)).passed for text in {labels, mentions})
    except RLVRError:
        # Such as a name that stands for the answer and for another entity.
        return False


def _said(answer: str, acting: bool) -> str:
    """Return a response with an answer, as its verifier sees it."""
    if not acting:
        return f"Answer: {answer}"
    try:
        action = read_action(f"answer: {answer}")
    except ActionError:
        return ""
    return f"Answer: {action.text}" if action.kind == "answer" else ""
