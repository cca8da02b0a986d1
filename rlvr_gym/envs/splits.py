"""Held-out tasks, told from training tasks by a hash of the problem, so that no list need be kept."""

from __future__ import annotations

import hashlib
from typing import Literal, TypeAlias

Split: TypeAlias = Literal["train", "heldout", "all"]
"""Which tasks an environment draws. A problem is in exactly one of ``train`` and ``heldout``."""

HELDOUT_SHARE = 0.2


def is_heldout(problem: str, share: float = HELDOUT_SHARE) -> bool:
    """Return whether ``problem`` is held out; texts of the same problem must be made equal before."""
    digest = hashlib.blake2b(problem.encode(), digest_size=8, person=b"rlvr-gym-split").digest()
    return int.from_bytes(digest, "big") < share * 2**64


def in_split(problem: str, split: Split, share: float = HELDOUT_SHARE) -> bool:
    """Return whether ``problem`` belongs to ``split``."""
    return split == "all" or is_heldout(problem, share) == (split == "heldout")
