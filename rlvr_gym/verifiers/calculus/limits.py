"""How large a formula may be, and what is said of one that breaks a rule of the grammar."""

from __future__ import annotations

from dataclasses import dataclass


class ParseError(ValueError):
    """A text outside the grammar. The message begins with a short code: ``"syntax: ..."``.

    Codes: ``empty``, ``too_long``, ``too_deep``, ``too_large``, ``digits``, ``character``, ``word``, ``syntax``,
    ``symbol``, ``equation``, ``list``, ``integral_sign``.
    """

    def __init__(self, code: str, detail: str) -> None:
        super().__init__(f"{code}: {detail}")
        self.code = code


@dataclass(frozen=True, slots=True)
class Limits:
    """Sizes above which a text is refused before any arithmetic."""

    max_chars: int = 4000
    """Characters of the formula."""
    max_nodes: int = 400
    """Nodes of the tree."""
    max_depth: int = 40
    """Nested brackets in the text, and nodes on the longest path of the tree."""
    max_digits: int = 400
    """Digits of one number, before and after the point together."""
