"""How large a text may be, and what is said of one outside the grammar."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


class ParseError(ValueError):
    """A text outside the grammar. The message begins with the code: ``"syntax: ..."``.

    Codes: ``empty``, ``syntax``, ``character``, ``too_long``, ``too_deep``, ``too_large``, ``too_many_digits``,
    ``unknown_name``.
    """

    def __init__(self, code: str, message: str) -> None:
        super().__init__(f"{code}: {message}")
        self.code = code


@dataclass(frozen=True, slots=True)
class Limits:
    """Sizes above which a text is refused before any arithmetic."""

    max_chars: int = 4000
    """Characters of the text."""
    max_nodes: int = 600
    """Tokens of the text, and so nodes of the tree."""
    max_depth: int = 40
    """Brackets, exponents and arguments inside each other."""
    max_digits: int = 1000
    """Digits of one number, before and after the point together, and the size of a decimal exponent."""


DEFAULT: Final = Limits()
