"""Near-duplicates: MinHash over shingles of a text's tokens (Broder, 1997)."""

from __future__ import annotations

import functools
import hashlib
import re
from collections.abc import Iterable
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from rlvr_gym.seeding import generator

SHINGLE = 3
"""Tokens in a row that make a shingle; a shorter text is one shingle."""
HASHES = 64
"""Length of a signature: the estimated similarity has a standard error of at most 1/16."""
_TOKEN = re.compile(r"\w+|[^\w\s]")
_FACTORS_H, _OFFSETS_H = (
    generator(0, "minhash", part).integers(2**63, size=HASHES, dtype=np.uint64)
    for part in ("factors", "offsets")
)

Signature: TypeAlias = NDArray[np.uint64]
"""Shape (HASHES,)."""


def shingles(text: str) -> frozenset[str]:
    """Return all runs of three tokens, words and signs, of a text.

    Example:
        >>> sorted(shingles("a<b c"))
        ['< b c', 'a < b']
    """
    tokens = _TOKEN.findall(text)
    last = max(1, len(tokens) - SHINGLE + 1)
    return frozenset(" ".join(tokens[i : i + SHINGLE]) for i in range(last))


@functools.lru_cache(maxsize=65536)
def signature(text: str) -> Signature:
    """Return the smallest hash of the text's shingles under each of the hash functions."""
    digests = [hashlib.blake2b(s.encode("utf-8", "replace"), digest_size=8).digest() for s in shingles(text)]
    values_S = np.frombuffer(b"".join(digests), np.uint64)
    # Odd factors make each product a permutation of the 64-bit numbers; the shift mixes high bits into low ones.
    mixed_SH = (values_S[:, None] ^ _OFFSETS_H) * (2 * _FACTORS_H + 1)
    return np.asarray((mixed_SH ^ (mixed_SH >> np.uint64(32))).min(axis=0))


def similarity(one: str, other: str) -> float:
    """Return the share of equal hashes, an estimate of the Jaccard similarity of the shingles; 1 for equal texts."""
    return float((signature(one) == signature(other)).mean())


class Index:
    """Texts that a new one must differ from.

    Args:
        threshold: Similarity from which on a text is a near-duplicate.
        texts: The first texts.
    """

    def __init__(self, threshold: float, texts: Iterable[str] = ()) -> None:
        self._threshold = threshold
        self._texts = list(texts)
        self._signatures_NH = np.array([signature(t) for t in self._texts]).reshape(-1, HASHES)

    def nearest(self, text: str) -> str | None:
        """Return the most similar text that is similar enough, the oldest of several, None where there is none."""
        if not self._texts:
            return None
        shares_N = (self._signatures_NH == signature(text)).mean(axis=1)
        best = int(shares_N.argmax())
        return self._texts[best] if shares_N[best] >= self._threshold else None

    def claim(self, text: str) -> str | None:
        """Return what ``nearest`` returns, and take the text when that is nothing."""
        found = self.nearest(text)
        if found is None:
            self.add(text)
        return found

    def add(self, text: str) -> None:
        """Take one more text."""
        self._texts.append(text)
        self._signatures_NH = np.concatenate([self._signatures_NH, signature(text)[None]])
