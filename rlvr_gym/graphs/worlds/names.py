"""Invented names that can be pronounced and are told apart even when a letter is wrong."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

_ONSETS = (
    "b",
    "br",
    "d",
    "dr",
    "f",
    "g",
    "gr",
    "h",
    "j",
    "k",
    "kl",
    "l",
    "m",
    "n",
    "p",
    "r",
    "s",
    "st",
    "t",
    "tr",
    "v",
    "z",
)
_VOWELS = ("a", "e", "i", "o", "u", "ai", "ei", "ou")
_CODAS = ("", "", "", "l", "n", "r", "s", "m", "th", "lk", "nd")
_REAL = (
    "london",
    "paris",
    "berlin",
    "madrid",
    "lisbon",
    "roman",
    "brazil",
    "france",
    "sudan",
    "kenya",
    "japan",
)
"""Names of the real world that the syllables could spell; nothing in a synthetic world is a fact of ours."""


class Names:
    """Draws words no two of which are one letter apart, so that no single slip turns a name into another.

    Args:
        rng: Where the draws come from.
        avoid: Words that are never drawn, such as those of the sentences in which the names will stand.
    """

    def __init__(self, rng: np.random.Generator, avoid: Iterable[str] = ()) -> None:
        self._rng = rng
        self._numbers: list[int] = []
        self._taken = {slip for word in (*_REAL, *avoid) for slip in _slips(word.casefold())}

    def word(self, ending: str = "", syllables: int = 2) -> str:
        """Return a new capitalised word; it grows a syllable where short ones have become rare."""
        for attempt in range(1_000_000):
            size = syllables + attempt // 8
            word = "".join(self._pick(_ONSETS) + self._pick(_VOWELS) for _ in range(size))
            word += ending or self._pick(_CODAS)
            if self.take(word):
                return word.capitalize()
        raise AssertionError("names run out only where a word of thousands of letters is taken")

    def take(self, word: str) -> bool:
        """Take a word, whatever its case, unless it is within one letter of another; return whether it was free."""
        slips = _slips(word.casefold())
        if any(slip in self._taken for slip in slips):
            return False
        self._taken.update(slips)
        return True

    def _pick(self, parts: tuple[str, ...]) -> str:
        if not self._numbers:
            # A thousand at once: drawing one costs almost as much.
            self._numbers = self._rng.integers(1 << 32, size=1024).tolist()
        return parts[self._numbers.pop() % len(parts)]


def _slips(word: str) -> list[str]:
    """Return the word and what is left without each of its letters.

    Two words that a letter changed, left out, added or swapped with its neighbour tells apart have one in common.
    """
    return [word, *(word[:at] + word[at + 1 :] for at in range(len(word)))]
