"""Named random streams from one seed: a stream's numbers depend on its path and on nothing else."""

from __future__ import annotations

import hashlib

import numpy as np


def derive(root: int, *path: str | int) -> int:
    """Return the 64-bit seed of a named stream.

    Args:
        root: Seed of the run; 0 is a seed like any other.
        *path: Name of the stream, such as ``("step", 3, "slot", 1, "solver")``.

    Example:
        >>> derive(0, "plan", 1) == derive(0, "plan", 1) != derive(0, "plan", 2)
        True
    """
    # Length-prefixed, so that ("a", "bc") and ("ab", "c") differ; the type letter tells 1 from "1".
    parts = [f"{'i' if isinstance(p, int) else 's'}{len(str(p))}:{p}" for p in path]
    key = f"{root}".encode()
    if len(key) > 64:
        raise ValueError("seed has more than 64 digits")
    return int.from_bytes(hashlib.blake2b("/".join(parts).encode(), key=key, digest_size=8).digest(), "big")


def generator(root: int, *path: str | int) -> np.random.Generator:
    """Return a generator for the named stream (counter-based, so that streams do not overlap)."""
    return np.random.Generator(np.random.Philox(key=derive(root, *path)))


def work_id(*parts: str | int) -> str:
    """Return the id of a piece of work, 20 hexadecimal digits fixed by what it is."""
    text = "/".join(f"{len(str(p))}:{p}" for p in parts)
    return hashlib.blake2b(text.encode(), digest_size=10).hexdigest()
