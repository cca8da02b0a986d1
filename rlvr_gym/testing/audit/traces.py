"""What a verifier must leave alone in the process that calls it."""

from __future__ import annotations

import decimal
import os
import random
import signal
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

_ALARM_S = 10_000.0


def prepared() -> Mapping[str, Any]:
    """Return the state of the process, after setting an alarm that must survive and moving the random streams on."""
    # Far away; it only tells whether somebody else uses the one alarm there is.
    signal.setitimer(signal.ITIMER_REAL, _ALARM_S)
    # What is seeded anew each time would otherwise be found as it was left.
    random.random()
    np.random.random()
    return state()


def state() -> Mapping[str, Any]:
    """Return the state of the process that callers rely on."""
    kind, keys, position, *_ = np.random.get_state()
    return {
        "the handler of SIGALRM": signal.getsignal(signal.SIGALRM),
        "the caller's own alarm": signal.getitimer(signal.ITIMER_REAL)[0] > 0.0,
        "the state of random": random.getstate(),
        "the state of numpy.random": (kind, np.asarray(keys).tobytes(), position),
        "the recursion limit": sys.getrecursionlimit(),
        "the limit on digits of an int": sys.get_int_max_str_digits(),
        "the context of decimal": str(decimal.getcontext()),
        "the working directory": Path.cwd(),
        "the environment variables": dict(os.environ),
    }


def changed(before: Mapping[str, Any], after: Mapping[str, Any]) -> dict[str, str]:
    """Return what differs, with both values where they are short."""
    found = {}
    for name, value in before.items():
        if after[name] != value:
            texts = repr(value), repr(after[name])
            found[name] = " became ".join(texts) if max(map(len, texts)) < 80 else "changed"
    return found
