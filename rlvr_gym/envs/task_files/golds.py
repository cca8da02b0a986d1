"""Answers as data sets write them: bare, in a box at the end of a solution, or after ``####``."""

from __future__ import annotations

import re
from typing import Any

_GROUPED = re.compile(r"-?[0-9]{1,3}(?:,[0-9]{3})+(?:\.[0-9]+)?")
_MAX_CHARS = 400
"""Characters of a bare answer; the longest matrices of data sets have some 150."""
_BOX = re.compile(r"\\(?:boxed|fbox)\s*")


def plain(value: Any) -> str:
    """Return an answer column's value as text.

    Raises:
        ValueError: a value that is no answer, such as a table or a list of several.
    """
    if isinstance(value, list) and len(value) == 1:
        value = value[0]
    if isinstance(value, str):
        return value
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    if isinstance(value, float) and value == value and abs(value) < 1e15:
        # A column of whole numbers with gaps is read as floats.
        return str(int(value)) if value.is_integer() else repr(value)
    raise ValueError(f"the answer must be a text or a number, got {value!r:.40}")


def bare(text: str) -> str:
    """Return an answer that is all of its column.

    Raises:
        ValueError: a worked solution, which would be taken for an answer in words.
    """
    text = text.strip()
    if len(text) > _MAX_CHARS or ("\n" in text and "\\begin" not in text):
        raise ValueError("this is a solution, not an answer: set answer_from or answer_column")
    return text


def hashed(text: str) -> str:
    """Return what follows the last ``####``.

    Raises:
        ValueError: there is none.
    """
    _, found, answer = text.rpartition("####")
    if not found:
        raise ValueError("the answer has no '####'")
    answer = answer.strip()
    # Thousands, never a list: these answers are single numbers.
    return answer.replace(",", "") if _GROUPED.fullmatch(answer) else answer


def boxed(text: str) -> str:
    r"""Return what the last ``\boxed`` or ``\fbox`` holds.

    Raises:
        ValueError: there is none, or it never ends.
    """
    boxes = list(_BOX.finditer(text))
    if not boxes:
        raise ValueError("the answer has no \\boxed")
    start = boxes[-1].end()
    if text[start : start + 1] != "{":
        # TeX takes the next sign alone, solutions mean the rest of the formula.
        return re.split(r"[$\s]", text[start:], maxsplit=1)[0].rstrip(".")
    depth = 0
    for at in range(start, len(text)):
        depth += {"{": 1, "}": -1}.get(text[at], 0)
        if depth == 0:
            return text[start + 1 : at].strip()
    raise ValueError("the answer's \\boxed never ends")
