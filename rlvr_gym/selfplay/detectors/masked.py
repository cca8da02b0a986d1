"""Attempts that nobody could judge."""

from __future__ import annotations

from collections.abc import Sequence

from rlvr_gym.selfplay.detectors.base import Row, detector, series, window_mean


@detector("masked")
def masked(rows: Sequence[Row], window: int) -> str | None:
    """Alarm when over 5 % of attempts were masked."""
    now = window_mean(series(rows, "solver/masked_share"), window)
    return f"{now:.1%} of attempts were masked" if now is not None and now > 0.05 else None
