"""Actions of a policy that looks things up: one line of a response, or an answer in any form that verifiers know."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from rlvr_gym.errors import RLVRError

Kind = Literal["search", "neighbours", "answer"]
_ACTION = re.compile(r"[ \t*>`-]{0,8}(search|neighbou?rs|answer)[*`]{0,2}[ \t]?:[*`]{0,2}(.*)", re.IGNORECASE)
_ANSWER = re.compile(
    r"[ \t*>#`\u2022-]{0,8}(?:final\s)?answers?[*`]{0,2}[ \t]?[:\uff1a][*`]{0,2}(.*)", re.IGNORECASE
)
_HEADING = re.compile(r"[ \t]{0,3}#{1,6}[ \t](?:the\s)?(?:final\s)?answers?[*:\s]{0,4}", re.IGNORECASE)
_MARKS = ("</answer>", "\\boxed{", "\\fbox{")
_PAGE = re.compile(r"(.*\S)[ \t]*,[ \t]*page[ \t]+([0-9]{1,4})", re.IGNORECASE)
_HOW = "write 'search: WORDS', 'neighbours: ENTITY' or 'answer: ANSWER' on a line of its own"


class ActionError(RLVRError, ValueError):
    """A response without exactly one readable action; the message is for the policy."""


@dataclass(frozen=True, slots=True)
class Action:
    """What a policy does in a turn."""

    kind: Kind
    text: str
    """Words to search for, name of an entity, or the answer with all that follows it."""
    page: int = 1
    """Which page of an entity's facts."""


def read_action(response: str) -> Action:
    """Return the one action of a response, which stands behind the thinking.

    Raises:
        ActionError: there is none, more than one, or one that says nothing.
    """
    # Verifiers' parts are imported once there is something to read.
    from rlvr_gym.verifiers.answers.extraction import visible
    from rlvr_gym.verifiers.answers.refusal import Refusal

    try:
        lines = visible(response).splitlines()
    except Refusal:
        raise ActionError(f"The thinking has no end: close it, then {_HOW}.") from None
    found = [match for line in lines if (match := _ACTION.fullmatch(line)) is not None]
    actions = len(found)
    answered = [row for row, line in enumerate(lines) if _ANSWER.fullmatch(line) or _HEADING.fullmatch(line)]
    actions += sum(_ACTION.fullmatch(lines[row]) is None for row in answered)
    if not actions and any(mark in line for mark in _MARKS for line in lines):
        return Action("answer", "\n".join(lines).strip())
    if not actions:
        raise ActionError(f"That is no action: {_HOW}.")
    if actions > 1:
        raise ActionError(f"That is {actions} actions, of which none was taken: {_HOW}.")
    if answered:
        match = _ANSWER.fullmatch(lines[answered[0]])
        text = "\n".join([match[1] if match else "", *lines[answered[0] + 1 :]]).strip()
        name = "answer"
    else:
        name, text = found[0][1].lower(), found[0][2].strip()
    if not text.strip("*` \t\n"):
        raise ActionError(f"The action '{name}' says nothing behind its colon: {_HOW}.")
    if name == "answer":
        return Action("answer", text)
    text = text.strip("*` \t")
    if name == "search":
        return Action("search", text)
    page = _PAGE.fullmatch(text)
    entity, number = (text, 1) if page is None else (page[1], int(page[2]))
    return Action("neighbours", entity.strip("*`\"' \t") or entity, number)
