"""Problems as texts: what is one problem, and how it is put."""

from __future__ import annotations

import unicodedata


def canonical(problem: str) -> str:
    """Return one text for all ways to space and encode a problem."""
    return " ".join(unicodedata.normalize("NFKC", problem).split())


def with_instruction(problem: str, instruction: str) -> str:
    """Return the prompt: the problem, and the instruction on a line of its own."""
    return f"{problem}\n{instruction}" if instruction else problem
