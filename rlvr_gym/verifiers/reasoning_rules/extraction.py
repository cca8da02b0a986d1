"""The answer inside a response: the answer tag, else the box, else the whole text."""

from __future__ import annotations

import re

from rlvr_gym.verifiers.reasoning_rules.base import Unreadable

MAX_CHARS = 20_000
"""Characters of an answer; the longest right ones have some 7,000."""
_BOX = re.compile(r"\\(?:boxed|fbox)\s*+\{")
_BRACE = re.compile(r"[{}]")
_TEXT = re.compile(r"\\text(?:tt|bf)?\s*+\{([^{}]*+)\}")
_OPEN, _CLOSE = "<answer>", "</answer>"


class Hedge(ValueError):
    """Several different answers."""


def answer_of(response: str) -> str:
    """Return the answer that a response gives.

    Raises:
        Unreadable: none, one without an end, or one too long.
        Hedge: several different ones.
    """
    text = response.rpartition("</think>")[2]
    if "<think>" in text:
        raise Unreadable("the response never leaves its <think> block")
    found = _tagged(text) or _boxed(text) or [text.strip()]
    if len(set(found)) > 1:
        raise Hedge("the response gives several different answers")
    if not found[0]:
        raise Unreadable("the answer is empty")
    if len(found[0]) > MAX_CHARS:
        raise Unreadable(f"the answer has {len(found[0])} characters, more than {MAX_CHARS}")
    return found[0]


def _tagged(text: str) -> list[str]:
    found = []
    start = text.find(_OPEN)
    while start >= 0:
        end = text.find(_CLOSE, start)
        if end < 0:
            raise Unreadable("the answer tag has no end")
        found.append(text[start + len(_OPEN) : end].strip())
        start = text.find(_OPEN, end)
    return found


def _boxed(text: str) -> list[str]:
    found = []
    box = _BOX.search(text)
    while box is not None:
        depth = 1
        for brace in _BRACE.finditer(text, box.end()):
            depth += 1 if brace[0] == "{" else -1
            if depth == 0:
                break
        else:
            raise Unreadable("the box has no end")
        content = text[box.end() : brace.start()].strip()
        words = _TEXT.fullmatch(content)
        found.append(words[1].strip() if words else content)
        box = _BOX.search(text, brace.end())
    return found
