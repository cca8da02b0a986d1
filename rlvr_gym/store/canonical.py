"""One text per JSON value, and a digest that ignores what the clock decided."""

from __future__ import annotations

import hashlib
import json
import math

from rlvr_gym.types import Json

_CLOCK_NAMES = frozenset({"seconds", "wall"})
_CLOCK_ENDS = ("_seconds", "_per_second")


def is_clock(key: str) -> bool:
    """Return True when the value under ``key`` may differ between two equal runs.

    These are ``seconds``, ``wall``, all that starts with ``wall/`` and all that ends in ``_seconds`` or
    ``_per_second``, at any depth of a payload. Anything else that the clock or the machine decides belongs
    under ``wall``.
    """
    return key in _CLOCK_NAMES or key.startswith("wall/") or key.endswith(_CLOCK_ENDS)


def canonical(value: Json) -> str:
    """Return the one text of ``value``: sorted keys, no spaces, ASCII only (a lone surrogate has no UTF-8)."""
    # Through text first: keys that are numbers would be sorted as numbers now and as text when read back.
    return json.dumps(json.loads(json.dumps(value)), sort_keys=True, separators=(",", ":"))


def normal(value: Json) -> Json:
    """Return ``value`` as it reads back from its text: tuples are lists, keys are text and in order."""
    return json.loads(canonical(value))


def timeless(value: Json) -> Json:
    """Return ``value`` without what the clock decided."""
    if isinstance(value, dict):
        return {k: timeless(v) for k, v in value.items() if not is_clock(str(k))}
    if isinstance(value, list | tuple):
        return [timeless(v) for v in value]
    return value


def finite(value: Json) -> Json:
    """Return ``value`` with null for NaN and infinities, which strict JSON readers refuse."""
    if isinstance(value, dict):
        return {k: finite(v) for k, v in value.items()}
    if isinstance(value, list | tuple):
        return [finite(v) for v in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def digest(value: Json, *more: str) -> str:
    """Return 32 hexadecimal digits of the timeless part of ``value`` and of the texts ``more``."""
    text = "\0".join((canonical(timeless(value)), *more))
    return hashlib.blake2b(text.encode(), digest_size=16).hexdigest()
