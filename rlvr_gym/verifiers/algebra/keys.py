"""Numbers fixed by a text: repeatable, and not to be known before the text is written."""

from __future__ import annotations

import hashlib
from typing import Final

_KEY: Final = b"rlvr_gym.algebra.points"


class Stream:
    """Random words that depend on a text only."""

    def __init__(self, text: str) -> None:
        self._seed = hashlib.blake2b(text.encode("utf-8", "surrogatepass"), key=_KEY, digest_size=32).digest()
        self._counter = 0
        self._block = b""
        self._at = 64

    def word(self) -> int:
        """Return 64 random bits."""
        if self._at == 64:
            block = self._seed + self._counter.to_bytes(8, "big")
            self._block = hashlib.blake2b(block, key=_KEY).digest()
            self._counter += 1
            self._at = 0
        self._at += 8
        return int.from_bytes(self._block[self._at - 8 : self._at], "big")

    def unit(self) -> float:
        """Return a number from 0 to 1."""
        return self.word() / 2.0**64
