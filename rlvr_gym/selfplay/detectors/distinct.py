"""One template repeated."""

from __future__ import annotations

from collections.abc import Sequence

from rlvr_gym.selfplay.detectors.base import Row, best_window, detector, series, window_mean


@detector("distinct")
def distinct(rows: Sequence[Row], window: int) -> str | None:
    """Alarm when the share of distinct problems among the valid ones has halved."""
    values = series(rows, "proposer/distinct_share")
    now, best = window_mean(values, window), best_window(values, window)
    if now is not None and best is not None and now < 0.5 * best:
        return f"distinct share {now:.2f} has halved from {best:.2f}"
    return None
