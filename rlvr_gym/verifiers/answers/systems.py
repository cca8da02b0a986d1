r"""Equations set under each other: ``\begin{cases} x=1 \\ y=2 \end{cases}`` is ``x=1, y=2``."""

from __future__ import annotations

import re
from typing import Final

_OPENING = re.compile(
    r"(?:\\left\s?\\\{\s?)?\\begin\s?\{(cases|aligned|align|align\*|gathered|array|split)\}(?:\s?\{[clr| ]{1,20}\})?"
)
_ROW = re.compile(r"\\\\(?:\s?\[[^\[\]]{0,8}\])?")
_RELATION = re.compile(r"[=<>≤≥≠]|\\(?:le|ge|ne|lt|gt|leq|geq|neq|equiv|approx)(?![A-Za-z])")
_GOES_ON = re.compile(r"(?:=|\\approx(?![A-Za-z])|≈|\\Rightarrow|\\implies)")
_MAX_ROWS: Final = 20


def flattened(text: str) -> str:
    """Return ``text`` in one line, when it is nothing but an environment of equations; as it is otherwise.

    A row that begins with an equality sign goes on with the row before. Rows with a condition beside them, as in
    functions defined by cases, and matrices are left alone.
    """
    opening = _OPENING.match(text)
    if opening is None:
        return text
    closing = f"\\end{{{opening[1]}}}"
    end = text.rfind(closing)
    if end < 0 or text[end + len(closing) :].strip() not in ("", "\\right.", "\\right .", "\\right"):
        return text
    rows: list[str] = []
    for part in _ROW.split(text[opening.end() : end]):
        row = re.sub(r"\s?&\s?(?=" + _RELATION.pattern + r")|(?<=[=<>])\s?&", " ", part).strip(" ,;.")
        if "&" in row or "\\begin" in row or len(rows) > _MAX_ROWS:
            return text
        if rows and _GOES_ON.match(row):
            rows[-1] += f" {row}"
        elif row:
            rows.append(row)
    if len(rows) > 1 and not all(map(_RELATION.search, rows)):
        return text
    return ", ".join(rows) or text
