"""Problems that everybody or nobody solves."""

from __future__ import annotations

from collections.abc import Sequence

from rlvr_gym.selfplay.detectors.base import Row, detector, series, window_mean


@detector("extremes")
def extremes(rows: Sequence[Row], window: int) -> str | None:
    """Alarm when over 90 % of attempted problems are solved always or never."""
    now = window_mean(series(rows, "solver/extreme_share"), window)
    return f"{now:.0%} of problems are solved always or never" if now is not None and now > 0.9 else None
