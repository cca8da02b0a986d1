"""Fewer and fewer valid proposals."""

from __future__ import annotations

from collections.abc import Sequence

from rlvr_gym.selfplay.detectors.base import Row, best_window, detector, series, window_mean


@detector("valid_share")
def valid_share(rows: Sequence[Row], window: int) -> str | None:
    """Alarm when the valid share is 30 % below its best window."""
    values = series(rows, "proposer/valid_share")
    now, best = window_mean(values, window), best_window(values, window)
    if now is not None and best is not None and now < 0.7 * best:
        return f"valid share {now:.2f} is more than 30 % below its best {best:.2f}"
    return None
