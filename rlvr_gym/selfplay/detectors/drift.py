"""Entropy that vanishes or lengths that run away."""

from __future__ import annotations

from collections.abc import Sequence

from rlvr_gym.selfplay.detectors.base import Row, detector, series, window_mean


@detector("drift")
def drift(rows: Sequence[Row], window: int) -> str | None:
    """Alarm when entropy fell below a tenth, or length grew threefold, of the first window's mean."""
    for role in ("proposer", "solver"):
        for key, low, high in (("entropy", 0.1, float("inf")), ("length", 0.0, 3.0)):
            values = series(rows, f"{role}/{key}")
            now = window_mean(values, window)
            if now is None or len(values) < 2 * window:
                continue
            first = sum(values[:window]) / window
            if first > 0 and not low * first <= now <= high * first:
                return f"{role} {key} went from {first:.3g} to {now:.3g}"
    return None
