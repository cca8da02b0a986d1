"""What a collapse detector is: a fold over the figures of committed steps that may raise an alarm."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from rlvr_gym.registry import Registry

Row: TypeAlias = Mapping[str, float]
"""Figures of one step; a missing or NaN figure says nothing."""
Detect: TypeAlias = Callable[[Sequence[Row], int], str | None]
"""``detect(rows, window)`` over all rows so far returns what is wrong, or None."""


@dataclass(frozen=True, slots=True)
class Alarm:
    """What a detector found at a step."""

    detector: str
    step: int
    message: str


DETECTORS: Registry[Detect] = Registry("detector", "rlvr_gym.selfplay.detectors")


def detector(name: str) -> Callable[[Detect], Detect]:
    """Register the decorated function."""

    def decorate(detect: Detect) -> Detect:
        return DETECTORS.add(name, detect)

    return decorate


def series(rows: Sequence[Row], key: str) -> list[float]:
    """Return a figure's known values in order."""
    return [v for row in rows if not math.isnan(v := row.get(key, math.nan))]


def window_mean(values: Sequence[float], window: int) -> float | None:
    """Return the mean of the last ``window`` values, None when there are fewer."""
    return math.fsum(values[-window:]) / window if len(values) >= window else None


def best_window(values: Sequence[float], window: int) -> float | None:
    """Return the highest mean of ``window`` consecutive values, None when there are fewer."""
    means = [math.fsum(values[i : i + window]) / window for i in range(len(values) - window + 1)]
    return max(means, default=None)
