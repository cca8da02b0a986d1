"""Why a response has no answer that could be compared."""

from __future__ import annotations

from typing import Literal, TypeAlias

Code: TypeAlias = Literal[
    "no_answer", "unclosed_think", "hedge", "too_long", "syntax", "chain", "echo", "form", "type"
]


class Refusal(Exception):
    """A response, or an answer, that is refused before it is compared.

    Args:
        code: First word of the verdict's reason.
        message: What is wrong, in a few words.
        failed: Whether an answer was given, which is then failed instead of malformed.
    """

    def __init__(self, code: Code, message: str, *, failed: bool = False) -> None:
        super().__init__(f"{code}: {message}")
        self.code = code
        self.failed = failed
