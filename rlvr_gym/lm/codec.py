"""Text to ids and back: what a policy asks of a tokenizer."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Protocol

from rlvr_gym.types import Conversation, Ids


class Codec(Protocol):
    """A tokenizer with its way of writing conversations."""

    vocab_size: int
    pad_id: int
    stop_ids: tuple[int, ...]
    """Tokens that end a turn; the first is the one to train with."""
    silent_ids: frozenset[int]
    """Tokens that ``decode`` leaves out."""

    def encode(self, text: str) -> Ids:
        """Return the ids of plain text. Text never becomes a token that ends a turn or opens one."""
        ...

    def decode(self, ids: Ids) -> str:
        """Return the text of ``ids`` without the structural tokens."""
        ...

    def render(self, conversation: Conversation) -> Ids:
        """Return the prompt ids of a whole opening, ending where the assistant is to write."""
        ...

    def render_added(self, conversation: Conversation, *, closed: bool = True) -> Ids:
        """Return the ids from the end of the assistant's turn up to where it is to write again.

        Args:
            conversation: The messages added since; earlier ones are never rendered again.
            closed: Whether the turn ended with a sampled stop token. If not, the ids begin with one.
        """
        ...

    def save(self, folder: Path) -> None:
        """Write the tokenizer in the Hugging Face layout."""
        ...

    def describe(self) -> dict[str, Any]:
        """Return the JSON values from which the codec is built again, besides the files of ``save``."""
        ...
